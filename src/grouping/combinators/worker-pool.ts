/**
 * Workers under one combinator: each element is a rail, and each turn of its loop is a task.
 *
 *   worker 1  ▇▇▇▇ ▇▇ ▇▇▇▇▇▇
 *   worker 2  ▇▇ ▇▇▇▇▇▇ ▇▇▇        a turn: from the call at the loop's place to the end of what was awaited last
 */
import type { CombinatorCall } from './combinator-call';
import { GroupDraft, TaskDraft } from '../drafts';
import { isBetween, isBrought, laneOf, type Work } from './loops';
import { functionSiteOf, siteOf, topOf, type Place, type Stack } from '../promises/places';
import { isPause, isPauses } from '../promises/pauses';
import { type CallPlace, callsAt, functionKeyOf, inOrder, isIteratorStep, isUserCall, type PromiseNode } from '../promises/promise-node';
import { chainHeadOf, endOf, headOf, sourceOf } from '../promises/chain-links';
import { callFrameOf } from '../promises/scopes';
import { taskFrameOf } from './series';
import { WorkerSigns } from './worker-signs';

/** What is said of a pool of workers as a group. */
export interface WorkerPoolFacts {
  readonly thread: number;
  readonly site: ReturnType<typeof siteOf> | undefined;
  readonly combinator: CombinatorCall['combinator'] | undefined;
  /** How many workers are known to be all. */
  readonly declared: number | undefined;
}

/** That something failed is told no later than so long after, in milliseconds. */
const TOLD_MS = 100;

export class WorkerPool {
  readonly draft: GroupDraft;
  private readonly turns = new Map<PromiseNode, TaskDraft>();
  private readonly lanes = new Map<PromiseNode, number>();
  /** By lane, who was taken on there last. */
  private readonly latestIn = new Map<number, PromiseNode>();
  private laneCount = 0;
  /** Of each worker what it called last in its turn, pauses with a name aside, and what before that. */
  private readonly latestCalls = new Map<PromiseNode, readonly PromiseNode[]>();
  /** Lanes beside the workers', and when each is free again. */
  private readonly besides: { readonly lane: number; freeAt: number }[] = [];
  /** Whether they are workers at all. */
  readonly signs: WorkerSigns;

  /** @param call the combinator call that holds the workers, where there is one */
  constructor(readonly place: Place, workers: readonly PromiseNode[], facts: WorkerPoolFacts, private readonly call?: CombinatorCall) {
    this.draft = new GroupDraft({ ...facts, kind: 'pool', library: undefined, taskSite: undefined });
    this.draft.heldBy = call?.node;
    this.signs = new WorkerSigns(place, this.draft, this.lanes);
    this.employ(workers);
  }

  /** The workers that a combinator was given. */
  static under(call: CombinatorCall, { workers, place }: Work, thread: number): WorkerPool {
    const { site, combinator } = call;
    return new WorkerPool(place, workers, { thread, site, combinator, declared: workers.length }, call);
  }

  /** Takes workers in, with what they have done so far. */
  employ(workers: readonly PromiseNode[]): void {
    const { place } = this;
    for (const worker of workers) this.lanes.set(worker, this.laneFor(worker));
    const past = workers.flatMap((worker) => (worker.scope?.calls ?? []).flatMap((calls) => calls.nodes.map((node) => ({ node, calls }))));
    for (const { node, calls } of past.sort((a, b) => a.node.made - b.node.made)) if (calls.place === place) this.begin(node); else this.endBefore(node, calls);
    for (const worker of workers) {
      this.takeOtherCalls(worker);
      if (!worker.isPending) this.finish(worker);
    }
  }

  /** Workers of elements that have called another one since. */
  private readonly followed: PromiseNode[] = [];

  /** An element of the combinator calls the workers' function once more, where its worker failed. @returns whether it does */
  hires(node: PromiseNode): boolean {
    const before = node.owner && node.isAsyncFunction && !this.has(node.owner) ? this.delegateOf(node.owner) : undefined;
    if (!before || functionKeyOf(before) !== functionKeyOf(node)) return false;
    this.lanes.set(node, this.lanes.get(before) ?? 0);
    this.followed.push(before);
    return true;
  }

