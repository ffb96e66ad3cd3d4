/**
 * Semaphores and limiters inside of tasks: each is a pool of what is done while one of its slots is held. A wait that is ended
 * by a call of the very function that waits, on its way, is a wait for a slot.
 */
import type { CombinatorCall } from '../combinators/combinator-call';
import type { GroupDraft } from '../drafts';
import { callsOf, waiterFor, type HandedIn } from './handed-in';
import { HeldSlots } from './held-slots';
import { readySince } from '../combinators/limited-elements';
import { isBareWait, releaseOf } from '../combinators/releases';
import { NO_WORK_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import type { Place, Stack } from '../promises/places';
import { functionKeyOf, hasWaitedSince, isIteratorStep, isUserCall, PromiseNode, type CallPlace } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import { callFrameOf, isAtTop } from '../promises/scopes';
import { Polls } from './polls';
import type { ResultPool } from './result-pool';
import { ResultPools } from './result-pools';
import { askedAt, PartPool, type SectionPool } from './section-pool';
import { homeOf, isBringing, isWorker, originOf, passerOf } from './slot-turns';
import { WholeSlots } from './whole-slots';

/** Slots that were given back by calls that are not through. */
const MAX_OPEN = 1024;
/** Promises that what was handed over is resolved with. */
const MAX_LINKS = 16;

/** A slot that went from one call of a function to another one. */
interface Turn { readonly from: PromiseNode; readonly to: PromiseNode; readonly wait: PromiseNode; readonly time: number }

/** What holds a function back: `whole` where it holds the slot from its begin to its end, `part` where it does more than that. */
type Share = 'whole' | 'part';

export interface SectionTasks {
  /** A call is a task of a semaphore's. */
  claimed(work: PromiseNode): void;
  /** A promise is a part of such a task: no other group is made of it. */
  claimedPart(promise: PromiseNode): void;
  /** Whether a promise is of a kind that is settled by what was done for who waits for it. */
  isResult(promise: PromiseNode): boolean;
  /** Whether all that a function did was to ask for a task, and to wait until that was through. */
  onlyWaits(waiter: PromiseNode, result: PromiseNode): boolean;
  /** An element of a combinator began with this. */
  handsOver(work: PromiseNode): void;
  /** What a call makes at a place again and again is a semaphore's, and no turn of a worker's. */
  isSlot(by: PromiseNode, place: Place): void;
  /** What waits for a slot for a part of its time is a task as a whole. */
  doesMore(element: PromiseNode): void;
}

export class Sections {
  private readonly shares = new Map<string, Share>();
  /** Turns of functions of which it is open what they hold slots for, by who gave the slot back. */
  private readonly turns = new Map<PromiseNode, Turn[]>();
  /** Groups of slots that turned out to be others' slots. */
  private readonly united: GroupDraft[] = [];
  /** What is a task, or the begin of one, already. */
  private readonly taken = new WeakMap<PromiseNode, SectionPool | ResultPool>();
  private readonly touched = new Set<SectionPool>();
  private readonly wholes: WholeSlots;
  private readonly held: HeldSlots;
  private readonly results: ResultPools;
  private readonly polls = new Polls();

  constructor(thread: number, private readonly tasks: SectionTasks, private readonly loop: LoopEntries) {
    this.held = new HeldSlots(thread, this.taken, (pool) => { this.touch(pool); }, (call) => { tasks.claimedPart(call); });
    this.wholes = new WholeSlots(thread, this.taken, {
      claimed: (work) => { tasks.claimed(work); },
      isSlot: (by, place) => { tasks.isSlot(by, place); },
      touched: (pool) => { this.touch(pool); },
      lost: (pool) => { this.lose(pool); },
      regrouped: (asked) => { this.regrouped(asked); },
    });
    this.results = new ResultPools(thread, {
      claimedPart: (promise) => { tasks.claimedPart(promise); },
      handsOver: (work) => { tasks.handsOver(work); },
      taken: (promise, pool) => { this.taken.set(promise, pool); },
      regrouped: (asked) => { this.regrouped(asked); },
    });
  }

  /** A running function called something. */
  called(node: PromiseNode, calls: CallPlace): void {
    if (this.wholes.areKnown && node.isAsyncFunction) this.wholes.called(node, calls.place);
    const from = this.polls.called(node, calls);
    const wait = node.owner?.lastWait;
    if (from && node.owner && wait) this.take({ from, to: node.owner, wait, time: wait.ended }, 'whole');
    this.held.called(node, calls.place);
  }

  /** Something was called: of what a running function of the program's calls, `called` tells. */
  calledAnywhere(node: PromiseNode): void {
    const place = this.wholes.areKnown && node.isAsyncFunction && isAtTop(node) ? callFrameOf(node)?.place : undefined;
    if (place) this.wholes.called(node, place);
  }

  settled(node: PromiseNode): void {
    this.judgeOldest(node.ended);
    this.passOn(node);
    this.polls.settled(node);
    this.wholes.settled(node);
    this.held.settled(node);
    const turns = this.turns.get(node);
    if (turns) this.judge(turns, node.ended);
    const asked = node.lastWait ?? node.inner;
    if (node.isAsyncFunction && asked && this.isTask(asked) && this.tasks.onlyWaits(node, asked)) this.tasks.claimedPart(node);
  }

  failed(node: PromiseNode): void {
    this.held.failed(node);
    const pool = this.wholes.poolWith(node);
    pool?.failed(node);
    if (pool) this.touch(pool);
  }

  /** A task was handed over for its result, which a function waits for that may do other things as well. */
  handedIn(one: HandedIn): void {
    const { promise, job } = one;
    const frame = this.askedFor(promise);
    if (!frame) return;
    for (const run of callsOf(one)) this.tasks.claimed(run);
    // `const meal = new Promise((done) => done(job.fn())); job.resolve(meal);`
    for (let at = promise.inner, steps = 0; at && at !== job && steps < MAX_LINKS; at = at.inner, steps++) this.tasks.claimedPart(at);
    if (job.task?.group) return;
    const around = promise.owner?.awaitingCall;
    this.results.add(one, frame, around ? around.node.owner : homeOf(promise));
  }

  /** Where the task was asked for that a promise is the result of; undefined where it is no such promise, or a worker waits for it. */
  askedFor(promise: PromiseNode): Stack | undefined {
    const waiter = waiterFor(promise);
    return waiter && !promise.awaitingCall && !isIteratorStep(promise) && this.tasks.isResult(promise) && !isWorker(waiter) ? askedAt(promise) : undefined;
  }

  /** Whether a call waits for a slot first of all, or has had one, and is a task with that. */
  isTask(call: PromiseNode): boolean { return this.wholes.poolWith(call) !== undefined; }

  /** Whether a call was the wait for a slot that a function has for a part of its time. */
  isForPart(wait: PromiseNode): boolean { return this.taken.get(wait) instanceof PartPool; }

  /** A combinator only takes what tasks gave: it says where the pool stands. */
  collected(call: CombinatorCall): void {
    for (const element of call.elements) {
      const source = sourceOf(element);
      const over = call.handedOver?.get(source);
      const pool = over instanceof PromiseNode ? this.taken.get(over) : this.isTask(source) ? this.taken.get(source) : undefined;
      pool?.draft.change({ site: call.site, combinator: call.combinator });
    }
  }

  /** What was asked for is other pools' than was told before: so is what the combinators over those that asked collect. */
  private regrouped(asked: readonly PromiseNode[]): void {
    for (const call of new Set(asked.flatMap(({ owner }) => owner?.awaitingCall ?? []))) if (call.role === 'collector') this.collected(call);
  }

  /** @returns the groups that changed, those that are no more, and whether judging some was put off */
  update(isQuiet: boolean): { changed: readonly GroupDraft[]; withdrawn: readonly GroupDraft[]; isBehind: boolean } {
    const results = this.results.update();
    const changed = [...results.changed];
    const withdrawn = [...results.withdrawn, ...this.united.splice(0)];
    for (const pool of this.touched) {
      if (pool instanceof PartPool && (pool.isNone || (pool.latest && isWorker(pool.latest.by)))) {
        this.held.giveUp(pool);
        withdrawn.push(pool.draft);
      } else if (pool.update(isQuiet)) changed.push(pool.draft);
      else continue;
      this.touched.delete(pool);
    }
    return { changed, withdrawn, isBehind: this.touched.size > 0 };
  }

  /** A wait is over: if by a call of the function that waited, that one passed its slot on. */
  private passOn(wait: PromiseNode): void {
    const to = wait.awaitedBy;
    if (!to?.lastWait || (to.lastWait !== wait && originOf(to.lastWait) !== wait) || wait.byTimer || wait.libraryTask || !to.isAsyncFunction || !isUserCall(to)) return;
    if (isIteratorStep(wait) || (wait.isAsyncFunction && !isBareWait(wait))) return;
    const known = this.wholes.poolOf(to);
    if (known?.isWait(wait)) {
      known.waited(to, wait);
      this.touch(known);
      this.wholes.handOver(passerOf(to, wait), to);
      return;
    }
    if (this.tasks.isResult(releaseOf(wait)) || isWorker(to)) return;
    const from = passerOf(to, wait);
    const none = from ? undefined : this.held.passedOn(to, wait);
    if (none) this.lose(none);
    if (!from || isWorker(from)) return;
    const turn: Turn = { from, to, wait, time: releaseOf(wait).ended };
    const fn = functionKeyOf(to);
    const share = this.shares.get(fn);
    if (share) { this.take(turn, share); return; }
    // Slots that others hold for a part of their time are held so by whoever asks for one of them.
    if (!this.loop.isRightBehind(wait.made, readySince(to), NO_WORK_MS) || this.taken.get(wait) instanceof PartPool) { this.decide(fn, 'part', [turn]); return; }
    const turns = this.turns.get(from);
    // Several that go on at one moment were not let through by one who gave back a slot.
    if (turns) turns.push(turn);
    else if (!from.isPending) this.judge([turn], from.ended);
    else if (this.turns.size < MAX_OPEN) this.turns.set(from, [turn]);
  }

  /** Who gave a slot back long ago and still does something held it for a part of its time only. */
  private judgeOldest(now: number): void {
    for (const turns of this.turns.values()) {
      const [{ from, time }] = turns;
      if (isAtWorkSince(from, time, now)) this.judge(turns, now);
      return;
    }
  }

  /** @param now when the function that had the slot ended, or something else did while it goes on */
  private judge(turns: readonly Turn[], now: number): void {
    const [{ from, time }] = turns;
    this.turns.delete(from);
    if (turns.length > 1) return;
    const fn = functionKeyOf(from);
    // Who waits for something new behind that does more, even if there is nothing to wait for this once: `await Promise.all([])`.
    const doesMore = isAtWorkSince(from, time, now) || (from.lastWait?.made ?? -Infinity) >= time;
    const share = doesMore ? 'part' : 'whole';
    const others = [...this.turns].filter(([other, list]) => functionKeyOf(other) === fn && list.length === 1);
    for (const [other] of others) this.turns.delete(other);
    this.decide(fn, share, [...turns, ...others.flatMap(([, list]) => list)]);
  }

  private decide(fn: string, share: Share, turns: readonly Turn[]): void {
    this.shares.set(fn, share);
    for (const turn of turns) this.take(turn, share);
  }

  private take(turn: Turn, share: Share): void {
    const { from, to, wait, time } = turn;
    // Who is called by Node alone, as a server's listener, has no place but that where he asks for the slot.
    if (share === 'whole' && askedAt(to)) {
      for (const call of [from, to]) this.wholes.open(call);
      this.wholes.poolOf(to)?.waited(to, wait);
      this.wholes.handOver(from, to);
      return;
    }
    const place = askedAt(wait)?.place;
    if (!place || isBringing(from, to, place)) return;
    for (const call of [from, to]) if (call.awaitingCall) this.tasks.doesMore(call);
    this.held.open(to, wait, place);
    this.held.gaveBack(from, time);
    const several = this.held.handedOver(from, to, place);
    if (several) this.lose(several);
  }

  /** A pool's members are another one's now. */
  private lose(pool: SectionPool): void {
    this.touched.delete(pool);
    this.united.push(pool.draft);
  }

  private touch(pool: SectionPool): void {
    pool.touch();
    this.touched.add(pool);
  }
}

/** Whether a function that gave its slot back has done more than to end, by now. */
const isAtWorkSince = (from: PromiseNode, time: number, now: number): boolean => now - time > NO_WORK_MS && hasWaitedSince(from, time);
