/**
 * Semaphores and limiters inside of tasks: each is a pool of what is done while one of its slots is held. A wait that is ended
 * by a call of the very function that waits, on its way, is a wait for a slot.
 */
import type { CombinatorCall } from './combinator-call';
import type { GroupDraft } from './drafts';
import { isBareWait, releaseOf } from './limited-pool';
import { NO_WORK_MS } from './moments';
import type { Place } from './places';
import { functionKeyOf, hasWaitedSince, isIteratorStep, isLater, isUserCall, PromiseNode, sourceOf, type CallPlace } from './promise-node';
import { RootKind } from '../model/facts';
import { callFrameOf, isInside, isWithin } from './scopes';
import type { HandedIn } from './handed-in';
import { ResultPool } from './result-pool';
import { askedAt, PartPool, WholePool, type Hold, type SectionPool } from './section-pool';
import { WorkerPool } from './worker-pool';

/** Functions around what gave a slot back. */
const MAX_STEPS = 16;
/** Slots that were given back by calls that are not through. */
const MAX_OPEN = 1024;

/** Functions around a call that say which others are like it, and how many others are looked for. */
const LIKE_STEPS = 3;
const MAX_LIKES = 4096;

/** A slot that went from one call of a function to another one. */
interface Turn { readonly from: PromiseNode; readonly to: PromiseNode; readonly wait: PromiseNode; readonly time: number }

/** What holds a function back: `whole` where it holds the slot from its begin to its end, `part` where it does more than that. */
type Share = 'whole' | 'part';

export interface SectionTasks {
  /** A call is a task of a semaphore's. */
  claimed(work: PromiseNode): void;
  /** Whether a promise is of a kind that is settled by what was done for who waits for it. */
  isResult(promise: PromiseNode): boolean;
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
  /** By function, then by where that is called. */
  private readonly wholes = new Map<string, Map<Place, WholePool>>();
  /** By where the slot is asked for. */
  private readonly parts = new Map<Place, { pool: PartPool; endsAt: Place | undefined }>();
  private readonly holds = new Map<PromiseNode, { readonly hold: Hold; readonly at: Place }[]>();
  private readonly members = new Map<PromiseNode, WholePool>();
  /** Pools of what was handed over for its result, by where that is done. */
  private readonly results = new Map<Place, { readonly pool: ResultPool; home: PromiseNode | undefined; readonly calls: WeakSet<CombinatorCall> }>();
  private readonly drawn = new Set<GroupDraft>();
  /** What is a task, or the begin of one, already. */
  private readonly taken = new WeakMap<PromiseNode, SectionPool | ResultPool>();
  private readonly touched = new Set<SectionPool>();

  constructor(private readonly thread: number, private readonly tasks: SectionTasks) {}

  /** A running function called something. */
  called(node: PromiseNode, calls: CallPlace): void {
    if (this.wholes.size > 0 && node.isAsyncFunction) this.joinWhole(node, calls.place);
    if (this.parts.size > 0) this.joinPart(node, calls.place);
  }

  settled(node: PromiseNode): void {
    this.judgeOldest(node.ended);
    this.passOn(node);
    const whole = this.members.get(node);
    if (whole) {
      this.members.delete(node);
      this.touch(whole);
    }
    this.endHolds(node);
    const turns = this.turns.get(node);
    if (turns) this.judge(turns, node.ended);
  }

  failed(node: PromiseNode): void {
    for (const { hold, at } of this.holds.get(node) ?? []) {
      const part = this.parts.get(at);
      if (part && Number.isNaN(hold.end)) this.touch(part.pool);
    }
  }

  /** A task was handed over for its result, which a function waits for that may do other things as well. */
  handedIn(one: HandedIn): void {
    const { promise, task } = one;
    const frame = askedAt(promise);
    if (!frame || !promise.awaitedBy || !this.tasks.isResult(promise) || isIteratorStep(promise) || promise.awaitingCall || task.task?.group || isWorker(promise.awaitedBy)) return;
    const home = homeOf(promise);
    let known = this.results.get(frame.place);
    if (!known) this.results.set(frame.place, known = { pool: new ResultPool(this.thread, frame), home, calls: new WeakSet() });
    else if (known.home !== home) known.home = undefined;
    const { draft } = known.pool;
    draft.home = { node: known.home };
    known.pool.add(one);
    this.taken.set(promise, known.pool);
    this.tasks.claimed(task);
    this.drawn.add(draft);
    const { owner } = promise;
    const call = owner?.awaitingCall;
    if (!owner || !call) return;
    // Those that have asked by now are known by the first of them; each that comes later, by itself.
    for (const element of known.calls.has(call) ? [owner] : call.elements.map(sourceOf)) {
      const [first] = callsAt(element, frame.place);
      if (first) { this.taken.set(first, known.pool); this.tasks.handsOver(first); }
    }
    known.calls.add(call);
  }

