/** Which files adapters know, and what they put in the place of which export. */
import { adaptAsync, ASYNC_FILES } from './async';
import { adaptBluebird } from './bluebird';
import { adaptBottleneck } from './bottleneck';
import { adaptBullmq } from './bullmq';
import { adaptEffectAll, adaptEffectBody, adaptEffectForEach, adaptEffectFork, adaptEffectGen, adaptEffectMakeSemaphore, adaptEffectPromise, adaptEffectSemaphore, adaptEffectWait } from './effect';
import { adaptFastq } from './fastq';
import { adaptEs6PromisePool } from './es6-promise-pool';
import { adaptLimited, adaptThroat, adaptThrottle } from './limited';
import { adaptLimiter } from './limiter';
import { adaptListr } from './listr2';
import { adaptMapper, limitIn } from './mapper';
import { adaptQueueClass } from './queue-class';
import { adaptRateClass, adaptRateFactory } from './rate';
import { adaptRxjsAsking, adaptRxjsJoin, adaptRxjsMerge, adaptRxjsMergeOperator } from './rxjs';
import { adaptSemaphore, adaptTimedSemaphore, type SemaphoreShape } from './semaphore';
import type { AdapterSink } from './sink';
import { adaptSupercharge } from './supercharge';
import { adaptTaskInfo, adaptThreadPool, adaptWorkerHandler, adaptWorkerInfo, adaptWorkerMethods, adaptWorkerpool } from './thread-pool';
import { adaptUndici } from './undici';
import type { Fn } from './wrap';

/** @param scope other bindings of the module that the adapter asked for @returns what takes the value's place */
export type AdaptValue = (sink: AdapterSink, value: Fn, scope: Readonly<Record<string, unknown>>) => unknown;

export interface KnownFile {
  /** End of the path, from the package's name on. */
  readonly path: string;
  /** By the name of the export; `default` is also what a CommonJS module that exports one function exports. */
  readonly exports: Readonly<Record<string, AdaptValue>>;
  /** True where no version has it as an ES module, so that nobody need look out for one. */
  readonly isCommon?: boolean;
  /** Of an ES module that is adapted from within: what else is, by its name in it. Where that cannot be, the exports alone would tell half of it. */
  readonly inside?: Readonly<Record<string, AdaptValue>>;
  /** For an ES module: other names of its top-level scope that the adapter needs; of CommonJS it gets all exports. */
  readonly scope?: readonly string[];
  /** For CommonJS: the whole of `module.exports`, where going by names will not do. */
  readonly whole?: (sink: AdapterSink, exports: unknown) => unknown;
}

const pMap: AdaptValue = adaptMapper('p-map', { fn: 1, limit: limitIn(2, 'concurrency', Infinity) });
const parallel: AdaptValue = adaptMapper('streaming-iterables', { fn: 1, limit: (args) => args[0] });
const modern = adaptMapper('modern-async', {
  fn: 1,
  // A number, or a queue of its own.
  limit: ([, , limit]) => (typeof limit === 'object' && limit !== null && 'concurrency' in limit ? limit.concurrency : limit ?? 1),
});
const sema = adaptSemaphore('async-sema', { limit: ({ nrTokens }) => nrTokens });
const pQueue = adaptQueueClass('p-queue', ['add']);
const tinyAsyncPool = adaptMapper('tiny-async-pool', { fn: 2, limit: ([limit]) => limit });
const itParallel = adaptMapper('it-parallel', { fn: 0, limit: (args) => (typeof args[1] === 'number' ? args[1] : limitIn(1, 'concurrency', Infinity)(args)) });
const modernQueue = adaptQueueClass('modern-async', ['exec', 'execCancellable'], true);
/** Of its second version, and of its first. */
const MODERN_NAMES = [
  'asyncEvery', 'asyncFilter', 'asyncFind', 'asyncFindIndex', 'asyncForEach', 'asyncGeneratorFilter', 'asyncGeneratorMap', 'asyncMap', 'asyncSome',
  'everyLimit', 'filterLimit', 'findLimit', 'findIndexLimit', 'forEachLimit', 'mapLimit', 'someLimit',
];
const inSeries = (library: string, fn: number): AdaptValue => adaptMapper(library, { fn, limit: () => 1, kind: 'sequential' });
const effectForks = (version: 3 | 4, names: readonly string[]): Record<string, AdaptValue> => Object.fromEntries(names.map((name) => [name, adaptEffectFork(version)]));
const MUTEX_OF_ASYNC_MUTEX: SemaphoreShape = { limit: () => 1, inner: '_semaphore' };
const SEMAPHORE_OF_ASYNC_MUTEX: SemaphoreShape = { limit: ({ _value }) => _value };
const mutexOfAsyncMutex = adaptSemaphore('async-mutex', MUTEX_OF_ASYNC_MUTEX);
const semaphoreOfAsyncMutex = adaptSemaphore('async-mutex', SEMAPHORE_OF_ASYNC_MUTEX);
const timedOfAsyncMutex = adaptTimedSemaphore('async-mutex', (one) => ('_semaphore' in one ? MUTEX_OF_ASYNC_MUTEX : SEMAPHORE_OF_ASYNC_MUTEX));
const mutexOfToolkit = adaptSemaphore('es-toolkit', { limit: () => 1, inner: 'semaphore' });
const semaphoreOfToolkit = adaptSemaphore('es-toolkit', { limit: ({ capacity }) => capacity });