  /**
   * Whether what elements called again and again had not failed, for the most part: then it is what they work on, with a loop inside, and they are the workers.
   * @param time what ended well before is known to have failed, if it has: milliseconds after the run's `timeOrigin`
   */
  isOfTurns(time: number): boolean {
    const known = this.followed.filter(({ ended }) => time - ended > TOLD_MS);
    return known.filter(({ rejected }) => !rejected).length * 2 > known.length;
  }

  /** Whether code that was begun by the end of one of its workers, which had not failed, called something. */
  isBegunByEnd({ begunBehind, madeBehind }: PromiseNode): boolean {
    // `work(job).catch(note).then(() => this.fill())`: behind the end of a chain that begins with it.
    const head = madeBehind && headOf(madeBehind);
    for (const worker of this.lanes.keys()) if (worker.id === begunBehind || worker === head) return !worker.rejected;
    return false;
  }

  /** Its workers, in the order in which they were called. */
  get workers(): readonly PromiseNode[] { return inOrder(this.lanes.keys()); }

  /** The calls that turns began with, by their workers. */
  get turnCalls(): readonly (readonly PromiseNode[])[] {
    const turns = new Map<PromiseNode, PromiseNode[]>();
    for (const { work } of this.draft.recentTasks) {
      const worker = laneOf(work);
      // What was only just made comes to its family by itself.
      if (!worker || !this.has(worker) || !work.family) continue;
      const calls = turns.get(worker);
      if (calls) calls.push(work); else turns.set(worker, [work]);
    }
    return [...turns.values()];
  }

  /** Whether it is one of the workers. */
  has(worker: PromiseNode): boolean { return this.lanes.has(worker); }

  /** A task of the pool's that none of its workers ran: who handed it in did so, or was refused. It is over. */
  addBeside(work: PromiseNode): void {
    let beside = this.besides.find(({ freeAt }) => freeAt <= work.made);
    if (!beside) this.besides.push(beside = { lane: ++this.laneCount, freeAt: 0 });
    beside.freeAt = work.ended;
    const task = new TaskDraft(work, work.made);
    work.task = task;
    this.draft.add(task, beside.lane, 0);
    task.finish(work.ended, work.rejected, false);
    task.error = work.error;
  }

  /** The lane of one who has gone home when the worker was called, where nobody else took it; else one more. */
  private laneFor(worker: PromiseNode): number {
    let lane = this.call ? undefined : [...this.latestIn].find(([, { ended }]) => ended <= worker.made)?.[0];
    lane ??= ++this.laneCount;
    this.latestIn.set(lane, worker);
    return lane;
  }

  /** Whether some of its workers are not through. */
  get isActive(): boolean { return [...this.lanes.keys()].some((worker) => worker.isPending); }

  /** Takes all turns back: its promises stand for no tasks. To be used no more. */
  dissolve(): void {
    for (const { work } of this.draft.recentTasks) if (this.hasDrawn(work)) work.task = undefined;
    for (const worker of this.lanes.keys()) {
      if (this.hasDrawn(worker)) worker.task = undefined;
      for (const { nodes } of worker.scope?.calls ?? []) for (const node of nodes) if (this.hasDrawn(node)) node.task = undefined;
    }
  }

  hasDrawn({ task }: PromiseNode): boolean { return task?.group === this.draft; }

  /** Whether a call is of the function that the workers call. */
  isLikeTurns(work: PromiseNode): boolean {
    const first = this.draft.first?.work;
    return first !== undefined && functionKeyOf(first) === functionKeyOf(work);
  }

  /** The promise that was handed out for a task is settled: its turn is over, whatever the worker does until the next one. */
  settleTurn({ task, ended, rejected }: PromiseNode): void {
    if (task?.group !== this.draft || !Number.isNaN(task.end)) return;
    task.finish(ended, rejected || task.rejected, this.isIgnored(ended));
    this.draft.touch(task);
  }

  /** A worker called something: its next turn, or something besides. */
  called(node: PromiseNode, calls: CallPlace): void {
    const worker = laneOf(node);
    if (!worker || !this.has(worker)) return;
    if (calls.place !== this.place) { this.calledElsewhere(node, calls); return; }
    this.begin(node);
    calls.nodes.length = 0;
  }

