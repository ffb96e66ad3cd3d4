/** bluebird's own promises, told of as V8's are: what makes them, what `then` makes of them, whose code runs behind them and how they settle. */
import type { LibraryPromises } from '../promises/library-promises';
import type { AdapterSink } from './sink';
import { around, isFn, isObject, isPlainPromise, replace, type Fn } from './wrap';

const { apply } = Reflect;
const { getPrototypeOf, hasOwn, keys } = Object;

/** Functions of the class that give a promise, combinators aside; and those that call a function of the program's meanwhile. */
const MAKERS = ['delay', 'map', 'filter', 'each', 'mapSeries', 'reduce', 'using', 'bind'];
const CALLERS = ['try', 'attempt', 'fromNode', 'fromCallback'];
/** And what those do that are the language's as well. */
const SETTLED: Readonly<Record<string, string>> = { resolve: 'resolve', fulfilled: 'resolve', cast: 'resolve', reject: 'reject', rejected: 'reject' };
/** Functions of its promises that give one by other means than `then`. */
const METHODS = ['map', 'filter', 'each', 'mapSeries', 'reduce', 'all', 'props', 'race', 'any', 'some'];

/** A promise that was cancelled has no reason of its own. */
const CANCELLED = { name: 'CancellationError' };

/** What is told of a promise as it is made. */
export type Tell = (promise: object) => void;

export class BluebirdPromises {
  /** Whether the library's own code runs: what that makes is its own business, but for what is expected. */
  private isInside = false;
  /** What to tell of the next promise that is made. */
  private expected: Tell | undefined;
  /** What the library hands its constructor in place of a function of the program's. */
  private nothing: unknown;
  /** By a promise, those that were resolved with it and settle as it does. */
  private readonly followers = new WeakMap<object, object[]>();
  /** The promise behind which a coroutine goes on, by the library's object for it; undefined for other objects. */
  waitingOf: (receiver: object) => object | undefined = () => undefined;

  constructor(private readonly sink: AdapterSink, private readonly promises: LibraryPromises, private readonly Bluebird: Fn) {}

  /** @returns false where the library is not as it is known: then nothing was changed */
  adapt(): boolean {
    const { Bluebird, promises, sink } = this;
    const { prototype, _async: queue, resolve } = Bluebird as Fn & { prototype: Record<string, unknown>; _async?: unknown; resolve?: unknown };
    const { _settlePromise, _isFateSealed: isSealed, _target: targetOf } = prototype;
    if (!isFn(_settlePromise) || !isFn(isSealed) || !isFn(targetOf) || !isFn(resolve) || !isObject(queue)) return false;
    if (!replace(prototype, '_resolveFromExecutor', (fn) => around(fn, (target, self, args) => this.make(target, self as object, args)))) return false;
    apply(resolve, Bluebird, []);
    const method = (name: string, call: (target: Fn, self: object, args: unknown[]) => unknown): void => {
      replace(prototype, name, (fn) => around(fn, (target, self, args) => call(target, self as object, args)));
    };
    method('_then', (target, self, args) => {
      const parent = this.numberOf(self);
      return this.inside(() => apply(target, self, args), args[4] === undefined ? (promise) => { promises.derived(promise, parent); } : undefined);
    });
    // It begins with a link of its own, which waits for all of a list.
    method('spread', (target, self, args) => {
      const parent = this.numberOf(self);
      return this.inside(() => apply(target, self, args), (promise) => { promises.derived(promise, parent); });
    });
    method('_settlePromise', (target, self, args) => this.settle(() => apply(target, self, args), args));
    method('_resolveCallback', (target, self, args) => this.resolve(() => apply(target, self, args), self, args[0]));
    method('_setFollowee', (target, self, args) => {
      sink.quietly(() => { this.follow(self, args[0] as object, apply(targetOf, args[0], []) as object); });
      return apply(target, self, args);
    });
    method('_setFulfilled', (target, self, args) => {
      this.settled(self, (promise) => { promises.settled(promise); });
      return apply(target, self, args);
    });
    method('_reject', (target, self, args) => {
      if (apply(isSealed, self, []) !== true) this.settled(self, (promise) => { promises.rejected(promise, args[0]); });
      return apply(target, self, args);
    });
    method('_setCancelled', (target, self, args) => {
      this.settled(self, (promise) => { promises.rejected(promise, CANCELLED); });
      return apply(target, self, args);
    });
    replace(getPrototypeOf(queue), 'invoke', (fn) => around(fn, (target, self, [run, receiver, value]) => apply(target, self, [this.queued(run, receiver), receiver, value])));
    for (const name of MAKERS) replace(Bluebird, name, (fn) => this.giving(fn));
    for (const name of keys(SETTLED)) replace(Bluebird, name, (fn) => this.giving(fn, undefined, SETTLED[name]));
    for (const name of CALLERS) replace(Bluebird, name, (fn) => this.giving(fn, this.calls));
    for (const name of METHODS) replace(prototype, name, (fn) => this.giving(fn));
    replace(Bluebird, 'method', (fn) => around(fn, (target, self, args) => {
      const made = apply(target, self, args);
      return isFn(made) ? this.giving(made, this.calls) : made;
    }));
    return true;
  }

