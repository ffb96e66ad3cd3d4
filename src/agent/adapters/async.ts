/** async: its functions over collections and lists of tasks, with callbacks, promises or async functions, and its queues. */
import type { AdaptValue } from './libraries';
import { withTasks, type MapperShape } from './mapper';
import { adaptQueue, adaptBatches } from './queue';
import type { AdapterSink } from './sink';
import { asGroup, isObject, replace, type Fn } from './wrap';

const OVER = ['each', 'eachOf', 'forEach', 'forEachOf', 'map', 'mapValues', 'filter', 'select', 'reject', 'detect', 'find',
  'some', 'any', 'every', 'all', 'concat', 'flatMap', 'groupBy', 'times'];
const QUEUES = ['queue', 'priorityQueue'];
/** How many batches each takes at once. */
const CARGOS: ReadonlyMap<string, (args: readonly unknown[]) => unknown> = new Map([['cargo', () => 1], ['cargoQueue', (args: readonly unknown[]) => args[1] ?? 1]]);

const SHAPES: ReadonlyMap<string, MapperShape> = new Map<string, MapperShape>([
  ['parallel', { fn: 0, limit: () => Infinity }], ['series', { fn: 0, limit: () => 1, kind: 'sequential' }], ['waterfall', { fn: 0, limit: () => 1, kind: 'sequential' }],
  ['parallelLimit', { fn: 0, limit: (args) => args[1] }],
  ['auto', { fn: 0, limit: (args) => (typeof args[1] === 'number' && args[1] > 0 ? args[1] : undefined), kind: 'pool' }],
  ...OVER.flatMap((name): [string, MapperShape][] => [
    [name, { fn: 1, limit: () => Infinity }], [`${name}Limit`, { fn: 2, limit: (args) => args[1] }],
    [`${name}Series`, { fn: 1, limit: () => 1, kind: 'sequential' }],
  ]),
]);
const adaptAsyncQueue = (sink: AdapterSink): ((fn: Fn) => unknown) => adaptQueue(sink, 'async', ['push', 'pushAsync', 'unshift', 'unshiftAsync'], 'either', true);

/** Functions that have a file each, for programs that import only that: what one file's function asks of another's is no call of the program's. */
export const ASYNC_FILES: ReadonlyMap<string, AdaptValue> = new Map<string, AdaptValue>([
  ...[...SHAPES].map(([name, shape]): [string, AdaptValue] => [name, (sink, fn) =>
    asGroup(sink, fn, (args) => (sink.isCalledBy('async') ? undefined : withTasks(sink, 'async', { ...shape, ends: 'either' }, args)))]),
  ...QUEUES.map((name): [string, AdaptValue] => [name, (sink, fn) => adaptAsyncQueue(sink)(fn)]),
  ...[...CARGOS].map(([name, limitOf]): [string, AdaptValue] => [name, (sink, fn) => adaptBatches(sink, 'async', limitOf, 'either')(fn)]),
]);

export function adaptAsync(sink: AdapterSink, exports: unknown): unknown {
  if (!isObject(exports)) return exports;
  // The same function goes by several names, and stands once more in `default`: it stays one and the same.
  const made = new Map<Fn, Fn>();
  const once = (make: (fn: Fn) => Fn) => (fn: Fn): Fn => {
    let wrapped = made.get(fn);
    if (!wrapped) made.set(fn, (wrapped = make(fn)));
    return wrapped;
  };
  for (const holder of [exports, exports.default]) {
    for (const [name, shape] of SHAPES) {
      replace(holder, name, once((fn) => asGroup(sink, fn, (args) => withTasks(sink, 'async', { ...shape, ends: 'either' }, args))));
    }
    for (const name of QUEUES) {
      replace(holder, name, once(adaptAsyncQueue(sink) as (fn: Fn) => Fn));
    }
    for (const [name, limitOf] of CARGOS) replace(holder, name, once(adaptBatches(sink, 'async', limitOf, 'either')));
  }
  return exports;
}
