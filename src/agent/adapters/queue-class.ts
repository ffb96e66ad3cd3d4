/** Queues that are objects with a limit, and are given functions: `new PQueue({ concurrency: 3 }).add(fn)`. */
import { groupPerObject } from './group-per-object';
import type { AdaptValue } from './libraries';
import { around, replace, submit } from './wrap';

const { apply } = Reflect;

/**
 * @param methods that take the function first; others come down to one of them
 * @param usesItself the library has queues of its own under functions that are adapted
 */
export const adaptQueueClass = (library: string, methods: readonly string[], usesItself = false): AdaptValue => (sink, Queue) => {
  const groupOf = groupPerObject((queue) => {
    const limit = queue.concurrency ?? queue._concurrency;
    return limit === undefined ? undefined : sink.group(library, limit, 'pool');
  });
  for (const name of methods) {
    replace(Queue.prototype, name, (method) => around(method, (target, self, args) => {
      const group = sink.quietly(() => (usesItself && sink.isCalledBy(library) ? undefined : groupOf(self)));
      const [fn, ...rest] = args;
      return group ? submit(group, fn, (task) => apply(target, self, [task, ...rest])) : apply(target, self, args);
    }));
  }
  return Queue;
};
