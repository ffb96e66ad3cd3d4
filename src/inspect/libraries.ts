/**
 * What packages offer that runs or limits concurrent work, as their documentation has it. An entry says where a call finds its
 * limit: the position of the argument (0-based), and the option's name where that argument is an object.
 */

export interface Limit { readonly argument: number; readonly option?: string }

interface Offer {
  /**
   * - `run`: the call runs tasks in a pool; - `sequence`: one after the other; - `all`: all at once;
   * - `make`: the call makes a limiter, queue or pool whose methods or itself run tasks later
   */
  readonly does: 'run' | 'make' | 'sequence' | 'all';
  readonly limit?: Limit;
  /** What the call does where the limit is left out, if that is no pool. */
  readonly unlimited?: 'all' | 'sequence';
}

const at = (argument: number, option?: string): Limit => ({ argument, option });
const run = (limit: Limit): Offer => ({ does: 'run', limit });
const runWith = (argument: number): Offer => ({ does: 'run', limit: at(argument, 'concurrency'), unlimited: 'all' });
/** One task at a time, unless told otherwise. */
const runOneOr = (limit: Limit): Offer => ({ does: 'run', limit, unlimited: 'sequence' });
const make = (limit?: Limit): Offer => ({ does: 'make', limit });
const SEQUENCE: Offer = { does: 'sequence' };
const ALL: Offer = { does: 'all' };

const named = (names: string, offer: Offer): Record<string, Offer> => Object.fromEntries(names.split(' ').map((name) => [name, offer]));

/** By package, then by what it exports; `default` also stands for the package itself. */
const LIBRARIES: Readonly<Record<string, Readonly<Record<string, Offer>>>> = {
  'p-map': { default: runWith(2), pMapSkip: runWith(2), pMapIterable: run(at(2, 'concurrency')) },
  'p-filter': { default: runWith(2) },
  'p-all': { default: runWith(1) },
  'p-settle': { default: runWith(1) },
  'p-times': { default: runWith(2) },
  'p-props': { default: runWith(2) },
  'p-each-series': { default: SEQUENCE },
  'p-map-series': { default: SEQUENCE },
  'p-series': { default: SEQUENCE },
  'p-waterfall': { default: SEQUENCE },
  'p-limit': { default: make(at(0, 'concurrency')), limitFunction: make(at(1, 'concurrency')) },
  'p-queue': { default: make(at(0, 'concurrency')) },
  'p-throttle': { default: make() },
  'promise-limit': { default: make(at(0)) },
  'promise-pool-executor': { PromisePoolExecutor: make(at(0, 'concurrencyLimit')) },
  'es6-promise-pool': { default: make(at(1)) },
  '@supercharge/promise-pool': { PromisePool: make() },
  'async-sema': { Sema: make(at(0)), RateLimit: make(at(0)) },
  'async-mutex': { Semaphore: make(at(0)), Mutex: make() },
  'semaphore-async-await': { default: make(at(0)) },
  bullmq: { Worker: runOneOr(at(2, 'concurrency')) },
  listr2: { Listr: runOneOr(at(1, 'concurrent')) },
  'it-parallel': { default: runWith(1) },
  limiter: { RateLimiter: make() },
  bottleneck: { default: make(at(0, 'maxConcurrent')) },
  throat: { default: make(at(0)) },
  fastq: { default: make(at(1)), promise: make(at(1)) },
  'tiny-async-pool': { default: run(at(0)) },
  'modern-async': {
    ...named('asyncMap asyncForEach asyncFilter asyncEvery asyncSome asyncFind', { does: 'run', limit: at(2), unlimited: 'all' }),
    ...named('mapLimit forEachLimit filterLimit', run(at(2))), ...named('mapSeries forEachSeries filterSeries', SEQUENCE), Queue: make(at(0)),
  },
  'streaming-iterables': { ...named('parallelMap transform flatTransform', run(at(0))) },
  async: {
    ...named('eachLimit eachOfLimit forEachLimit forEachOfLimit mapLimit mapValuesLimit filterLimit rejectLimit someLimit everyLimit detectLimit concatLimit groupByLimit parallelLimit timesLimit', run(at(1))),
    ...named('eachSeries eachOfSeries mapSeries filterSeries concatSeries timesSeries', SEQUENCE),
    ...named('queue priorityQueue', make(at(1))), ...named('cargoQueue', make(at(1))),
    ...named('each eachOf forEach map parallel', ALL),
  },
  bluebird: { map: runWith(2), ...named('each mapSeries', SEQUENCE) },
  rxjs: { ...named('mergeMap flatMap', { does: 'run', limit: at(1), unlimited: 'all' }) },
  'rxjs/operators': { ...named('mergeMap flatMap', { does: 'run', limit: at(1), unlimited: 'all' }) },
  effect: { 'Effect.all': runWith(1), 'Effect.forEach': runWith(2) },
  radash: { parallel: run(at(0)) },
  'es-toolkit': { limitAsync: make(at(1)) },
  piscina: { default: make(at(0, 'maxThreads')), Piscina: make(at(0, 'maxThreads')) },
  tinypool: { default: make(at(0, 'maxThreads')), Tinypool: make(at(0, 'maxThreads')) },
  workerpool: { pool: make(at(1, 'maxWorkers')) },
};

/** Methods of what a `make` offer makes that only prepare, ask or end: no work is begun by them. */
const QUIET = new Set(['on', 'once', 'off', 'onIdle', 'onEmpty', 'onSizeLessThan', 'clear', 'clearQueue', 'pause', 'start', 'destroy', 'terminate',
  'close', 'drain', 'drained', 'tryRemoveTokens', 'getTokensRemaining', 'stop', 'release', 'isLocked', 'isIdle', 'wrap', 'counts', 'updateSettings', 'kill', 'proxy', 'stats', 'resume']);

/** Libraries whose limiter begins its work by a method that would else be quiet. */
const isStarter = (library: string, method: string): boolean => library === 'es6-promise-pool' && method === 'start';

/** @param module package; a subpath such as `async/mapLimit` names the export */
export function offerOf(module: string, exported: string): Offer | undefined {
  const library = LIBRARIES[module] as Readonly<Record<string, Offer>> | undefined;
  if (library) return library[exported === '*' ? 'default' : exported];
  const slash = module.indexOf('/');
  return module.startsWith('@') || slash < 0 ? undefined : (LIBRARIES[module.slice(0, slash)] as Readonly<Record<string, Offer>> | undefined)?.[module.slice(slash + 1).replace(/\.js$/, '')];
}

export const startsWork = (library: string, method: string): boolean => isStarter(library, method) || !QUIET.has(method);

/** The package's name in `rxjs/operators` and the like. */
export const packageOf = (module: string): string => (module.startsWith('@') ? module.split('/', 2).join('/') : module.split('/', 1)[0]);
