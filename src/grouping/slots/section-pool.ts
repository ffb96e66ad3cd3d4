/**
 * What several running functions do while they hold a slot of one semaphore, each for a part of its time:
 *
 *   task 1  ━━━▇▇▇▇━━━━━━        ▇ holds the slot: a task of the semaphore's pool
 *   task 2  ━━┄┄┄┄┄▇▇▇━━         ┄ waits for it: `queued`
 */
import { GroupDraft, TaskDraft } from '../drafts';
import { afterRelease, hasGivenUp } from '../combinators/limited-pool';
import { NO_WAIT_MS, TOGETHER_MS } from '../moments';
import { siteOf, topOf, userFrame, type Place, type Stack } from '../promises/places';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { workOf } from '../promises/work-of';
import { callFrameOf } from '../promises/scopes';
import { noteWork, TurnPool, type Begun } from '../combinators/turn-pool';
import { OwnTurns } from './own-turns';
import { workUnder } from '../promises/only-call';

/** A slot held by a running function between asking for it and giving it back. */
export interface Hold {
  /** The running function. */
  readonly by: PromiseNode;
  /** What it waits for to get the slot. */
  readonly acquire: PromiseNode;
  /** When it gave the slot back; NaN before. */
  end: number;
  /** What it waited for last before it did. */
  work: PromiseNode | undefined;
}

export abstract class SectionPool extends TurnPool {
  /** Members so far that are not through. */
  protected open = 0;

  /** @param frame where the slot is asked for @param home the running function around all tasks that ask */
  constructor(thread: number, frame: Stack | undefined, public home: PromiseNode | undefined) {
    super(new GroupDraft({
      thread, kind: 'pool', combinator: undefined, library: undefined, site: frame && siteOf(frame), taskSite: undefined, declared: undefined,
    }));
    this.draft.home = { node: home };
  }

  get isActive(): boolean { return this.open > 0; }

  /** Whether it is one of several that were taken for one: it has the tasks of one running function. */
  protected get isApart(): boolean { return false; }

  /** Tasks around another running function ask for slots as well. */
  share(home: PromiseNode | undefined): void {
    if (home === this.home || this.isApart) return;
    this.home = undefined;
    this.draft.home = { node: undefined };
  }

  protected end(task: TaskDraft, work: PromiseNode | undefined, end: number, rejected: boolean): void {
    if (work) work.endsTask ??= task;
    task.finish(end, rejected, false);
    this.open--;
  }
}

/** Calls of a function that waits for a slot first and gives it back last: `use(task)`. */
export class WholePool extends SectionPool {
  private readonly waitPlaces = new Set<Place | undefined>();
  private pending = 0;
  /** Of the first of them that was called. */
  firstId = Infinity;
  /** What tells whether several running functions have slots of their own each. */
  readonly turns = new OwnTurns();
  /** Where it is one of several that were taken for one: what told them apart. */
  partedBy: OwnTurns | undefined;

  /** Whether calls of its are not through, be they drawn by now or not. */
  override get isActive(): boolean { return this.pending > 0; }

  protected override get isApart(): boolean { return this.partedBy !== undefined; }

  join(call: PromiseNode): void {
    this.open++;
    if (call.isPending) this.pending++;
    this.firstId = Math.min(this.firstId, call.id);
    this.take([call]);
  }

  /** A call that it has is through. */
  settled(): void {
    this.pending--;
    this.touch();
  }

  /** Tasks of one running function have slots of their own, as turns have told. @returns the pool of those, empty as yet */
  apartFor(home: PromiseNode | undefined, turns: OwnTurns): WholePool {
    const { thread, site, combinator } = this.draft.facts;
    const own = new WholePool(thread, undefined, home);
    own.partedBy = turns;
    own.draft.change({ site, combinator });
    for (const place of this.waitPlaces) own.waitPlaces.add(place);
    return own;
  }

  /** Its members are to be others'. @returns these; undefined where some of them are settled for good */
  giveUp(): readonly PromiseNode[] | undefined {
    if (this.draft.settledCount > 0) return undefined;
    this.open = 0;
    return this.surrender();
  }

  /** Another one's members wait for the same slots. @returns these, for this pool to take in; undefined where some of them are settled for good */
  takeOver(other: WholePool): readonly PromiseNode[] | undefined {
    const members = other.giveUp();
    if (!members) return undefined;
    for (const place of other.waitPlaces) this.waitPlaces.add(place);
    this.turns.join(other.turns);
    return members;
  }

  /** A call has waited for its slot. */
  waited(call: PromiseNode, wait: PromiseNode): void {
    call.turnWait ??= wait;
    this.waitPlaces.add(topOf(wait.stack)?.place);
    this.touch();
  }

  /** Whether calls wait for their slot at the place where a promise was made. */
  isWait(wait: PromiseNode): boolean { return this.waitPlaces.has(topOf(wait.stack)?.place); }

  /** A call has failed: where its wait for a slot did, as by a timeout or an abort, it was never let in. */
  failed(call: PromiseNode): void {
    if (!this.isRefused(call)) return;
    if (call.task?.group !== this.draft) this.open--;
    this.drop((member) => member === call);
  }

  private isRefused(call: PromiseNode): boolean { return call.lastWait !== undefined && hasGivenUp(call) && this.isWait(call.lastWait); }

  protected begun(call: PromiseNode): Begun | undefined {
    const { turnWait, lastWait } = call;
    if (turnWait) return { start: afterRelease(turnWait), work: call };
    if (call.isPending && lastWait?.isPending && this.isWait(lastWait)) return undefined;
    return { start: passedAt(call) ?? call.made, work: call, isAtOnce: true };
  }

