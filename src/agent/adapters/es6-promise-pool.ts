/** es6-promise-pool: promises that a producer hands out, each counted from the moment on in which it does. */
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { around, isObject, replace } from './wrap';

const { apply } = Reflect;

export const adaptEs6PromisePool: AdaptValue = (sink, PromisePool) => {
  const groups = new WeakMap<object, LibraryGroup>();
  replace(PromisePool.prototype, 'start', (start) => around(start, (target, self, args) => {
    sink.quietly(() => { if (isObject(self)) groups.set(self, sink.group('es6-promise-pool', self._concurrency, 'pool').declare()); });
    return apply(target, self, args);
  }));
  replace(PromisePool.prototype, '_trackPromise', (track) => around(track, (target, self, args) => {
    sink.quietly(() => {
      const group = isObject(self) ? groups.get(self) : undefined;
      if (group && isObject(args[0])) group.task(false).endsWith(args[0]);
    });
    return apply(target, self, args);
  }));
  return PromisePool;
};
