/** Semaphores and mutexes: a task is what runs between `acquire` and `release`, or inside of `runExclusive`. A semaphore is one pool. */
import type { AdaptValue } from './libraries';
import type { LibraryGroup, LibraryTask } from './sink';
import { around, isObject, replace, submit } from './wrap';

const { apply } = Reflect;

export interface SemaphoreShape {
  /** How many may hold it. */
  readonly limit: (semaphore: Record<PropertyKey, unknown>) => unknown;
  /** A mutex that keeps a semaphore of the library's under this name: that one is released. */
  readonly inner?: string;
}

/** Who holds which semaphore, by the object that is released. */
const held = new WeakMap<object, Holders>();

class Holders {
  private readonly tasks: { readonly owner: number; readonly task: LibraryTask }[] = [];

  constructor(readonly group: LibraryGroup) {}

  add(task: LibraryTask, owner: number): void { this.tasks.push({ owner, task }); }

  /** By whoever runs; where that is nobody who holds it, the one who has held it longest. */
  release(owner: number): void {
    const own = owner === 0 ? -1 : this.tasks.findIndex((one) => one.owner === owner);
    const [released] = this.tasks.splice(Math.max(own, 0), 1);
    released?.task.end(false);
  }
}

export const adaptSemaphore = (library: string, { limit, inner }: SemaphoreShape): AdaptValue => (sink, Semaphore) => {
  const holdersOf = (semaphore: unknown): Holders | undefined => {
    if (!isObject(semaphore) || sink.isCalledBy(library)) return undefined;
    const kept = inner === undefined ? undefined : semaphore[inner];
    const key = isObject(kept) ? kept : semaphore;
    let known = held.get(key);
    if (!known) held.set(key, (known = new Holders(sink.group(library, limit(semaphore), 'pool'))));
    return known;
  };
  replace(Semaphore.prototype, 'acquire', (acquire) => around(acquire, (target, self, args) => {
    const holders = sink.quietly(() => holdersOf(self));
    const owner = sink.running;
    const task = holders && sink.quietly(() => holders.group.section());
    const result = apply(target, self, args) as unknown;
    if (task) sink.quietly(() => { if (isObject(result) && task.waitsFor(result)) holders.add(task, owner); });
    return result;
  }));
  replace(Semaphore.prototype, 'runExclusive', (run) => around(run, (target, self, args) => {
    const [fn, ...rest] = args;
    const holders = sink.quietly(() => holdersOf(self));
    return holders ? submit(holders.group, fn, (task) => apply(target, self, [task, ...rest])) : apply(target, self, args);
  }));
  if (inner === undefined) replace(Semaphore.prototype, 'release', (release) => around(release, (target, self, args) => {
    sink.quietly(() => { if (isObject(self)) held.get(self)?.release(sink.running); });
    return apply(target, self, args);
  }));
  return Semaphore;
};
