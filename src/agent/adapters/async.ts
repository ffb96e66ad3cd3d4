/** async: its functions over collections and lists of tasks, with callbacks, promises or async functions, and its queues. */
import { withTasks, type MapperShape } from './mapper';
import { adaptQueue } from './queue';
import type { AdapterSink } from './sink';
import { isObject, replace, withArguments, type Fn } from './wrap';

const OVER = ['each', 'eachOf', 'forEach', 'forEachOf', 'map', 'mapValues', 'filter', 'select', 'reject', 'detect', 'find',
  'some', 'any', 'every', 'all', 'concat', 'flatMap', 'groupBy', 'times'];
const QUEUES = ['queue', 'priorityQueue'];

export function adaptAsync(sink: AdapterSink, exports: unknown): unknown {
  if (!isObject(exports)) return exports;
  const shapes = new Map<string, MapperShape>([
    ['parallel', { fn: 0, limit: () => Infinity }], ['series', { fn: 0, limit: () => 1, kind: 'sequential' }],
    ['parallelLimit', { fn: 0, limit: (args) => args[1] }],
  ]);
  for (const name of OVER) {
    shapes.set(name, { fn: 1, limit: () => Infinity });
    shapes.set(`${name}Limit`, { fn: 2, limit: (args) => args[1] });
    shapes.set(`${name}Series`, { fn: 1, limit: () => 1, kind: 'sequential' });
  }
  // The same function goes by several names, and stands once more in `default`: it stays one and the same.
  const made = new Map<Fn, Fn>();
  const once = (make: (fn: Fn) => Fn) => (fn: Fn): Fn => {
    let wrapped = made.get(fn);
    if (!wrapped) made.set(fn, (wrapped = make(fn)));
    return wrapped;
  };
  for (const holder of [exports, exports.default]) {
    for (const [name, shape] of shapes) {
      replace(holder, name, once((fn) => withArguments(sink, fn, (args) => withTasks(sink, 'async', { ...shape, ends: 'callback' }, args))));
    }
    for (const name of QUEUES) {
      replace(holder, name, once(adaptQueue(sink, 'async', ['push', 'pushAsync', 'unshift', 'unshiftAsync'], 'callback', true)));
    }
  }
  return exports;
}
