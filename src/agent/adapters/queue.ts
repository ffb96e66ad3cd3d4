/** Queues with one worker function for all their items: `queue(worker, 3).push(item)`. The queue is the pool. */
import { lastFunction, replacedAt } from '../intrinsics';
import type { AdapterSink, LibraryGroup, LibraryTask } from './sink';
import { around, isFn, isObject, isPlainPromise, replace, taskFunction, withArguments, type Ends, type Fn } from './wrap';

const { apply } = Reflect;

/** @param methods by which items come in; a list counts as its items where `lists` says so */
export const adaptQueue = (sink: AdapterSink, library: string, methods: readonly string[], ends: Ends, lists = false) => (make: Fn): Fn => around(make, (target, self, args) => {
  const at = args.findIndex(isFn);
  const group = at < 0 ? undefined : sink.quietly(() => sink.group(library, args[at + 1] ?? 1, 'pool'));
  if (!group) return apply(target, self, args);
  const waiting = new Waiting(group);
  const queue: unknown = apply(target, self, replacedAt(args, at, taskFunction(group, args[at], { ends, taskOf: ([item]) => waiting.take(item) })));
  sink.quietly(() => {
    for (const method of methods) {
      replace(queue, method, (add) => around(add, (push, on, given) => {
        const tasks = sink.quietly(() => (lists && Array.isArray(given[0]) ? given[0] as unknown[] : [given[0]]).map((item) => waiting.add(item)));
        const result = apply(push, on, tasks?.length === 1 ? sink.quietly(() => answeringTo(tasks[0], given)) ?? given : given) as unknown;
        sink.quietly(() => { if (tasks?.length === 1 && isPlainPromise(result)) tasks[0].submittedAs(result); });
        return result;
      }));
    }
  });
  return queue;
});

/** @param given what an item was pushed with, which may end with a callback @returns the same, with a callback that tells of a promise that is settled in it */
function answeringTo(task: LibraryTask, given: readonly unknown[]): readonly unknown[] {
  const at = lastFunction(given);
  if (at < 1) return given;
  return replacedAt(given, at, around(given[at] as Fn, (target, self, args) => task.answer(() => apply(target, self, args) as unknown)));
}

/** Queues with one worker function for batches of their items. @param limitOf how many batches at once, by the arguments it is made with */
export const adaptBatches = (sink: AdapterSink, library: string, limitOf: (args: readonly unknown[]) => unknown, ends: Ends) => (make: Fn): Fn => withArguments(sink, make, (args) => {
  const at = args.findIndex(isFn);
  const limit = limitOf(args);
  return at < 0 ? undefined : replacedAt(args, at, taskFunction(sink.group(library, limit, limit === 1 ? 'batches' : 'pool').declare(), args[at], { ends }));
});

interface ByItem {
  get(item: unknown): LibraryTask[] | undefined;
  set(item: unknown, tasks: LibraryTask[]): unknown;
  delete(item: unknown): boolean;
}

/** Tasks that wait, by their item; equal items go in the order in which they came. */
class Waiting {
  private readonly byItem = new Map<unknown, LibraryTask[]>();
  /** What a queue drops without a word is not to be kept for being watched. */
  private readonly byObject = new WeakMap<object, LibraryTask[]>();

  constructor(private readonly group: LibraryGroup) {}

  add(item: unknown): LibraryTask {
    const task = this.group.task(true);
    const same = this.mapFor(item).get(item);
    if (same) same.push(task); else this.mapFor(item).set(item, [task]);
    return task;
  }

  take(item: unknown): LibraryTask | undefined {
    const same = this.mapFor(item).get(item);
    const task = same?.shift();
    if (same?.length === 0) this.mapFor(item).delete(item);
    return task;
  }

  private mapFor(item: unknown): ByItem { return isObject(item) ? this.byObject : this.byItem; }
}
