/**
 * undici's `Pool`: a request waits until one of the pool's connections is free, is in work once it is written to it, and ends
 * with its answer. The pool's limit is its connections times what each takes at once.
 */
import { hidden } from '../hidden';
import { proxyOf } from '../intrinsics';
import { groupPerObject } from './group-per-object';
import type { AdaptValue } from './libraries';
import type { LibraryTask } from './sink';
import { around, isFn, isObject, replace, type Fn } from './wrap';

const { apply } = Reflect;
const BEGINS: ReadonlySet<PropertyKey> = new Set(['onConnect', 'onRequestStart']);
const ENDS: ReadonlySet<PropertyKey> = new Set(['onComplete', 'onResponseEnd']);
const FAILS: ReadonlySet<PropertyKey> = new Set(['onError', 'onResponseError']);

function limitOf(pool: object): number | undefined {
  const connections = hidden(pool, 'connections');
  const options = hidden(pool, 'options');
  const pipelining = isObject(options) && typeof options.pipelining === 'number' ? options.pipelining : 1;
  return typeof connections === 'number' ? connections * Math.max(1, pipelining) : undefined;
}

/** The request's handler, which says what becomes of its task. */
function watched(handler: object, task: LibraryTask): object {
  const { sink } = task.group;
  const said = new Map<PropertyKey, Fn>();
  // It inherits all that the handler has: one that is frozen could not be shown with other methods.
  return proxyOf(Object.create(handler) as object, {
    get(_, key) {
      const value: unknown = Reflect.get(handler, key);
      if (!isFn(value)) return value;
      let method = said.get(key);
      if (!method) {
        said.set(key, (method = around(value, (fn, _self, args) => {
          sink.quietly(() => {
            if (BEGINS.has(key)) task.post(0);
            else if (ENDS.has(key)) task.end(false);
            else if (FAILS.has(key)) task.end(true);
          });
          return apply(fn, handler, args);
        })));
      }
      return method;
    },
    set: (_, key, value) => Reflect.set(handler, key, value),
  });
}

/** The class that pools and clients are of. */
export const adaptUndici: AdaptValue = (sink, DispatcherBase) => {
  const groupOf = groupPerObject((pool) => {
    const limit = isFn(pool.constructor) && pool.constructor.name === 'Pool' ? limitOf(pool) : undefined;
    // With as many connections as it likes nothing waits, and its requests are whatever asks for them.
    return limit === undefined ? undefined : sink.group('undici', limit, 'pool');
  });
  replace(DispatcherBase.prototype, 'dispatch', (dispatch) => around(dispatch, (target, self, args) => {
    const [options, handler] = args;
    const task = sink.quietly(() => {
      const task = isObject(handler) ? groupOf(self)?.task(true) : undefined;
      // `request` makes its promise right before it asks for this.
      task?.submittedAsLatest();
      return task;
    });
    return apply(target, self, task && isObject(handler) ? [options, watched(handler, task)] : args);
  }));
  return DispatcherBase;
};
