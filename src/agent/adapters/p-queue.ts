/** p-queue: `queue.add(fn)`, and all that comes down to it. */
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { around, replace, submit } from './wrap';

const { apply } = Reflect;

export const adaptPQueue: AdaptValue = (sink, PQueue) => {
  const groups = new WeakMap<object, LibraryGroup>();
  replace(PQueue.prototype, 'add', (add) => around(add, (target, self, args) => {
    const group = sink.quietly(() => {
      if (typeof self !== 'object' || self === null || !('concurrency' in self)) return undefined;
      let known = groups.get(self);
      if (!known) groups.set(self, (known = sink.group('p-queue', self.concurrency, 'pool')));
      return known;
    });
    const [fn, ...rest] = args;
    return group ? submit(group, fn, (task) => apply(target, self, [task, ...rest])) : apply(target, self, args);
  }));
  return PQueue;
};