  /** A combinator only takes what tasks gave: it says where the pool stands. */
  collected(call: CombinatorCall): void {
    for (const element of call.elements) {
      const over = call.handedOver?.get(sourceOf(element));
      const pool = over instanceof PromiseNode ? this.taken.get(over) : undefined;
      pool?.draft.change({ site: call.site, combinator: call.combinator });
    }
  }

  /** @returns the groups that changed, those that are no more, and whether judging some was put off */
  update(isQuiet: boolean): { changed: readonly GroupDraft[]; withdrawn: readonly GroupDraft[]; isBehind: boolean } {
    const changed = [...this.drawn];
    const withdrawn: GroupDraft[] = [];
    this.drawn.clear();
    for (const pool of this.touched) {
      if (pool instanceof PartPool && pool.latest && isWorker(pool.latest.by)) {
        this.giveUp(pool);
        withdrawn.push(pool.draft);
      } else if (pool.update(isQuiet)) changed.push(pool.draft);
      else continue;
      this.touched.delete(pool);
    }
    return { changed, withdrawn, isBehind: this.touched.size > 0 };
  }

  /** Workers wait for one another's news, and were not known for workers when they first did. */
  private giveUp(pool: PartPool): void {
    for (const [place, part] of this.parts) if (part.pool === pool) this.parts.delete(place);
    for (const [by, holds] of this.holds) {
      const others = holds.filter(({ hold }) => !pool.has(hold));
      if (others.length > 0) this.holds.set(by, others); else this.holds.delete(by);
    }
  }