  protected endOf(call: PromiseNode): number {
    if (call.isPending) return NaN;
    // It gives its slot back before it ends itself.
    const work = call.turnWait ? workUnder(call, call.turnWait.ended) : workUnder(call, call.made);
    return work && call.ended - work.ended < TOGETHER_MS ? work.ended : call.ended;
  }

  protected finished(task: TaskDraft, end: number): void {
    const { work: call } = task;
    const work = workUnder(call, task.start);
    this.tellSite(work, task.start, end);
    this.end(task, call, end, call.rejected);
    noteWork(task, work);
  }
}

/** When a function went on whose slot was free at once, in a later run of code: with what it called next behind nothing but what was there already. */
function passedAt({ scope, tick }: PromiseNode): number | undefined {
  const calls = (scope?.calls ?? []).flatMap(({ nodes }) => nodes);
  const first = calls.filter((node) => node.tick === tick);
  if (first.length === 0 || !first.every(({ settledAtOnce, ended, made }) => settledAtOnce || ended - made < NO_WAIT_MS)) return undefined;
  const next = calls.filter((node) => node.tick !== tick).map(({ made }) => made);
  return next.length > 0 ? Math.min(...next) : undefined;
}

/** Tasks of a pool's that is none any more: slots that were not given back, and those that were. */
export interface PartTasks { readonly open: readonly Hold[]; readonly over: readonly TaskDraft[] }

/** Parts of functions that do other things as well: `await acquire(); …; release();`. */
export class PartPool extends SectionPool {
  private readonly holds = new Map<PromiseNode, Hold>();
  /** What tells whether several running functions have slots of their own each. */
  readonly turns = new OwnTurns();
  private isOwn = false;
  /** The slot that was asked for last. */
  latest: Hold | undefined;
  /** True once it is known that nobody asks for slots there. */
  isNone = false;

  protected override get isApart(): boolean { return this.isOwn; }

  /** Whether a slot is one of its own that was not given back. */
  has(hold: Hold): boolean { return this.holds.get(hold.acquire) === hold; }

  join(hold: Hold): void {
    this.open++;
    this.latest = hold;
    this.holds.set(hold.acquire, hold);
    this.take([hold.acquire]);
  }

  /** Tasks of one running function have slots of their own. @returns the pool of those, empty as yet */
  apartFor(home: PromiseNode | undefined): PartPool {
    const own = new PartPool(this.draft.facts.thread, undefined, home);
    own.isOwn = true;
    own.draft.change({ site: this.draft.facts.site });
    return own;
  }

  /** Its tasks are to be others'. @returns these; undefined where some of them are settled for good */
  giveUp(): PartTasks | undefined {
    if (this.draft.settledCount > 0) return undefined;
    const over = [...this.draft.recentTasks].filter(({ end }) => !Number.isNaN(end));
    const open = this.surrender().flatMap((member) => this.holds.get(member) ?? []);
    this.holds.clear();
    this.open = 0;
    return { open, over };
  }

  /** Another one's slots are the same slots. @returns whether its tasks could be taken over: none is settled for good */
  takeOver(other: PartPool): boolean {
    const given = other.giveUp();
    if (!given) return false;
    for (const hold of given.open) this.join(hold);
    for (const task of given.over) this.adopt(task);
    return true;
  }

  /** A task of another one's that is over is its own. */
  adopt({ work, start, queued, end, rejected, error }: TaskDraft): void {
    const task = new TaskDraft(work, start);
    task.queued = queued;
    task.error = error;
    this.draft.addOver(task, end, rejected);
  }

  /** A slot was given back. @param work what was waited for last */
  ended(hold: Hold, end: number, work: PromiseNode | undefined): void {
    if (!Number.isNaN(hold.end)) return;
    hold.end = end;
    hold.work = work;
    this.touch();
  }

  /** Who asked for a slot was refused one, as by a timeout or an abort. */
  refused(acquire: PromiseNode): void {
    if (this.holds.delete(acquire)) this.open--;
    this.drop((member) => member === acquire);
  }

  protected begun(acquire: PromiseNode): Begun | undefined {
    if (acquire.isPending || acquire.rejected) return undefined;
    const by = this.holds.get(acquire)?.by;
    // Of several that get theirs at once, each goes on when those before have begun their work.
    const first = by && firstCallBehind(by, acquire);
    const given = Math.max(afterRelease(acquire), acquire.made);
    return { start: Math.max(given, first?.made ?? given), work: acquire, isAtOnce: !(given - acquire.made > NO_WAIT_MS) };
  }

  protected endOf(acquire: PromiseNode): number { return this.holds.get(acquire)?.end ?? NaN; }

  protected finished(task: TaskDraft, end: number): void {
    const hold = this.holds.get(task.work);
    this.holds.delete(task.work);
    const work = hold?.work && workOf(hold.work);
    // Who holds it to his end does there what he calls, if that is one thing.
    const only = hold && hold.work === hold.by ? workUnder(hold.by, task.start, Infinity, hold.acquire) : undefined;
    this.tellSite(only ?? work, task.start, end);
    noteWork(task, only);
    if (work) task.error ??= work.error;
    this.end(task, work, end, work?.rejected === true);
  }
}

/** What a running function calls first of all in the run of code in which it goes on behind a wait: a function of the program's; undefined for none. */
function firstCallBehind({ scope }: PromiseNode, wait: PromiseNode): PromiseNode | undefined {
  let first: PromiseNode | undefined;
  for (const { nodes } of scope?.calls ?? []) for (const node of nodes) if (node.begunBehind === wait.id && !(first && first.id < node.id)) first = node;
  return first && isUserCall(first) ? first : undefined;
}

/** The user's frame in which a slot is asked for. */
export const askedAt = (node: PromiseNode): Stack | undefined => callFrameOf(node) ?? userFrame(topOf(node.stack)?.callers);
