/** Queues that are objects with a limit, and are given functions: `new PQueue({ concurrency: 3 }).add(fn)`. */
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { around, replace, submit } from './wrap';

const { apply } = Reflect;

/**
 * @param methods that take the function first; others come down to one of them
 * @param usesItself the library has queues of its own under functions that are adapted
 */
export const adaptQueueClass = (library: string, methods: readonly string[], usesItself = false): AdaptValue => (sink, Queue) => {
  const groups = new WeakMap<object, LibraryGroup>();
  const groupOf = (queue: unknown): LibraryGroup | undefined => {
    if (typeof queue !== 'object' || queue === null || !('concurrency' in queue)) return undefined;
    if (usesItself && sink.isCalledBy(library)) return undefined;
    let known = groups.get(queue);
    if (!known) groups.set(queue, (known = sink.group(library, queue.concurrency, 'pool')));
    return known;
  };
  for (const name of methods) {
    replace(Queue.prototype, name, (method) => around(method, (target, self, args) => {
      const group = sink.quietly(() => groupOf(self));
      const [fn, ...rest] = args;
      return group ? submit(group, fn, (task) => apply(target, self, [task, ...rest])) : apply(target, self, args);
    }));
  }
  return Queue;
};
