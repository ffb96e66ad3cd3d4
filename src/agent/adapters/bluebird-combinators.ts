/** bluebird's `all`, `allSettled`, `props` and `join`: their elements are tasks. What V8 knows of native ones is not known of these. */
import { isProxy } from '../node-util';
import type { AdapterSink, LibraryGroup, LibraryTask } from './sink';
import { around, isFn, isObject, isPlainPromise, replace, type Fn } from './wrap';

const { apply } = Reflect;
const { getOwnPropertyDescriptor, keys } = Object;
const { isArray } = Array;

/** How the ends of the library's promises are told of. */
export interface Follower {
  follow(promise: object, task: LibraryTask): void;
}

/** What the program gives a combinator, of which some may be promises. Getters, iterators and proxies are the library's to ask. */
type Given = (args: readonly unknown[]) => unknown;
const first: Given = ([given]) => given;
const listed: Given = ([given]) => (isArray(given) ? given : undefined);
const COMBINATORS: Readonly<Record<string, Given>> = { all: listed, allSettled: listed, props: first, join: (args) => args };

/** Calls by one running function, of which the next comes when the one before is through: its rounds. */
interface Rounds { readonly group: LibraryGroup; latest: WeakRef<object> }
/** Running functions remembered. */
const MAX_ROUNDS = 256;

/** Functions in between that only hand on: there are none. */
const NONE = /^$/;

export class BluebirdCombinators {
  /** Milliseconds of the thread's clock when a promise was made. */
  private readonly made = new WeakMap<object, number>();
  /** By the place that calls, and by the running function. */
  private readonly rounds = new Map<string, Rounds>();

  private readonly pendingOf: unknown;

  constructor(private readonly sink: AdapterSink, private readonly Bluebird: Fn, private readonly follower: Follower) {
    this.pendingOf = (Bluebird.prototype as { isPending?: unknown }).isPending;
  }

  adapt(): void {
    const { Bluebird, made, sink } = this;
    replace(Bluebird.prototype, '_promiseCreated', (created) => around(created, (target, self, args) => {
      sink.quietly(() => { if (isObject(self)) made.set(self, sink.time); });
      return apply(target, self, args);
    }));
    for (const [name, given] of Object.entries(COMBINATORS)) {
      replace(Bluebird, name, (combinator) => around(combinator, (target, self, args) => {
        const result: unknown = apply(target, self, args);
        sink.quietly(() => { if (isObject(result)) this.tell(given(args), result); });
        return result;
      }));
    }
  }

  private tell(given: unknown, result: object): void {
    const works = this.worksIn(given);
    const place = works.length < 2 ? undefined : this.sink.callingPlace(NONE);
    // The library calls them itself.
    if (!place) return;
    const group = this.groupFor(`${place.id}|${this.sink.running}`, result);
    for (const work of works) {
      const task = group.since(this.made.get(work));
      if (!isPlainPromise(work)) this.follower.follow(work, task);
      else if (!task.endsWith(work)) task.end(false);
    }
  }

  /** @param given a list or an object @returns the promises in it that may be work */
  private worksIn(given: unknown): object[] {
    const works: object[] = [];
    if (!isObject(given) || isProxy(given) || isPlainPromise(given) || given instanceof this.Bluebird) return works;
    for (const key of keys(given)) {
      const work: unknown = getOwnPropertyDescriptor(given, key)?.value;
      if (isPlainPromise(work) || this.isPending(work)) works.push(work);
    }
    return works;
  }

  private groupFor(key: string, result: object): LibraryGroup {
    const known = key.endsWith('|0') ? undefined : this.rounds.get(key);
    if (known && !this.isPending(known.latest.deref())) {
      known.latest = new WeakRef(result);
      return known.group;
    }
    const group = this.sink.group('bluebird', undefined, 'loose').declare();
    this.rounds.delete(key);
    this.rounds.set(key, { group, latest: new WeakRef(result) });
    if (this.rounds.size > MAX_ROUNDS) for (const oldest of this.rounds.keys()) { this.rounds.delete(oldest); break; }
    return group;
  }

  private isPending(value: unknown): value is object {
    return value instanceof this.Bluebird && isFn(this.pendingOf) && apply(this.pendingOf, value, []) === true;
  }
}
