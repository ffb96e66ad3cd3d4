/** Which pools there are of tasks that were handed over for their result: by where that is done, or by that and by the running function that called those who do. */
import type { CombinatorCall } from '../combinators/combinator-call';
import type { GroupDraft } from '../drafts';
import { TOGETHER_MS } from '../moments';
import type { Place, Stack } from '../promises/places';
import { callsAt, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import type { HandedIn } from './handed-in';
import { OwnOfEach } from './own-turns';
import { ResultPool } from './result-pool';

/** Tasks that were over last, for each who had them begun. */
const MAX_OVER = 8;

export interface ResultTasks {
  /** A promise is a part of a task of theirs: no other group is made of it. */
  claimedPart(promise: PromiseNode): void;
  /** An element of a combinator began with this. */
  handsOver(work: PromiseNode): void;
  /** This is a task of theirs, or the begin of one. */
  taken(promise: PromiseNode, pool: ResultPool): void;
  /** What was asked for is other pools' than was told before. */
  regrouped(asked: readonly PromiseNode[]): void;
}

/** Tasks that were handed over for their result at one place. */
interface Results {
  readonly pool: ResultPool;
  /** The running function around all of them. */
  home: PromiseNode | undefined;
  readonly calls: WeakSet<CombinatorCall>;
  /** When the latest of them was over, in milliseconds. */
  latestEnd: number;
  /** Where each running function that called some who ask has a limiter of its own: the results of each. */
  apart: OwnOfEach<Results> | undefined;
}

export class ResultPools {
  private readonly results = new Map<Place, Results>();
  /** By who had them begun, or in whose wake they were: the latest tasks that were over, and where they had been handed over. */
  private readonly over = new WeakMap<PromiseNode, { readonly place: Place; readonly end: number }[]>();
  private readonly changed = new Set<GroupDraft>();
  /** Groups whose tasks turned out to be other pools'. */
  private readonly withdrawn: GroupDraft[] = [];

  constructor(private readonly thread: number, private readonly tasks: ResultTasks) {}

  /** A task is over. @param frame where it was handed over @param home the running function around all that were beside it */
  add(one: HandedIn, frame: Stack, home: PromiseNode | undefined): void {
    const known = this.resultsAt(one, frame, home);
    if (!known.apart && known.pool.passesOn(one)) this.part(known, frame);
    this.draw(one, known.apart ? this.ownOf(one, known, known.apart, frame) : this.withBefore(one, known, frame.place), frame.place);
  }

  update(): { changed: readonly GroupDraft[]; withdrawn: readonly GroupDraft[] } {
    const changed = [...this.changed];
    this.changed.clear();
    return { changed, withdrawn: this.withdrawn.splice(0) };
  }

  private resultsAt({ promise }: HandedIn, frame: Stack, home: PromiseNode | undefined): Results {
    const known = this.results.get(frame.place);
    // Another run of what was around all tasks so far, and waited for them, may have made a limiter of its own once that was over.
    const isOver = known?.home !== undefined && known.home !== home && known.pool.draft.taskCount > 1 && known.home.ended <= promise.made && known.home.ended >= known.latestEnd;
    if (known && !isOver) {
      if (known.home !== home) known.home = undefined;
      return known;
    }
    const opened = this.open(frame, home);
    this.results.set(frame.place, opened);
    return opened;
  }

  private open(frame: Stack, home: PromiseNode | undefined): Results {
    return { pool: new ResultPool(this.thread, frame), home, calls: new WeakSet(), latestEnd: -Infinity, apart: undefined };
  }

  private draw(one: HandedIn, results: Results, place: Place): void {
    const { promise } = one;
    const { pool, calls } = results;
    pool.draft.home = { node: results.home };
    pool.add(one);
    results.latestEnd = Math.max(results.latestEnd, promise.ended);
    this.tasks.taken(promise, pool);
    this.tasks.claimedPart(promise);
    this.changed.add(pool.draft);
    const { owner } = promise;
    const call = owner?.awaitingCall;
    if (!owner || !call) return;
    // Those that have asked by now are known by the first of them; each that comes later, by itself.
    for (const element of calls.has(call) ? [owner] : call.elements.map(sourceOf)) {
      const [first] = callsAt(element, place);
      if (first) { this.tasks.taken(first, pool); this.tasks.handsOver(first); }
    }
    calls.add(call);
  }

  /** Each running function that called some who ask has a limiter of its own. */
  private part(results: Results, frame: Stack): void {
    const over = results.pool.giveUp();
    if (!over) return;
    results.apart = new OwnOfEach();
    this.withdraw(results);
    for (const one of over) this.draw(one, this.ownOf(one, results, results.apart, frame), frame.place);
    this.tasks.regrouped(over.map(({ promise }) => promise));
  }

  private ownOf(one: HandedIn, { pool }: Results, apart: OwnOfEach<Results>, frame: Stack): Results {
    const around = pool.homeOf(one);
    return apart.of(around, () => this.open(frame, around));
  }

  /**
   * A task that somebody else handed over begins in the wake of one that is over: if that was handed over elsewhere, both places hand over to one limiter.
   * @returns the results of all such places
   */
  private withBefore({ promise, task }: HandedIn, own: Results, place: Place): Results {
    const by = task.owner;
    if (!by) return own;
    const over = this.over.get(by) ?? [];
    const latest = by === promise.owner ? [] : over.filter(({ end }) => end <= task.made && task.made - end < TOGETHER_MS);
    // One function may have begun a lane behind each of several limiters.
    const before = latest.some((one) => one.place === place) ? undefined : latest.at(0);
    over.push({ place, end: task.ended });
    if (over.length > MAX_OVER) over.shift();
    this.over.set(by, over);
    const other = before && this.results.get(before.place);
    if (!other || other === own || other.apart) return own;
    const [kept, given] = own.pool.draft.settledCount > 0 ? [own, other] : [other, own];
    if (!kept.pool.takeOver(given.pool)) return own;
    this.withdraw(given);
    if (kept.home !== given.home) kept.home = undefined;
    for (const [at, results] of this.results) if (results === given) this.results.set(at, kept);
    return kept;
  }

  private withdraw({ pool }: Results): void {
    this.changed.delete(pool.draft);
    this.withdrawn.push(pool.draft);
  }
}
