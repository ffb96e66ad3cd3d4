/** bluebird's `all`, `allSettled`, `props` and `join`: their elements are tasks. What V8 knows of native ones is not known of these. */
import type { AdapterSink, LibraryGroup, LibraryTask } from './sink';
import { around, isFn, isObject, isPlainPromise, replace, type Fn } from './wrap';

const { apply } = Reflect;
const { getOwnPropertyDescriptor, keys } = Object;
const { isArray } = Array;

/** Tells of the end of a promise of the library's. @returns false where that cannot be done */
export type Follow = (promise: object, task: LibraryTask | undefined) => boolean;

/** What the program gives a combinator, as a list. Getters and iterators are the library's to ask. */
type Given = (args: readonly unknown[]) => readonly unknown[];
const listed: Given = ([list]) => (isArray(list) ? list : []);
const named: Given = ([holder]) => (isObject(holder) && !isFn(holder.then) ? keys(holder).map((key): unknown => getOwnPropertyDescriptor(holder, key)?.value) : []);
const COMBINATORS: Readonly<Record<string, Given>> = { all: listed, allSettled: listed, props: named, join: (args) => args };

/** Calls by one running function, of which the next comes when the one before is through: its rounds. */
interface Rounds { readonly group: LibraryGroup; latest: object }
/** Running functions remembered. */
const MAX_ROUNDS = 256;

/** Functions in between that only hand on: there are none. */
const NONE = /^$/;

export class BluebirdCombinators {
  /** Milliseconds of the thread's clock when a promise was made. */
  private readonly made = new WeakMap<object, number>();
  /** By the place that calls, and by the running function. */
  private readonly rounds = new Map<string, Rounds>();

  constructor(private readonly sink: AdapterSink, private readonly Bluebird: Fn, private readonly follow: Follow) {}

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

  private tell(given: readonly unknown[], result: object): void {
    const works = given.filter((one): one is object => isPlainPromise(one) || (this.isPending(one) && this.follow(one as object, undefined)));
    const place = works.length < 2 ? undefined : this.sink.callingPlace(NONE);
    // The library calls them itself.
    if (!place) return;
    const group = this.groupFor(`${place.id}|${this.sink.running}`, result);
    for (const work of works) {
      const task = group.since(this.made.get(work));
      if (!isPlainPromise(work)) this.follow(work, task);
      else if (!task.endsWith(work)) task.end(false);
    }
  }

  private groupFor(key: string, result: object): LibraryGroup {
    const known = key.endsWith('|0') ? undefined : this.rounds.get(key);
    if (known && !this.isPending(known.latest)) {
      known.latest = result;
      return known.group;
    }
    const group = this.sink.group('bluebird', undefined, 'loose').declare();
    this.rounds.delete(key);
    this.rounds.set(key, { group, latest: result });
    for (const oldest of this.rounds.keys()) if (this.rounds.size > MAX_ROUNDS) this.rounds.delete(oldest);
    return group;
  }

  private isPending(value: unknown): boolean {
    if (!(value instanceof this.Bluebird)) return false;
    const { isPending } = value as { isPending?: unknown };
    return isFn(isPending) && apply(isPending, value, []) === true;
  }
}