  /** A wait is over: if by a call of the function that waited, that one passed its slot on. */
  private passOn(wait: PromiseNode): void {
    const to = wait.awaitedBy;
    if (!to?.lastWait || originOf(to.lastWait) !== wait || wait.byTimer || wait.libraryTask || !to.isAsyncFunction || !isUserCall(to)) return;
    if (isIteratorStep(wait) || (wait.isAsyncFunction && !isBareWait(wait))) return;
    const known = this.members.get(to);
    if (known?.isWait(wait)) { known.waited(to, wait); this.touched.add(known); return; }
    const from = this.tasks.isResult(releaseOf(wait)) ? undefined : passerOf(to, wait);
    if (!from || isWorker(to) || isWorker(from)) return;
    const turn: Turn = { from, to, wait, time: releaseOf(wait).ended };
    const fn = functionKeyOf(to);
    const share = this.shares.get(fn);
    if (share) { this.take(turn, share); return; }
    if (isLater(wait, to)) { this.decide(fn, 'part', [turn]); return; }
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
      if (now - time > NO_WORK_MS && hasWaitedSince(from, time)) this.judge(turns, now);
      return;
    }
  }

  /** @param now when the function that had the slot ended, or something else did while it goes on */
  private judge(turns: readonly Turn[], now: number): void {
    const [{ from, time }] = turns;
    this.turns.delete(from);
    if (turns.length > 1) return;
    const fn = functionKeyOf(from);
    const share = now - time > NO_WORK_MS && hasWaitedSince(from, time) ? 'part' : 'whole';
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
    if (share === 'whole') {
      for (const call of [from, to]) this.openWhole(call);
      this.members.get(to)?.waited(to, wait);
      return;
    }
    const place = askedAt(wait)?.place;
    if (!place || isBringing(from, to, place)) return;
    for (const call of [from, to]) if (call.awaitingCall) this.tasks.doesMore(call);
    this.openPart(to, wait, place);
    const held = this.holds.get(from)?.find(({ hold }) => Number.isNaN(hold.end) && hold.acquire.ended <= time);
    const part = held && this.parts.get(held.at);
    if (!held || !part) return;
    const work = from.lastWait && sourceOf(from.lastWait);
    if (work?.isDerived === false) part.endsAt ??= callFrameOf(work)?.place;
    this.close(from, held.hold, time, work);
    this.touch(part.pool);
  }

  private openWhole(call: PromiseNode): void {
    const frame = askedAt(call);
    const fn = functionKeyOf(call);
    if (!frame || call.awaitingCall || !call.owner) return;
    let places = this.wholes.get(fn);
    if (!places) this.wholes.set(fn, places = new Map());
    if (this.members.has(call)) return;
    const home = homeOf(call);
    const known = places.get(frame.place);
    if (known && (known.isActive || known.home === home)) { this.addWhole(known, call, frame.place); return; }
    const pool = new WholePool(this.thread, frame, home);
    places.set(frame.place, pool);
    for (const like of inOrder(likesOf(call))) if (functionKeyOf(like) === fn && askedAt(like)?.place === frame.place) this.addWhole(pool, like, frame.place);
  }

  private joinWhole(node: PromiseNode, place: Place): void {
    const pool = this.wholes.get(functionKeyOf(node))?.get(place);
    if (!pool) return;
    if (pool.isActive || pool.home === homeOf(node)) this.addWhole(pool, node, place);
    else this.openWhole(node);
  }

  private addWhole(pool: WholePool, call: PromiseNode, place: Place): void {
    if (this.taken.has(call)) return;
    this.taken.set(call, pool);
    pool.share(homeOf(call));
    this.tasks.claimed(call);
    if (call.owner) this.tasks.isSlot(call.owner, place);
    if (call.isPending) this.members.set(call, pool);
    pool.join(call);
    this.touch(pool);
  }

  private openPart(by: PromiseNode, wait: PromiseNode, place: Place): void {
    const known = this.parts.get(place);
    const home = homeOf(wait);
    if (known && (known.pool.isActive || known.pool.home === home)) { this.addPart(by, wait, place); return; }
    this.parts.set(place, { pool: new PartPool(this.thread, askedAt(wait), home), endsAt: known?.endsAt });
    for (const like of likesOf(by)) for (const node of callsAt(like, place)) this.addPart(like, node, place);
    this.addPart(by, wait, place);
  }

  private joinPart(node: PromiseNode, place: Place): void {
    const { owner } = node;
    const part = this.parts.get(place);
    if (!part || !owner || isWorker(owner)) return;
    if (part.pool.isActive || part.pool.home === homeOf(node)) this.addPart(owner, node, place);
    else this.openPart(owner, node, place);
  }

  private addPart(by: PromiseNode, acquire: PromiseNode, at: Place): void {
    const part = this.parts.get(at);
    if (!part || this.taken.has(acquire)) return;
    this.taken.set(acquire, part.pool);
    const holds = this.holds.get(by) ?? [];
    const hold: Hold = { by, acquire, end: NaN, work: undefined };
    holds.push({ hold, at });
    this.holds.set(by, holds);
    part.pool.share(homeOf(acquire));
    part.pool.join(hold);
    this.touch(part.pool);
    if (acquire.isPending) return;
    const work = part.endsAt && callsAt(by, part.endsAt).find((node) => node.made >= acquire.ended && !node.isPending);
    if (work) this.close(by, hold, work.ended, work);
    else if (!by.isPending) this.close(by, hold, by.ended, by);
  }

  /** A function is through, or what it waits for last before it gives a slot back. */
  private endHolds(node: PromiseNode): void {
    if (this.holds.size === 0) return;
    const acquirer = node.awaitedBy && this.holds.get(node.awaitedBy)?.find(({ hold }) => hold.acquire === node);
    const asked = acquirer && this.parts.get(acquirer.at);
    if (asked) this.touch(asked.pool);
    for (const { hold, at } of this.holds.get(node) ?? []) {
      this.close(node, hold, node.ended, node);
      const part = this.parts.get(at);
      if (part) this.touch(part.pool);
    }
    this.endDerived(node);
    const { owner } = node;
    const place = owner && this.holds.has(owner) ? callFrameOf(node)?.place : undefined;
    if (!owner || !place) return;
    for (const { hold, at } of this.holds.get(owner) ?? []) {
      const part = this.parts.get(at);
      if (part?.endsAt !== place || hold.acquire.isPending || hold.acquire === node || node.made < hold.acquire.ended) continue;
      this.close(owner, hold, node.ended, node);
      this.touch(part.pool);
    }
  }

  /** `acquire().then(task).finally(release)`: the slot is given back where that is over. */
  private endDerived(node: PromiseNode): void {
    const by = node.isDerived ? node.awaitedBy : undefined;
    const derived = by && this.holds.get(by)?.find(({ hold }) => hold.acquire === originOf(node));
    if (!by || !derived) return;
    let work = node;
    while (work.parent && work.parent !== derived.hold.acquire) work = work.parent;
    this.close(by, derived.hold, node.ended, work);
    const part = this.parts.get(derived.at);
    if (part) this.touch(part.pool);
  }

  private close(by: PromiseNode, hold: Hold, end: number, work: PromiseNode | undefined): void {
    const holds = this.holds.get(by);
    const index = holds?.findIndex((known) => known.hold === hold) ?? -1;
    if (!holds || index < 0) return;
    const [{ at }] = holds.splice(index, 1);
    if (holds.length === 0) this.holds.delete(by);
    this.parts.get(at)?.pool.ended(hold, end, work);
  }

  private touch(pool: SectionPool): void {
    pool.touch();
    this.touched.add(pool);
  }
}

