/** @supercharge/promise-pool: a task is what its executor makes of an item, up to a timeout. An executor is one pool. */
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { around, isFn, isObject, replace, taskFunction, type Fn } from './wrap';

const { apply } = Reflect;

export const adaptSupercharge: AdaptValue = (sink, Executor) => {
  const groups = new WeakMap<object, LibraryGroup>();
  const makers = new WeakMap<object, Fn>();
  replace(Executor.prototype, 'start', (start) => around(start, (target, self, args) => {
    sink.quietly(() => {
      if (isObject(self)) groups.set(self, sink.group('@supercharge/promise-pool', isObject(self.meta) ? self.meta.concurrency : undefined, 'pool').declare());
    });
    return apply(target, self, args);
  }));
  /** The executor's own maker of tasks, as the function of a task. */
  const makerOf = (executor: unknown, target: Fn): Fn | undefined => {
    if (!isObject(executor)) return undefined;
    const group = groups.get(executor);
    const { handler } = executor;
    if (!group || !isFn(handler)) return undefined;
    let maker = makers.get(executor);
    if (!maker) {
      maker = taskFunction(group, around(target, (make, self, args) => {
        sink.inner(handler);
        return apply(make, self, args);
      })) as Fn;
      makers.set(executor, maker);
    }
    return maker;
  };
  replace(Executor.prototype, 'createTaskFor', (createTaskFor) => around(createTaskFor, (target, self, args) =>
    apply(sink.quietly(() => makerOf(self, target)) ?? target, self, args)));
  return Executor;
};
