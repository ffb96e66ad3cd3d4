/** Semaphores and mutexes: a task is what runs between `acquire` and `release`, or inside of `runExclusive`. A semaphore is one pool. */
import type { AdaptValue } from './libraries';
import type { AdapterSink, LibraryGroup, LibraryTask } from './sink';
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
  /** True once some gave up waiting: what they get all the same the library itself gives back at once. */
  mayGiveUp = false;
  /** Functions that were entered while the library holds it for them: that gives it back itself. */
  private exclusive = 0;
  private readonly tasks: { readonly owner: number; readonly task: LibraryTask }[] = [];

  constructor(readonly group: LibraryGroup) {}

  add(task: LibraryTask, owner: number): void { this.tasks.push({ owner, task }); }
  addExclusive(): void { this.exclusive++; }

  /** By whoever runs; where that is nobody who holds it, by the library for a function, or the one who has held it longest. */
  release(owner: number): void {
    const own = owner === 0 ? -1 : this.tasks.findIndex((one) => one.owner === owner);
    if (own < 0 && owner !== 0 && this.mayGiveUp) return;
    if (own < 0 && this.exclusive > 0) { this.exclusive--; return; }
    const [released] = this.tasks.splice(Math.max(own, 0), 1);
    released?.task.end(false);
  }
}

/** Those who hold a semaphore, or a mutex that keeps one; undefined where the library itself asks. */
function holdersOf(sink: AdapterSink, library: string, semaphore: unknown, { limit, inner }: SemaphoreShape): Holders | undefined {
  if (!isObject(semaphore) || sink.isCalledBy(library)) return undefined;
  const kept = inner === undefined ? undefined : semaphore[inner];
  const key = isObject(kept) ? kept : semaphore;
  let known = held.get(key);
  if (!known) held.set(key, (known = new Holders(sink.group(library, limit(semaphore), 'pool'))));
  return known;
}

/** Who asks for a slot of a semaphore, or does something while it holds one, is a task. @param of those who hold the semaphore that a call is about */
function adaptAsking(sink: AdapterSink, methods: unknown, of: (self: unknown) => Holders | undefined): void {
  replace(methods, 'acquire', (acquire) => around(acquire, (target, self, args) => {
    const holders = sink.quietly(() => of(self));
    const owner = sink.running;
    const task = holders && sink.quietly(() => holders.group.section());
    const result = apply(target, self, args) as unknown;
    if (task) sink.quietly(() => { if (isObject(result) && task.waitsFor(result)) holders.add(task, owner); });
    return result;
  }));
  replace(methods, 'tryAcquire', (tryAcquire) => around(tryAcquire, (target, self, args) => {
    const holders = sink.quietly(() => of(self));
    const owner = sink.running;
    const token = apply(target, self, args) as unknown;
    if (holders && token !== undefined) sink.quietly(() => {
      const task = holders.group.section();
      task.enter(undefined);
      task.leave();
      holders.add(task, owner);
    });
    return token;
  }));
  replace(methods, 'runExclusive', (run) => around(run, (target, self, args) => {
    const [fn, ...rest] = args;
    const holders = sink.quietly(() => of(self));
    return holders ? submit(holders.group, fn, (task) => apply(target, self, [task, ...rest]), { entered: () => { holders.addExclusive(); } }) : apply(target, self, args);
  }));
}

/** `withTimeout(semaphore, 100)`: an object of its own that asks the semaphore for a slot, and gives up where that takes too long. */
export const adaptTimedSemaphore = (library: string, shapeOf: (semaphore: object) => SemaphoreShape): AdaptValue => (sink, withTimeout) =>
  around(withTimeout, (target, self, args) => {
    const timed = apply(target, self, args);
    const [semaphore] = args;
    if (isObject(semaphore)) sink.quietly(() => {
      adaptAsking(sink, timed, () => {
        const holders = holdersOf(sink, library, semaphore, shapeOf(semaphore));
        if (holders) holders.mayGiveUp = true;
        return holders;
      });
    });
    return timed;
  });

export const adaptSemaphore = (library: string, shape: SemaphoreShape): AdaptValue => (sink, Semaphore) => {
  const { inner } = shape;
  adaptAsking(sink, Semaphore.prototype, (self) => holdersOf(sink, library, self, shape));
  if (inner === undefined) replace(Semaphore.prototype, 'release', (release) => around(release, (target, self, args) => {
    sink.quietly(() => { if (isObject(self)) held.get(self)?.release(sink.running); });
    return apply(target, self, args);
  }));
  return Semaphore;
};
