/**
 * Calls of one function of the user's, or of an API, under one running function or one library call. A pool is told from a
 * burst by starts that follow ends while others still run.
 */
import { apiCallOf, isLibrarysCall, type ApiCall } from '../promises/api-calls';
import { Arrivals } from './arrivals';
import { BurstRounds } from './burst-rounds';
import { CallPlaces } from './call-places';
import type { CombinatorCall } from '../combinators/combinator-call';
import { areBurst } from './bursts';
import { GroupDraft } from '../drafts';
import { onlySubmit } from '../combinators/handed-over';
import { familySite, familyTaskSite } from './family-sites';
import { Efforts } from './efforts';
import { FamilyTasks } from './family-tasks';
import { FamilyVerdicts, MAX_UNSURE } from './family-verdicts';
import { hasWorkedSince, isAwaitingAll, leavesWork } from './loop-signs';
import { NO_WORK_MS } from '../moments';
import { Occupancy } from './occupancy';
import type { LoopEntries } from '../promises/loop-entries';
import { siteOf, topOf, type Place, type Stack } from '../promises/places';
import { isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';
import { endOf } from '../promises/chain-links';
import { callFrameOf, type Scope } from '../promises/scopes';
import { isPause } from '../promises/pauses';
import { isTasksOwn, LOOP_TASKS } from '../promises/task-owners';

/** Calls of one function under one anchor. */
export class Family {
  draft: GroupDraft | undefined;
  /** The family that took over what is to come. */
  continuedBy: Family | undefined;
  /** True once its calls turned out to be another group's work. */
  private isOthers = false;
  /** True where a combinator takes its tasks, or lanes of them. */
  isCollected = false;
  /** True where a race takes them. */
  isRaced = false;
  /** The combinator that takes what its tasks, or lanes of them, give; the first one. */
  collector: CombinatorCall | undefined;
  /** Where its tasks are collected. */
  collectFrame: Stack | undefined;
  private count = 0;
  /** Calls so far whose promise was there at once. */
  private begunAtOnce = 0;
  /** How many there were before the first of these. */
  private begunLater = 0;
  /** In how many runs of code they were made: each turn of a loop that awaits is one of its own. */
  runs = 0;
  private readonly places = new CallPlaces();
  /** The calls that say whether anybody awaits them, and where they are made. */
  readonly earliest: PromiseNode[] = [];
  private readonly tasks: FamilyTasks;
  /** How many may be undrawn before those of them that are over are forgotten. */
  private unsure = MAX_UNSURE;
  private last: PromiseNode | undefined;
  readonly occupancy = new Occupancy();
  readonly arrivals = new Arrivals();
  /** Where its calls since it last had none at work begin among those not drawn. */
  private busyFrom = 0;
  /** Whether the running function waited until none of several was at work any more. */
  private isDrained = false;
  /** True where each of its calls made the next one. */
  isChain = false;
  /** The latest of its calls that was no mere hand-over, over in the run of code that made it. */
  lasting: PromiseNode | undefined;
  readonly efforts = new Efforts();
  private readonly verdicts = new FamilyVerdicts(this);
  /** The call of `Array.fromAsync` whose function it is. */
  builtinCall: PromiseNode | undefined;
  private readonly rounds = new BurstRounds(this);
  /** The first of its calls, where they are calls of Node or of a library that makes requests. */
  api: ApiCall | undefined;

  /**
   * @param libraryCall the latest library call that made the function's calls
   * @param scope where it is looked up
   * @param isOfPlace true where its calls are of several functions, made at one place
   */
  constructor(private readonly thread: number, loop: LoopEntries, public libraryCall: PromiseNode | undefined, readonly scope: Scope, readonly key: string, readonly isOfPlace = false) {
    this.tasks = new FamilyTasks(loop);
  }

  /** True where it is open whether its calls are a queue's, which others feed as well. */
  mayBeFed = false;
  /** Where its calls are at work, where several functions bring them to a queue: in none of these. */
  fedIn: { node: PromiseNode | undefined } | undefined;

  /** Calls so far. */
  get callCount(): number { return this.count; }
  /** At how many places they were made. */
  get placeCount(): number { return this.places.size; }
  /** Calls so far that were made where this one was. */
  countLike(node: PromiseNode): number { return this.places.countAt(callFrameOf(node)?.place); }
  /** Where the first of its calls was made. */
  get firstPlace(): Place | undefined { return callFrameOf(this.earliest[0])?.place; }
  /** Whether one of its calls was made there. */
  isCalledAt(place: Place): boolean { return this.places.has(place); }
  /** Whether all its calls so far were made there. */
  isCalledOnlyAt(place: Place): boolean { return this.places.countAt(place) === this.count; }
  /** Whether calls ran beside one another that were not through at once. */
  get ranAtOnce(): boolean { return this.efforts.wereAtOnce || this.occupancy.working > 1; }
  /** Whether others had to wait for their turn, and as many are at work as ever were: one more is none of these. */
  get isFull(): boolean { return this.occupancy.refills > 0 && this.occupancy.active >= this.occupancy.peak; }
  /** Those not drawn yet, in the order in which they were made. */
  get undrawn(): readonly PromiseNode[] { return this.tasks.undrawn; }
  /** The call that was made last. */
  get latest(): PromiseNode | undefined { return this.last; }
  /** Whether its calls are another group's work, what comes as well as what came. */
  get isAnothers(): boolean { return this.isOthers; }
  /** Whether its calls are drawn, as its own group's tasks or as another's. */
  get areTasks(): boolean { return this.isOthers || this.draft !== undefined; }
  /** When the latest of its calls ended, in milliseconds on the run's axis. */
  get latestEnd(): number { return this.occupancy.latestEnd; }
  /** Whether some of its calls still run. */
  get isActive(): boolean { return this.occupancy.active > 0; }

  /**
   * Whether a call from another place of the running function is no more of the same: all calls so far are over, and ran at
   * once or were another group's tasks. A loop may call from several places.
   */
  isOverFor(node: PromiseNode): boolean {
    if (this.isActive) return false;
    if (this.isDrained && hasWorkedSince(node, this.occupancy.latestEnd)) return true;
    if (this.rounds.isBurst) return node.tick !== this.last?.tick;
    if (this.count === 0 || this.libraryCall || this.api || !(this.isOthers || this.occupancy.peak > 1)) return false;
    const place = callFrameOf(node)?.place;
    return place !== undefined && !this.places.has(place);
  }

  /** Calls come in the order in which they were made. What has been known before may be over by a link of the chain that it is the head of. */
  add(node: PromiseNode, isOver = !endOf(node).isPending): void {
    const end = endOf(node);
    const { occupancy } = this;
    this.places.add(node);
    if (occupancy.comes(node.made)) this.busyFrom = this.tasks.undrawn.length;
    else if (this.isFirstBeside()) this.leaveEarlierSteps(node);
    this.count++;
    this.arrivals.add(node, occupancy.active + (isOver ? 0 : 1));
    if (this.earliest.length < LOOP_TASKS - 1) this.earliest.push(node);
    if (!this.isOthers) this.tasks.add(node);
    if (this.last?.tick !== node.tick) this.runs++;
    this.last = node;
    this.passOn(node);
    if (!isOver) occupancy.enters();
    else {
      occupancy.goesThrough(node.made, end.ended);
      this.lasting = node;
      this.efforts.add(node.made, end.ended, false);
      if (!this.isOthers) this.tasks.settle(node, end);
    }
    this.judge();
  }

  /** Takes over calls of another family, as if each came, and ended, only now in the order in which they did. */
  takeOver(calls: readonly PromiseNode[]): void {
    const running: PromiseNode[] = [];
    const settleUntil = (time: number): void => {
      running.sort((a, b) => endOf(a).ended - endOf(b).ended);
      while (running.length > 0 && endOf(running[0]).ended <= time) {
        const call = running.shift();
        if (call) this.settle(call, endOf(call), NO_TICK);
      }
    };
    for (const call of calls) {
      settleUntil(call.made);
      this.add(call, false);
      if (!endOf(call).isPending) running.push(call);
    }
    settleUntil(Infinity);
  }

  private isFirstBeside(): boolean { return this.isActive && this.occupancy.peak === 1 && this.busyFrom > 0 && !this.draft && !this.isChain && !this.libraryCall && !this.api; }

  /** What was called one at a time elsewhere, before calls ran at once here, were steps of their own. @param node begins beside another call */
  private leaveEarlierSteps(node: PromiseNode): void {
    const stretch = this.tasks.undrawn.slice(this.busyFrom);
    const here = new Set([...stretch, node].map((call) => callFrameOf(call)?.place));
    const before = this.tasks.undrawn.slice(0, this.busyFrom);
    const steps = new Set(before.filter((call) => !here.has(callFrameOf(call)?.place)));
    if (steps.size === 0) return;
    for (const step of steps) step.family = undefined;
    const kept = before.filter((call) => !steps.has(call));
    this.count -= steps.size;
    this.busyFrom = kept.length;
    const own = [...kept, ...stretch];
    this.tasks.keep(own);
    this.earliest.splice(0, this.earliest.length, ...own.slice(0, LOOP_TASKS - 1));
    this.places.keep([...own, node]);
  }

  private passOn({ owner, made }: PromiseNode): void {
    if (this.isOthers || owner?.family !== this || !owner.isPending || !this.tasks.passOn(owner, made)) return;
    this.isChain = true;
    this.occupancy.passOn();
  }

  /** Whether its calls bring one another about, and are drawn so. */
  get isLanes(): boolean { return this.isChain && this.draft !== undefined; }

  /**
   * A loop that awaits one call at a time is over where a call begins beside another. Where another running function, or none at all, makes it
   * at the one place where all of them were made, one more worker has begun to work them off.
   */
  isLoopLeftBy(node: PromiseNode): boolean {
    const { last } = this;
    if (this.draft?.facts.kind !== 'sequential' || !this.isActive || last?.isPending !== true) return false;
    const place = callFrameOf(node)?.place;
    return (node.owner !== undefined && node.owner === last.owner) || place === undefined || !this.isCalledOnlyAt(place);
  }

  /** Takes out calls that were made last: they are the first of something else. */
  takeOut(calls: readonly PromiseNode[]): void {
    for (const call of calls) {
      this.places.add(call, -1);
      if (endOf(call).isPending) this.occupancy.takeOut();
      this.count--;
      const at = this.earliest.indexOf(call);
      if (at >= 0) this.earliest.splice(at, 1);
      this.tasks.remove(call, this.draft);
    }
  }

  /**
   * `const pool = (items) => new Promise((done) => { … next() … })`: whether the latest call was the first one behind a promise that a plain function made
   * when all others were over, and another one now comes with it. That is one more run of the pool; what a limiter lets begin comes behind a promise each.
   */
  isRunBegunBy(second: PromiseNode): boolean {
    const { last } = this;
    if (!last?.begunIn || last.tick !== second.tick || second.begunIn || !this.occupancy.wasIdle || this.count < 2 || this.libraryCall || this.isChain) return false;
    return callFrameOf(second)?.place.fn !== topOf(second.owner?.stack)?.place.fn;
  }

  /** Its calls are another group's tasks after all. @returns the group it had made of them */
  giveUp(): GroupDraft | undefined {
    const { draft } = this;
    // What is settled for good could go into no other group any more.
    if (draft && draft.settledCount > 0) return undefined;
    this.leaveToOthers();
    return draft;
  }

  /** Whether a group is what its calls look like, and nobody holds these together. */
  isNobodys(group: GroupDraft): boolean { return this.draft === group && group.settledCount === 0 && !this.collector && !this.libraryCall; }

  /** A call is about to be forgotten. As another group's task it tells, for as long as anything does, that so are all of these calls. */
  retiring(node: PromiseNode): void { if (!this.isOthers && !this.draft && isTasksOwn(node)) this.leaveToOthers(); }

  /** The promise of one of its calls was there at once: if the call is any work, that is behind it. */
  beginsAtOnce(): void { if (this.begunAtOnce++ === 0) this.begunLater = this.count - 1; }

  /** Whether one of these went on in links behind it. */
  mayGoOn = false;

  /** Whether that was so with all of its calls since the first of which it was: before, some may have waited for what all are given since, but none for room. */
  get areBegunAtOnce(): boolean { return this.begunAtOnce > 0 && this.begunLater + this.begunAtOnce === this.count; }

  /** A call that seemed to be over was not, before a later link of its chain, which has settled. */
  endsBy(node: PromiseNode, by: PromiseNode): void { this.tasks.endsBy(node, by); }

  /** A call that seemed to be over goes on in a later link of its chain. @returns false where it is drawn as over already */
  reopens(node: PromiseNode): boolean {
    const goesOn = this.isOthers || this.tasks.takeBack(node);
    if (goesOn) this.occupancy.comesBack();
    return goesOn;
  }

  /** What has failed in one of its calls is tried again. */
  triesAgain(node: PromiseNode): void { this.tasks.triesAgain(node); }

  /** Whether its calls are requests: one is over when it is answered, whatever is done with the answer, unless a function with a name gave all of that. */
  get areRequests(): boolean { return this.api?.isRequest === true; }

  /** Whether a burst of calls at the same place came before its own. */
  get areAgain(): boolean { return this.rounds.isAgain; }

  /** Its calls come after another family's, which are over. */
  follow(others: Family): void { this.rounds.follow(others.rounds); }

  /** True where one call of a library's has called several at once. */
  isRun = false;
  /** True where it has only some of the calls that were made in its scope: those of the lanes that one combinator takes. */
  isPart = false;

  /** All its calls, in the order in which they were made; undefined where some are settled for good. */
  separable(): readonly PromiseNode[] | undefined {
    if (this.isOthers || (this.draft && this.draft.settledCount > 0)) return undefined;
    return [...[...this.draft?.recentTasks ?? []].map(({ work }) => work), ...this.tasks.undrawn];
  }

  /** Gives its calls to another family. */
  release(): readonly PromiseNode[] { return this.leaveToOthers(); }

  /** @returns its calls that are not drawn yet */
  private leaveToOthers(): readonly PromiseNode[] {
    this.isOthers = true;
    this.draft = undefined;
    this.occupancy.forgetPassedOn();
    return this.tasks.clear();
  }

  /** Brings the group up to date, if it is one. */
  update(): GroupDraft | undefined {
    if (this.draft) this.tasks.draw(this.draft, this.rounds.chunk);
    return this.draft;
  }

  /** Judged with each call, not with each look at the family: what it is must not hang on when somebody looks. */
  private judge(): void {
    if (this.isOthers) return;
    const verdict = this.verdicts.now();
    switch (verdict) {
      case 'pool': case 'sequential': this.drawAs(verdict); break;
      case 'left-alone': this.drawAsBurst(); break;
      case 'others': this.leaveToOthers(); break;
      case 'hand-overs': if (this.tasks.undrawn.length > this.unsure) this.forgetHandOvers(); break;
      case 'open':
    }
  }

  private drawAs(kind: 'pool' | 'sequential'): void {
    const isPool = kind === 'pool';
    if (!this.draft) {
      const site = this.site();
      if (!site && !isUserCall(this.earliest[0]) && isLibrarysCall(this.earliest[0])) return;
      this.draft = (isPool ? this.rounds.refilled() : undefined) ?? new GroupDraft({
        thread: this.thread, kind, library: this.libraryCall ? libraryMaking(this.libraryCall) : this.api?.library, combinator: undefined,
        site, taskSite: this.taskSite(), declared: undefined,
      });
    }
    this.draft.home ??= this.fedIn;
    this.draft.heldBy ??= this.collector?.node;
    // Bursts were what there was room for by chance, where others now take the places of single ones.
    if (isPool && this.occupancy.refills > 1 && this.rounds.chunk > 0 && this.draft.settledCount === 0) {
      this.rounds.end();
      this.draft.forgetChunks();
    }
    if (this.rounds.chunk === 0) this.draft.change({ kind });
  }

  /** What was begun in one go was as many as there is room for, where others took the places of those that ended, and there were never more. */
  private drawAsBurst(): void {
    const { peak, refills } = this.occupancy;
    if (this.rounds.isFirst) this.draft?.change({ kind: refills > 1 && peak <= this.arrivals.mostInOneGo ? 'pool' : 'all' });
  }

  /** A loop that did no work so far may go on so for ever; of a deep recursion all calls are pending. */
  private forgetHandOvers(): void {
    this.tasks.forgetOver();
    this.unsure = Math.max(MAX_UNSURE, 2 * this.tasks.undrawn.length);
  }

  /** One of its calls is over. @param end the promise by which it is: its own, or a link behind it @param tick the run of code in which that settled */
  settle(node: PromiseNode, end: PromiseNode, tick: number): void {
    const hasPassedOn = this.tasks.hasPassedOn(node);
    this.occupancy.leaves(end.ended, hasPassedOn);
    this.isDrained = !this.isActive && this.occupancy.peak > 1 && isAwaitingAll(node.owner);
    this.arrivals.settle(tick, end.ended);
    if (tick !== node.tick || (end.ended - node.made >= NO_WORK_MS && !leavesWork(node))) this.lasting = node;
    this.efforts.add(node.made, end.ended, hasPassedOn);
    if (!this.isOthers) this.tasks.settle(node, end);
    if (tick !== node.tick && this.occupancy.makesRoom()) this.judgeBurst(this.tasks.undrawn.slice(this.busyFrom));
    if (this.count === 2 && !this.draft) this.judge();
  }

  /** The first of calls that were made in one go is through: nobody may be waiting for them. */
  private judgeBurst(calls: PromiseNode[]): void {
    if (this.draft || this.isOthers || this.libraryCall || !areBurst(calls, this) || onlySubmit(calls)) return;
    // A call that was through before was one of its own.
    this.api = this.api && apiCallOf(calls[0]);
    this.earliest.splice(0, this.earliest.length, ...calls.slice(0, LOOP_TASKS - 1));
    this.tasks.keep(calls);
    this.draft = this.rounds.begin() ?? new GroupDraft({
      thread: this.thread, kind: 'all', library: this.api?.library, combinator: undefined, site: this.site(), taskSite: this.taskSite(), declared: undefined,
    });
  }

  /** A library's call, that the program made, makes its calls, or goes on with them. */
  madeBy(library: PromiseNode): void {
    const isFirst = !this.libraryCall;
    this.libraryCall = library;
    if (!isFirst || !this.draft) return;
    this.rounds.end();
    this.draft.change({ kind: 'pool', library: libraryMaking(library), site: this.site() });
  }

  /** A combinator takes its tasks, or lanes of them. */
  collectedBy(call: CombinatorCall): void {
    if (call.combinator !== 'race') this.collector ??= call;
    if (this.draft) this.draft.heldBy ??= this.collector?.node;
    // What was begun in one go, and left alone for a while, is what the combinator says that it is.
    if (call.isForAll && this.draft?.facts.kind === 'all') this.draft.change({ kind: call.combinator, combinator: call.combinator });
    if (call.frame) this.collectedAt(call.frame, call.combinator === 'race');
  }

  /** A `race` or `all` over its tasks tells where the pool stands. */
  collectedAt(frame: Stack, isRace: boolean): void {
    if (this.libraryCall || (!isRace && this.isCollected)) return;
    this.isCollected = true;
    this.isRaced ||= isRace;
    this.draft?.change({ site: siteOf(frame) });
    this.collectFrame = frame;
    // It may have been taken for the work of what turned out to collect it only now, when there is no more to come.
    if (this.last) this.judge();
  }

  /** Whether its calls only wait, as far as a name tells. */
  get isPause(): boolean { return isPause(this.earliest[0]); }

  private taskSite(): ReturnType<typeof familyTaskSite> { return familyTaskSite(this.earliest[0], this.api); }

  private site(): ReturnType<typeof familySite> { return familySite(this.earliest[0], [...this.earliest.slice(1), ...this.last ? [this.last] : []], this); }
}

/** No run of code has this number. */
const NO_TICK = -1;