  /** A worker called its place: one turn ends, the next begins. */
  private begin(node: PromiseNode): void {
    const worker = laneOf(node);
    if (!worker) return;
    this.signs.judgeHomes();
    this.endTurn(worker, node.made, false);
    this.signs.began(worker, node, this.turns.get(worker));
    const turn = new TaskDraft(node, node.made);
    turn.queueSince(node.submitted);
    node.task = turn;
    worker.task = turn;
    this.turns.set(worker, turn);
    this.latestCalls.set(worker, [node]);
    this.draft.add(turn, this.lanes.get(worker) ?? 0, 0);
    if (!this.draft.facts.taskSite) this.draft.change({ taskSite: this.taskSite(node) });
    if (node.rejected) this.fail(node);
  }

  /** A worker called another place: where it waits for its next piece of work there, or for what comes before that, as a gate does, its turn is over. */
  private calledElsewhere(node: PromiseNode, calls: CallPlace): void {
    this.signs.calledElsewhere(calls);
    if (this.endBefore(node, calls)) return;
    const worker = laneOf(node);
    takeBeside(node, worker?.task);
    if (worker && !isPause(node)) this.latestCalls.set(worker, [node, ...(this.latestCalls.get(worker) ?? []).slice(0, 1)]);
  }

  /** A worker's turn is over before a call, if that is to get the next piece of work, or to get ready for it. @returns whether it is */
  private endBefore(node: PromiseNode, calls: CallPlace): boolean {
    const worker = laneOf(node);
    const turn = worker && this.turns.get(worker);
    const isForNext = turn !== undefined && this.isForNext(node, turn);
    if (worker && isForNext) this.signs.prepares(worker, node);
    const isOver = isForNext || isBetween(calls);
    if (isOver) this.endTurn(worker, node.made, false);
    return isOver;
  }

  /** `await crawl(url); await sleep(20);`: what a worker only waits for behind a turn is no part of that. What a timer alone settles is a pause by any name, unless the work is. */
  private isPauseBehind(wait: PromiseNode, { work }: TaskDraft): boolean {
    const { byTimer, isAsyncFunction } = sourceOf(wait);
    return !isPause(work) && (isPause(sourceOf(wait)) || (byTimer && !isAsyncFunction && !work.byTimer));
  }

  /** A worker is through, or has died of an error; or an element is, that waited for one. */
  finish(worker: PromiseNode): void {
    const lane = this.has(worker) ? worker : this.delegateOf(worker);
    if (!lane) return;
    this.signs.judgeHomes();
    const turn = this.turns.get(lane);
    this.endTurn(lane, this.closedAt(lane) ?? worker.ended, worker.rejected && !(turn && this.isForNext(lane.lastWait, turn)));
    // A supervisor may call another one.
    if (worker.rejected || (lane === worker && this.isDelegate(worker))) return;
    this.signs.wentHome(lane, turn);
  }

  private isDelegate({ awaitingCall, owner }: PromiseNode): boolean { return this.call !== undefined && !awaitingCall && owner?.awaitingCall === this.call; }

  /** The latest worker that an element has called. */
  private delegateOf(element: PromiseNode): PromiseNode | undefined {
    if (!this.call || element.awaitingCall !== this.call) return undefined;
    let latest: PromiseNode | undefined;
    for (const worker of this.lanes.keys()) if (worker.owner === element) latest = worker;
    return latest;
  }

  /** When a worker that had begun several turns called something in the last of them that it had never called before: what it closes with. */
  private closedAt(worker: PromiseNode): number | undefined {
    const turn = this.turns.get(worker);
    if (!turn || !this.signs.isRepeating(worker)) return undefined;
    let at: number | undefined;
    for (const { place, nodes } of worker.scope?.calls ?? []) {
      if (place !== this.place && nodes.length === 1 && nodes[0].made > turn.start && !(nodes[0].made >= (at ?? Infinity))) at = nodes[0].made;
    }
    return at;
  }

  /** A worker, or something that it called itself, was rejected: so was its turn. */
  fail(node: PromiseNode): void {
    const turn = node.task;
    if (turn?.group !== this.draft || this.isForNext(this.has(node) ? node.lastWait : node, turn)) return;
    if (!turn.rejected && this.isFollowed(turn)) this.signs.failedBefore();
    turn.rejected = true;
    turn.error ??= node.error;
    this.draft.touch(turn);
  }

