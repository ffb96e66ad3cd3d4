/** What a combinator call turns into as more becomes known of it: the workers of a pool, tasks behind a limiter, or what only collects. Takes back what was wrong. */
import type { CombinatorCall } from './combinator-call';
import type { GroupDraft } from '../drafts';
import type { Family } from '../families/family';
import { LanePool } from './lane-pool';
import { areBehindLimited } from './limited-elements';
import { LimitedPool } from './limited-pool';
import { LimiterFamilies } from './limiter-families';
import { workOfDelegates, workOfElements, type Work } from './loops';
import type { LooseCalls } from './loose-calls';
import type { LoopEntries } from '../promises/loop-entries';
import { callsAt, functionKeyOf, isLater, isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { onlyCalls, workOf } from '../promises/work-of';
import type { Place } from '../promises/places';
import { WorkerPool } from './worker-pool';
import { areWorkedOff, WorkerRounds, type CrewCall } from './worker-rounds';

export class CallRoles {
  private readonly changed = new Set<GroupDraft>();
  private readonly limited = new Set<LimitedPool>();
  private readonly withdrawn: GroupDraft[] = [];
  /** By where a combinator was called, whose calls its elements are and where these begin their turns. */
  private readonly workPlaces = new Map<Place, { readonly fn: string; readonly place: Place }>();
  /** By where a combinator was called, the latest pool there whose tasks wait for their turn. */
  private readonly limiters = new WeakMap<Place, LimitedPool>();
  private readonly rounds = new WorkerRounds();
  private readonly limiterFamilies = new LimiterFamilies();

  constructor(private readonly thread: number, private readonly loose: LooseCalls, private readonly loop: LoopEntries) {}

  /** Something became known of a group. */
  change(draft: GroupDraft): void { this.changed.add(draft); }

  /** Something became known of a pool whose tasks wait for their turn: it is judged anew with the next update. */
  touch(pool: LimitedPool): void {
    pool.touch();
    this.limited.add(pool);
  }

  /**
   * @param isQuiet true where nothing has come in since the last time
   * @returns groups that changed, and groups that are no more; and whether judging some was put off
   */
  update(isQuiet: boolean): { changed: readonly GroupDraft[]; withdrawn: readonly GroupDraft[]; isBehind: boolean } {
    let isBehind = false;
    for (const pool of this.limited) {
      if (!pool.update(isQuiet)) { isBehind = true; continue; }
      if (!pool.isUnsure) this.limited.delete(pool);
      this.changed.add(pool.draft);
    }
    const changed = [...this.changed];
    this.changed.clear();
    return { changed, withdrawn: this.withdrawn.splice(0), isBehind };
  }

  /** Its elements call one place again and again, if they do. */
  turnIntoWorkers(call: CombinatorCall): void {
    const work = workOfElements(call) ?? this.workAsBefore(call);
    if (!work) return;
    this.turnInto(call, 'workers', () => WorkerPool.under(call, work, this.thread));
    this.noteWorkPlace(call, work);
  }

  private noteWorkPlace({ frame }: CombinatorCall, { workers, place }: Work): void { if (frame) this.workPlaces.set(frame.place, { fn: functionKeyOf(workers[0]), place }); }

  /** A call is through whose elements were workers, or seemed to be a chunk and have called one place again and again: so were those of the rounds before. */
  turnRoundsIntoWorkers(call: CombinatorCall): void {
    const { pool, series } = call;
    const work = pool instanceof WorkerPool ? pool : series && series.callCount > 1 && call.hasLoops && !call.node.rejected ? workOfElements(call) : undefined;
    if (!work || (pool === undefined && !areWorkedOff(work))) return;
    const alike = this.rounds.take(call, work);
    for (const known of new Set(alike.map((round) => round.series))) {
      const rounds = alike.filter((round) => round.series === known);
      if (known?.callCount !== rounds.length) continue;
      known.drop();
      for (const round of rounds) round.series = undefined;
      this.takeBack(rounds.flatMap(({ elements }) => elements), known.draft);
      for (const round of rounds) this.employ(round, work.place);
      if (known === series) this.noteWorkPlace(call, work);
    }
  }

  /** A call's elements began together: if these turn out to be workers, so may those of the calls around it. */
  noteRound(call: CombinatorCall): void { this.rounds.note(call); }

  /** A call is through whose elements seem to be workers. @returns those that turn out to be the chunks of a loop, the first of them first */
  noteCrew(crew: CrewCall): readonly CrewCall[] { return this.rounds.noteCrew(crew); }

  /** The elements of a call that is through were workers. */
  private employ(call: CombinatorCall, place: Place): void {
    const workers = call.elements.map(sourceOf);
    for (const worker of workers) for (const turn of callsAt(worker, place)) this.claim(turn);
    call.role = 'workers';
    call.pool = WorkerPool.under(call, { workers, place }, this.thread);
    this.changed.add(call.pool.draft);
  }

  /** Who were workers for the call before at the same place are so again, also where there is too little to do for any to come to a second turn. */
  private workAsBefore(call: CombinatorCall): Work | undefined {
    const known = call.frame && this.workPlaces.get(call.frame.place);
    const workers = call.elements.map(sourceOf);
    return known && workers.length > 0 && !call.notLoops.has(known.place) && workers.every((worker) => functionKeyOf(worker) === known.fn) ? { workers, place: known.place } : undefined;
  }

  /** What its elements have called, and wait for, calls one place again and again, if it does. @param like one of those calls */
  turnDelegatesIntoWorkers(call: CombinatorCall, like: PromiseNode): void {
    const work = workOfDelegates(call, like);
    if (work) this.turnInto(call, 'workers', () => WorkerPool.under(call, work, this.thread));
  }

  /** Its elements wait for their turn. @param asked what they wait for, by index, where that is what has its turn */
  turnIntoLimited(call: CombinatorCall, asked?: readonly PromiseNode[]): void {
    this.turnInto(call, 'limited', () => {
      if (asked) call.standForAsked(asked);
      else this.leaveWhatFollows(call);
      return new LimitedPool(call, this.thread, this.loop);
    });
  }

  /** What a call's elements go on with behind a limiter is none of its tasks. */
  private leaveWhatFollows(call: CombinatorCall): void {
    if (areBehindLimited(call, (promise) => this.loose.isResult(promise))) call.standForHeads();
  }

  /** Its elements are lanes, whose turns run groups of their own. */
  turnIntoLanes(call: CombinatorCall): LanePool {
    this.withdraw(call);
    call.role = 'collector';
    return new LanePool(call, this.thread);
  }

  /** The pool of what was given to a limiter at the same place before. */
  limiterAt({ frame }: CombinatorCall): LimitedPool | undefined { return frame && this.limiters.get(frame.place); }

  /** A call feeds a limiter once more. @param own its elements that nobody has drawn so far */
  feedAgain(call: CombinatorCall, limiter: LimitedPool, own: readonly PromiseNode[]): void {
    this.turnInto(call, 'limited', () => limiter);
    limiter.join(call, own);
  }

  /** Two calls share a limiter: one pool. @returns whether the other one could be made one */
  joinLimited(call: CombinatorCall, other: CombinatorCall): boolean {
    if (other.role === 'together') this.turnIntoLimited(other);
    const { pool } = other;
    if (!(pool instanceof LimitedPool)) return false;
    this.turnInto(call, 'limited', () => {
      this.leaveWhatFollows(call);
      return pool;
    });
    pool.join(call);
    return true;
  }

  /** The tasks whose promises a call was given are drawn as somebody else's: it only collects them. */
  leaveToOthers(call: CombinatorCall): void {
    if (call.pool instanceof LimitedPool) this.leaveLimited(call, call.pool);
    this.withdraw(call);
    call.role = 'collector';
    this.loose.collected(call);
  }

  /** The tasks whose promises a call was given are drawn in the lanes of those who work them off. */
  leaveToWorkers(call: CombinatorCall): void {
    const { pool } = call;
    if (pool instanceof LimitedPool) this.leaveLimited(call, pool);
    else if (call.standsAlone) this.withdraw(call);
    else return;
    call.role = 'collector';
  }

  leaveLimited(call: CombinatorCall, pool: LimitedPool): void {
    call.pool = undefined;
    this.changed.add(pool.draft);
    if (pool.leave(call)) return;
    this.limited.delete(pool);
    this.takeBack(call.elements, pool.draft);
  }

  /** What were taken for workers are none. */
  dissolve(call: CombinatorCall, pool: WorkerPool): void {
    pool.dissolve();
    this.takeBack(call.elements, pool.draft);
    call.notLoops.add(pool.place);
    if (call.frame) this.workPlaces.delete(call.frame.place);
    call.pool = undefined;
  }

  finishElement(call: CombinatorCall, element: PromiseNode): void {
    if (!call.series) return;
    call.series.finish(call, element);
    this.changed.add(call.series.draft);
  }

  /** The combinator rejected or was won: what ends from now on is ignored. */
  decide(call: CombinatorCall): void {
    const draft = call.series?.draft ?? call.pool?.draft;
    if (!draft || !call.isDecided) return;
    if (call.node.rejected) draft.change({ failed: true });
    for (const element of call.elements) if (call.role === 'together') this.finishElement(call, element);
    this.changed.add(draft);
  }

  claimWork(element: PromiseNode): void {
    const work = workOf(element);
    if (work === element) return;
    this.followAhead(element, work);
    this.claim(work);
    const around = callsAround(work);
    for (const call of around) this.claim(call);
    const caller = (around.at(-1) ?? work).owner;
    // `async () => { try { resolve(await run()); } catch (error) { reject(error); } }`
    if (caller && (isRunner(caller, work) || headOf(element).settledBy === caller)) this.claim(caller);
  }

  /** What is like an element's work behind a limiter, and at work already, is some other element's. */
  private followAhead(element: PromiseNode, { family }: PromiseNode): void {
    const pool = element.elementOf?.pool;
    const { turnWait, family: own } = sourceOf(element);
    if (pool instanceof LimitedPool && family && !turnWait && family !== own) this.limiterFamilies.follow(family, pool);
  }

  /** The first elements of a call began something each, and the others nothing yet. @param work what the first of them began */
  turnIntoLimitedAhead(call: CombinatorCall, work: PromiseNode): void {
    this.turnIntoLimited(call);
    if (!(call.pool instanceof LimitedPool) || !work.family) return;
    this.limiterFamilies.assume(work.family, call.pool);
    this.loose.claimed(work);
  }

  /** A call of a function has come that is others' work. */
  begun(family: Family, call: PromiseNode): void {
    const pool = this.limiterFamilies.poolOf(family);
    if (!pool) return;
    pool.expect(call);
    this.touch(pool);
  }

  /** A call is known for the work, or a helper, of a combinator's. */
  claim(work: PromiseNode): void {
    if (work.isClaimed) return;
    work.isClaimed = true;
    this.loose.claimed(work);
  }

  private turnInto(call: CombinatorCall, role: 'workers' | 'limited', make: () => WorkerPool | LimitedPool): void {
    // A loop over pools is a group for each; a chunk loop whose chunks turn out to be limited is not seen yet.
    if (call.series && call.series.callCount > 1) return;
    if (call.pool instanceof LimitedPool) this.leaveLimited(call, call.pool);
    this.withdraw(call);
    call.role = role;
    call.pool = make();
    if (call.pool instanceof LimitedPool) {
      this.limited.add(call.pool);
      if (call.frame) this.limiters.set(call.frame.place, call.pool);
      for (const element of call.elements) this.claimWork(element);
    }
    this.changed.add(call.pool.draft);
  }

  /** Takes back the group that a call was drawn as. */
  private withdraw(call: CombinatorCall): void {
    const { series } = call;
    call.series = undefined;
    if (!series) return;
    series.drop();
    this.takeBack(call.elements, series.draft);
  }

  private takeBack(elements: readonly PromiseNode[], draft: GroupDraft): void {
    this.changed.delete(draft);
    this.withdrawn.push(draft);
    for (const element of elements) {
      for (const node of [element, sourceOf(element), workOf(element)]) if (node.task?.group === draft) node.task = undefined;
    }
  }
}

/** The async functions that did nothing but call it, the outermost last. */
function callsAround(work: PromiseNode): PromiseNode[] {
  const around: PromiseNode[] = [];
  for (let at = work; at.adoptedBy && at.owner === at.adoptedBy && onlyCalls(at.owner); at = at.owner) around.push(at.owner);
  return around;
}

/** Whether a call that nobody waits for only runs another one, as a queue does with its jobs. */
const isRunner = (by: PromiseNode, work: PromiseNode): boolean =>
  by.isAsyncFunction && isUserCall(by) && !by.consumed && !by.awaitingCall && !isLater(work, by) && by.family !== undefined && by.family !== work.family;
