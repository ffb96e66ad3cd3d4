/**
 * undici's `Pool`: a request waits until one of the pool's connections is free, is in work once it is written to it, and ends
 * with its answer. The pool's limit is its connections times what each takes at once.
 */
import type { AdaptValue } from './libraries';
import type { LibraryGroup, LibraryTask } from './sink';
import { around, isFn, isObject, replace, type Fn } from './wrap';

const { apply } = Reflect;
const BEGINS: ReadonlySet<PropertyKey> = new Set(['onConnect', 'onRequestStart']);
const ENDS: ReadonlySet<PropertyKey> = new Set(['onComplete', 'onResponseEnd']);
const FAILS: ReadonlySet<PropertyKey> = new Set(['onError', 'onResponseError']);

/** What the library keeps under a symbol of its own. */
function kept(holder: object, name: string): unknown {
  const key = Object.getOwnPropertySymbols(holder).find(({ description }) => description === name);
  return key && Object.getOwnPropertyDescriptor(holder, key)?.value;
}

function limitOf(pool: object): number | undefined {
  const connections = kept(pool, 'connections');
  const options = kept(pool, 'options');
  const pipelining = isObject(options) && typeof options.pipelining === 'number' ? options.pipelining : 1;
  return typeof connections === 'number' ? connections * Math.max(1, pipelining) : undefined;
}

/** The request's handler, which says what becomes of its task. */
function watched(handler: object, task: LibraryTask): object {
  const { sink } = task.group;
  const said = new Map<PropertyKey, Fn>();
  return new Proxy(handler, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (!isFn(value)) return value;
      let method = said.get(key);
      if (!method) {
        said.set(key, (method = around(value, (fn, _self, args) => {
          sink.quietly(() => {
            if (BEGINS.has(key)) task.post(0);
            else if (ENDS.has(key)) task.end(false);
            else if (FAILS.has(key)) task.end(true);
          });
          return apply(fn, target, args);
        })));
      }
      return method;
    },
  });
}

/** The class that pools and clients are of. */
export const adaptUndici: AdaptValue = (sink, DispatcherBase) => {
  const groups = new WeakMap<object, LibraryGroup>();
  replace(DispatcherBase.prototype, 'dispatch', (dispatch) => around(dispatch, (target, self, args) => {
    const [options, handler] = args;
    const task = sink.quietly(() => {
      if (!isObject(self) || !isObject(handler) || !isFn(self.constructor) || self.constructor.name !== 'Pool') return undefined;
      let group = groups.get(self);
      if (!group) {
        const limit = limitOf(self);
        // With as many connections as it likes nothing waits, and its requests are whatever asks for them.
        if (limit === undefined) return undefined;
        groups.set(self, (group = sink.group('undici', limit, 'pool')));
      }
      const task = group.task(true);
      // `request` makes its promise right before it asks for this.
      task.submittedAsLatest();
      return task;
    });
    return apply(target, self, task && isObject(handler) ? [options, watched(handler, task)] : args);
  }));
  return DispatcherBase;
};