  /** Whether a worker called something once its turn's work was over that it calls before each of its turns, as for a token: it belongs to the next one. */
  private isForNext(wait: PromiseNode | undefined, { work }: TaskDraft): boolean {
    if (!wait || !(endOf(work).ended <= sourceOf(wait).made)) return false;
    const calls = laneOf(work)?.scope?.calls ?? [];
    const place = callFrameOf(sourceOf(wait))?.place;
    const at = calls.findIndex((known) => known.place === place);
    return at >= 0 && at < calls.findIndex((known) => known.place === this.place);
  }

  private isFollowed(turn: TaskDraft): boolean {
    const worker = laneOf(turn.work);
    return worker !== undefined && this.turns.get(worker) !== turn;
  }

  /** What a worker called besides belongs to the turn it did that in. */
  private takeOtherCalls(worker: PromiseNode): void {
    const turns = callsAt(worker, this.place);
    for (const { nodes } of worker.scope?.calls ?? []) {
      let next = 0;
      for (const node of nodes) {
        while (next < turns.length && turns[next].made <= node.made) next++;
        takeBeside(node, turns[next - 1]?.task);
      }
    }
  }

  private endTurn(worker: PromiseNode | undefined, latest: number, rejected: boolean): void {
    const turn = worker && this.turns.get(worker);
    if (!turn || !Number.isNaN(turn.end)) return;
    const waited = this.waitedUntil(worker, turn);
    turn.finish(waited >= turn.start && waited <= latest ? waited : latest, rejected || turn.rejected || turn.work.rejected, this.isIgnored(latest));
    this.draft.touch(turn);
  }

  /** Until when a worker waited for something that belongs to a turn; NaN where it did not, or does still. */
  private waitedUntil(worker: PromiseNode, turn: TaskDraft): number {
    const { lastWait } = worker;
    if (!lastWait) return NaN;
    // `await load(id).then(save)`, `await sleep(3).then(() => load(id)).then(save)`: until the chain is over that the turn began, or began in.
    const chain = (turn.work.chainEnd ? turn.work : chainHeadOf(turn.work))?.chainEnd;
    if (chain && chain.awaitedBy === worker) return chain.ended;
    if (this.isPauseBehind(lastWait, turn)) return this.latestCalls.get(worker)?.find((call) => call !== sourceOf(lastWait))?.ended ?? NaN;
    const isForMore = sourceOf(lastWait).isTurn || isIteratorStep(sourceOf(lastWait)) || (sourceOf(lastWait) !== turn.work && isBrought(lastWait));
    return isForMore ? lastWait.made : lastWait.ended;
  }

  private isIgnored(end: number): boolean {
    return this.call?.isDecided === true && end > this.call.node.ended;
  }

  /** The function the loop calls; where it is but a timer or the like, the place of the call. */
  private taskSite(node: PromiseNode): ReturnType<typeof siteOf> | undefined {
    const frame = callFrameOf(node);
    const own = isUserCall(node) ? taskFrameOf(node, frame?.place.fn) : undefined;
    const isNamed = own !== undefined && own.place.name !== '' && own.place.fn !== frame?.place.fn && !isPauses(own.place.name);
    if (isNamed || (own && node.isAsyncFunction)) return functionSiteOf(own);
    const called = frame && calledFrom(frame, node);
    const isTask = called && (called.place.name === '' || (!isUserCall(node) && !isPauses(called.place.name)));
    return isTask ? functionSiteOf(called) : frame && siteOf(frame);
  }
}

/** The combinator call that a worker is an element of, or what an element has called and waits for. */
export function callHolding(worker: PromiseNode | undefined): CombinatorCall | undefined {
  if (!worker || worker.awaitingCall) return worker?.awaitingCall;
  const call = worker.owner?.awaitingCall;
  return call?.pool instanceof WorkerPool && call.pool.has(worker) ? call : undefined;
}

/** What a worker called in a turn belongs to that, and may be a task of another group in it. */
function takeBeside(node: PromiseNode, turn: TaskDraft | undefined): void {
  if (node.task || !turn) return;
  node.task = turn;
  node.isBeside = true;
}

/** The program's function that code called, in which a promise was made: `(id) => sleep(id)`, handed to who calls it. */
function calledFrom(frame: Stack, { stack }: PromiseNode): Stack | undefined {
  let at = topOf(stack);
  while (at && at.callers !== frame) at = at.callers;
  return at?.place.kind === 'user' ? at : undefined;
}