export const KNOWN_FILES: readonly KnownFile[] = [
  { path: 'async/dist/async.js', exports: {}, whole: adaptAsync },
  ...[...ASYNC_FILES].map(([name, adapt]): KnownFile => ({ path: `async/${name}.js`, exports: { default: adapt } })),
  { path: 'bluebird/js/release/bluebird.js', exports: {}, whole: adaptBluebird },
  { path: 'bottleneck/lib/Bottleneck.js', exports: { default: adaptBottleneck } },
  { path: 'bullmq/dist/cjs/classes/worker.js', exports: { Worker: adaptBullmq } },
  { path: 'fastq/queue.js', exports: {}, whole: adaptFastq },
  { path: 'rxjs/dist/cjs/internal/operators/mergeInternals.js', exports: { mergeInternals: adaptRxjsMerge } },
  { path: 'rxjs/dist/cjs/internal/operators/mergeMap.js', exports: { mergeMap: adaptRxjsAsking } },
  { path: 'rxjs/dist/cjs/internal/observable/forkJoin.js', exports: { forkJoin: adaptRxjsJoin } },
  ...['rxjs/internal', 'rxjs'].map((folder): KnownFile => ({ path: `${folder}/operators/mergeMap.js`, isCommon: true, exports: { MergeMapOperator: adaptRxjsMergeOperator } })),
  {
    path: 'effect/dist/internal/effect.js', scope: ['onExitPrimitive', 'suspend', 'sync', 'map', 'result'],
    exports: {
      gen: adaptEffectGen, callback: adaptEffectBody, promise: adaptEffectPromise, tryPromise: adaptEffectPromise, all: adaptEffectAll(4), forEach: adaptEffectForEach(4), fiberJoin: adaptEffectWait, fiberAwait: adaptEffectWait,
      ...effectForks(4, ['forkChild', 'forkDetach', 'forkIn', 'forkScoped', 'runFork']),
    },
  },
  { path: 'effect/dist/Stream.js', exports: { mapEffect: adaptEffectForEach(4) } },
  { path: 'effect/dist/Semaphore.js', exports: { SemaphoreImpl: adaptEffectSemaphore } },
  ...['cjs', 'esm'].flatMap((format): KnownFile[] => [
    { path: `effect/dist/${format}/internal/core.js`, exports: { gen: adaptEffectGen }, scope: ['suspend', 'map', 'matchCauseEffect', 'succeed', 'failCause'] },
    { path: `effect/dist/${format}/internal/core-effect.js`, exports: { promise: adaptEffectPromise, tryPromise: adaptEffectPromise } },
    { path: `effect/dist/${format}/internal/fiberRuntime.js`, exports: { all: adaptEffectAll(3), forEach: adaptEffectForEach(3), ...effectForks(3, ['fork', 'forkDaemon']) } },
    {
      path: `effect/dist/${format}/internal/effect/circular.js`,
      exports: { ...effectForks(3, ['forkAll', 'forkIn', 'forkScoped']), unsafeMakeSemaphore: adaptEffectMakeSemaphore, makeSemaphore: adaptEffectMakeSemaphore },
    },
    { path: `effect/dist/${format}/internal/fiber.js`, exports: { _await: adaptEffectWait, await: adaptEffectWait, join: adaptEffectWait } },
    { path: `effect/dist/${format}/internal/runtime.js`, exports: effectForks(3, ['unsafeForkEffect']) },
  ]),
  { path: 'p-limit/index.js', exports: { default: adaptLimiter('p-limit', true) } },
  { path: 'promise-limit/index.js', exports: { default: adaptLimiter('promise-limit', false) } },
  { path: 'throat/index.js', exports: { default: adaptThroat } },
  { path: 'p-throttle/index.js', exports: { default: adaptThrottle } },
  { path: 'p-series/index.js', exports: { default: inSeries('p-series', 0) } },
  { path: 'p-each-series/index.js', exports: { default: inSeries('p-each-series', 1) } },
  { path: 'p-waterfall/index.js', exports: { default: inSeries('p-waterfall', 0) } },
  { path: 'it-parallel/index.js', isCommon: true, exports: { default: itParallel } },
  { path: 'it-parallel/dist/src/index.js', exports: { default: itParallel } },
  ...['es7', 'es9'].map((edition): KnownFile => ({ path: `tiny-async-pool/lib/${edition}.js`, isCommon: true, exports: { default: tinyAsyncPool } })),
  ...['cjs', 'js'].map((ending) => ({ path: `listr2/dist/index.${ending}`, exports: { Listr: adaptListr } })),
  { path: 'async-sema/index.js', isCommon: true, exports: { default: sema } },
  { path: 'async-sema/lib/index.js', exports: { Sema: sema, RateLimit: adaptRateFactory('async-sema') } },
  ...['cjs', 'esm'].map((format): KnownFile => ({ path: `limiter/dist/${format}/RateLimiter.js`, exports: { RateLimiter: adaptRateClass('limiter', 'removeTokens') } })),
  { path: 'undici/lib/dispatcher/dispatcher-base.js', exports: { default: adaptUndici } },
  { path: 'undici/lib/dispatcher-base.js', isCommon: true, exports: { default: adaptUndici } },
  { path: 'undici/lib/pool-base.js', isCommon: true, exports: { PoolBase: adaptUndici } },
  { path: 'async-mutex/index.mjs', exports: { Mutex: mutexOfAsyncMutex, Semaphore: semaphoreOfAsyncMutex, withTimeout: timedOfAsyncMutex } },
  { path: 'async-mutex/lib/Mutex.js', exports: { default: mutexOfAsyncMutex } },
  { path: 'async-mutex/lib/Semaphore.js', exports: { default: semaphoreOfAsyncMutex } },
  { path: 'async-mutex/lib/withTimeout.js', exports: { withTimeout: timedOfAsyncMutex } },
  ...['mjs', 'js'].flatMap((ending): KnownFile[] => [
    { path: `es-toolkit/dist/promise/mutex.${ending}`, exports: { Mutex: mutexOfToolkit } },
    { path: `es-toolkit/dist/promise/semaphore.${ending}`, exports: { Semaphore: semaphoreOfToolkit } },
    { path: `es-toolkit/dist/promise/limitAsync.${ending}`, exports: { limitAsync: adaptLimited('es-toolkit', { fn: 0, limit: 1 }) } },
  ]),
  { path: 'p-map/index.js', exports: { default: pMap, pMapSettled: pMap, pMapIterable: pMap } },
  { path: 'p-queue/index.js', isCommon: true, exports: { default: pQueue } },
  { path: 'p-queue/dist/index.js', exports: { default: pQueue } },
  { path: '@supercharge/promise-pool/dist/promise-pool-executor.js', exports: { PromisePoolExecutor: adaptSupercharge } },
  { path: 'es6-promise-pool/es6-promise-pool.js', exports: { default: adaptEs6PromisePool } },
  ...['mjs', 'js'].map((ending) => ({ path: `streaming-iterables/dist/index.${ending}`, exports: { parallelMap: parallel, parallelFlatMap: parallel, transform: parallel, flatTransform: parallel } })),
  { path: 'piscina/dist/index.js', exports: { default: adaptThreadPool('piscina') } },
  { path: 'piscina/dist/task_queue/index.js', exports: { TaskInfo: adaptTaskInfo } },
  { path: 'piscina/dist/worker_pool/index.js', exports: { WorkerInfo: adaptWorkerInfo } },
  ...['dist', 'dist/esm'].map((folder): KnownFile => ({
    path: `tinypool/${folder}/index.js`, exports: { Tinypool: adaptThreadPool('tinypool') }, inside: { TaskInfo: adaptTaskInfo, WorkerInfo: adaptWorkerInfo },
  })),
  { path: 'workerpool/src/Pool.js', exports: { default: adaptWorkerpool } },
  { path: 'workerpool/src/WorkerHandler.js', exports: { default: adaptWorkerHandler } },
  { path: 'workerpool/src/index.js', exports: { worker: adaptWorkerMethods } },
  ...['asyncGeneratorMap', 'mapGenerator'].map((name): KnownFile => ({ path: `modern-async/src/${name}.mjs`, exports: { default: modern } })),
  { path: 'modern-async/src/Queue.mjs', exports: { default: modernQueue } },
  { path: 'modern-async/dist/modern-async.cjs', isCommon: true, exports: { Queue: modernQueue, ...Object.fromEntries(MODERN_NAMES.map((name) => [name, modern])) } },
];

/** @param path with forward slashes */
export function knownFile(path: string): KnownFile | undefined {
  const at = path.lastIndexOf('/node_modules/');
  if (at < 0) return undefined;
  const rest = path.slice(at + 14);
  return KNOWN_FILES.find((file) => file.path === rest);
}