  /** Whether a value is a promise of the library's. */
  is(value: unknown): value is object { return value instanceof this.Bluebird; }

  /** The number of a promise, the library's or V8's; 0 for another value. */
  numberOf(value: unknown): number {
    if (this.is(value)) {
      if (!this.promises.has(value)) this.meet(value);
      return this.promises.idOf(value);
    }
    if (isPlainPromise(value)) return this.sink.idOf(value);
    // Another copy's.
    return isObject(value) ? this.promises.idOf(value) : 0;
  }

  /** Code of the library's runs. @param expected what to tell of the first promise that it makes */
  inside<T>(run: () => T, expected?: Tell): T {
    const { isInside, expected: before } = this;
    const { isUnseen } = this.promises;
    this.isInside = true;
    this.expected = expected;
    try { return run(); } finally {
      this.isInside = isInside;
      this.expected = before;
      this.promises.isUnseen = isUnseen;
    }
  }

  /** Code of the program's runs. */
  outside<T>(run: () => T): T {
    const { isInside } = this;
    this.isInside = false;
    try { return run(); } finally { this.isInside = isInside; }
  }

  /** Whether it is the library that calls one of its functions. */
  get isCalledByItself(): boolean { return this.isInside; }

  /** A function of the library's that gives a promise. @param expected what to tell of the first promise that it makes @param builtin what stands for it */
  private giving(fn: Fn, expected?: Tell, builtin?: string): Fn {
    return around(fn, (target, self, args) => {
      if (this.isInside) return apply(target, self, args);
      const result = this.inside(() => apply(target, self, args), expected);
      if (this.is(result) && !this.promises.has(result)) this.meet(result, builtin);
      return result;
    });
  }

  /** The first promise that is made is what the program gets, and the program's function is called next. */
  private readonly calls: Tell = (promise) => {
    this.promises.made(promise);
    this.isInside = false;
  };

  /** A promise that was not told of as it was made comes to light. */
  private meet(promise: object, builtin?: string): void {
    this.promises.made(promise, builtin);
    this.sink.quietly(() => {
      const { isRejected, isFulfilled, _settledValue: valueOf } = this.Bluebird.prototype as Record<string, Fn>;
      if (apply(isFulfilled, promise, []) === true) this.promises.settled(promise);
      else if (apply(isRejected, promise, []) === true) this.promises.rejected(promise, apply(valueOf, promise, []));
    });
  }

  private make(target: Fn, promise: object, args: unknown[]): unknown {
    this.nothing ??= args[0];
    if (args[0] !== this.nothing) {
      this.promises.made(promise);
      return this.outside(() => apply(target, promise, args));
    }
    const { expected } = this;
    this.expected = undefined;
    if (expected) expected(promise);
    else if (!this.isInside) this.promises.made(promise);
    return apply(target, promise, args);
  }

  /** What was behind a promise runs: a handler of the program's, a coroutine, or the library's own code. */
  private settle(run: () => unknown, [promise, handler, receiver]: readonly unknown[]): unknown {
    if (isFn(handler) && this.is(promise)) return this.promises.react(promise, () => this.outside(run));
    return this.goOn(run, receiver);
  }

  /** Code of the library's goes on. @param receiver the object that it is a method of */
  private goOn(run: () => unknown, receiver: unknown): unknown {
    const waiting = isObject(receiver) ? this.sink.quietly(() => this.waitingOf(receiver)) : undefined;
    return waiting ? this.promises.react(waiting, () => this.inside(run)) : this.inside(run);
  }

  /** What the library puts off in its own queue. Of its promises, `_settlePromise` tells. */
  private queued(run: unknown, receiver: unknown): unknown {
    if (!isFn(run) || this.is(receiver)) return run;
    return around(run, (target, self, args) => this.goOn(() => apply(target, self, args), receiver));
  }

  private resolve(run: () => unknown, promise: object, value: unknown): unknown {
    return this.inside(() => {
      if (isPlainPromise(value) && !hasOwn(value, 'then')) {
        this.promises.adopted(promise, this.sink.idOf(value));
        this.promises.isUnseen = true;
      }
      return run();
    });
  }

  /** @param target the promise that the followed one itself follows, at the end of all */
  private follow(promise: object, followed: object, target: object): void {
    const { followers } = this;
    const own = followers.get(promise) ?? [];
    followers.delete(promise);
    followers.set(target, [...followers.get(target) ?? [], promise, ...own]);
    if (this.promises.has(promise)) this.promises.adopted(promise, this.numberOf(followed));
  }

  private settled(promise: object, tell: Tell): void {
    tell(promise);
    const followers = this.followers.get(promise);
    if (followers === undefined) return;
    this.followers.delete(promise);
    for (const follower of followers) tell(follower);
  }
}