/** The call of the waiting function that ended the wait, on its own way; undefined where that is no semaphore's. */
function passerOf(to: PromiseNode, wait: PromiseNode): PromiseNode | undefined {
  const release = releaseOf(wait);
  if (release.kind !== RootKind.other || !isUserCall(release) || release.isDerived || release.byTimer || release.combinator || release.libraryTask || !release.settledBy) return undefined;
  // Who waits for its turn asks for it himself; what others made is something that they bring.
  if (!isWithin(release.owner, to)) return undefined;
  const fn = functionKeyOf(to);
  let at = release.settledBy as PromiseNode | undefined;
  for (let steps = 0; at && at !== to && fn !== '' && steps < MAX_STEPS; steps++, at = at.owner) {
    if (at.isAsyncFunction && functionKeyOf(at) === fn) return isWithin(to, at) ? undefined : at;
  }
  return undefined;
}

/** Whether elements of one combinator go on by what those of another one bring, who never wait there themselves: stages of a pipeline. */
const isBringing = (from: PromiseNode, to: PromiseNode, place: Place): boolean =>
  from.awaitingCall !== undefined && to.awaitingCall !== undefined && from.awaitingCall !== to.awaitingCall && callsAt(from, place).length === 0;

const isWorker = ({ awaitingCall, scope }: PromiseNode): boolean => awaitingCall?.pool instanceof WorkerPool || scope?.crew?.pool !== undefined;

/** What a promise was derived from by `then`, in so many steps; itself where it was not. */
function originOf(node: PromiseNode): PromiseNode {
  let at = node;
  for (let steps = 0; at.parent && steps < MAX_STEPS; steps++) at = at.parent;
  return at;
}

const inOrder = (calls: Iterable<PromiseNode>): PromiseNode[] => [...calls].sort((a, b) => a.id - b.id);

const callsAt = ({ scope }: PromiseNode, place: Place): readonly PromiseNode[] => scope?.calls?.find((calls) => calls.place === place)?.nodes ?? [];

/** Calls like one, itself included: elements beside it, tasks of its group, and what was called at the same place by calls like its owner. */
function likesOf(call: PromiseNode, steps = LIKE_STEPS): Set<PromiseNode> {
  const likes = new Set([...call.awaitingCall?.elements.map(sourceOf) ?? [], ...[...call.task?.group?.recentTasks ?? []].map(({ work }) => work)]);
  const place = callFrameOf(call)?.place;
  const owners = call.owner && place && steps > 0 ? likesOf(call.owner, steps - 1) : [];
  for (const owner of owners) {
    if (likes.size > MAX_LIKES) break;
    for (const node of place ? callsAt(owner, place) : []) likes.add(node);
  }
  return likes.add(call);
}

/** The running function around the tasks of which a call is a part; where it is part of none, the one that made it. */
function homeOf(call: PromiseNode): PromiseNode | undefined {
  let home = call.owner;
  let group: GroupDraft | undefined;
  isInside(call.owner, (at) => {
    const drawn = at.task?.group ?? at.awaitingCall?.series?.draft ?? at.awaitingCall?.pool?.draft;
    if (group && drawn !== group) return true;
    if (!drawn) return false;
    group = drawn;
    home = at.awaitingCall?.node.owner ?? at.owner;
    return false;
  });
  return home;
}
