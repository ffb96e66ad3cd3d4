/**
 * Workers under one combinator: each element is a rail, and each turn of its loop is a task.
 *
 *   worker 1  ▇▇▇▇ ▇▇ ▇▇▇▇▇▇
 *   worker 2  ▇▇ ▇▇▇▇▇▇ ▇▇▇        a turn: from the call at the loop's place to the end of what was awaited last
 */
import type { CombinatorCall } from './combinator-call';
import { GroupDraft, TaskDraft } from './drafts';
import { siteOf, type Place } from './places';
import { functionKeyOf, isUserCall, sourceOf, type CallPlace, type PromiseNode } from './promise-node';
import { callFrameOf, Scope } from './scopes';
import { taskSiteOf } from './series';

/** Of what a function called from one place, only the latest calls are kept: nobody awaits the older ones any more. */
const KEPT_CALLS = 4096;

/** Notes that a running function called something, by the place in it. */
export function recordCall(node: PromiseNode): CallPlace | undefined {
  const { owner } = node;
  if (!owner || (owner.stack !== undefined && !isUserCall(owner))) return undefined;
  const place = callFrameOf(node)?.place;
  const calls = ((owner.scope ??= new Scope()).calls ??= []);
  // Nobody looked at this one's stack: it is like its predecessor, where there was only one kind.
  let call = place ? calls.find((known) => known.place === place) : calls.length === 1 ? calls[0] : undefined;
  if (!call) {
    if (!place) return undefined;
    call = { place, nodes: [], seen: 0, oneByOne: true };
    calls.push(call);
  }
  const last = call.nodes[call.nodes.length - 1];
  // Called again in the same run of code: a burst, not a loop that awaits.
  if (last?.tick === node.tick) call.oneByOne = false;
  if (place) call.seen++;
  call.nodes.push(node);
  if (call.nodes.length >= 2 * KEPT_CALLS) call.nodes.splice(0, KEPT_CALLS);
  return call;
}

/** The place that the elements call again and again, if they are workers. */
export function workPlaceOf(call: CombinatorCall): Place | undefined {
  const workers = call.elements.map(sourceOf);
  if (workers.length < 2) return undefined;
  const fn = functionKeyOf(workers[0]);
  let place: Place | undefined;
  for (let i = 0; i < workers.length && !place; i++) {
    place = workers[i].scope?.calls?.find((calls) => isLoop(calls) && !call.notLoops.has(calls.place))?.place;
  }
  if (!place) return undefined;
  let calling = 0;
  let latestTurn = -Infinity;
  let firstIdle = Infinity;
  for (const worker of workers) {
    if (functionKeyOf(worker) !== fn) return undefined;
    const calls = worker.scope?.calls?.find((known) => known.place === place);
    if (calls && !calls.oneByOne) { call.notLoops.add(place); return undefined; }
    if (calls) { calling++; latestTurn = Math.max(latestTurn, calls.nodes[calls.nodes.length - 1].made); }
    if ((calls?.nodes.length ?? 0) < 2 && !worker.isPending) firstIdle = Math.min(firstIdle, worker.ended);
  }
  // A worker goes home when there is no more work. Where one is through after a single turn and others go on to new
  // turns later, they are tasks that happen to have a loop of their own (a retry, pages), not workers.
  if (latestTurn > firstIdle) call.notLoops.add(place);
  return calling * 2 >= workers.length && latestTurn <= firstIdle ? place : undefined;
}

/** A combinator called again and again is a chunk loop inside of a task. */
export const isLoop = (calls: CallPlace): boolean => calls.oneByOne && calls.seen > 1 && !calls.nodes[0]?.combinator;

export class WorkerPool {
  readonly draft: GroupDraft;
  private readonly turns = new Map<PromiseNode, TaskDraft>();
  private readonly lanes = new Map<PromiseNode, number>();

  constructor(readonly call: CombinatorCall, readonly place: Place, thread: number) {
    const { site, combinator } = call;
    this.draft = new GroupDraft({ thread, kind: 'pool', combinator, site, declared: call.elements.length, taskSite: undefined });
    const workers = call.elements.map(sourceOf);
    workers.forEach((worker, index) => this.lanes.set(worker, index + 1));
    const past = workers.flatMap((worker) => worker.scope?.calls?.find((calls) => calls.place === place)?.nodes ?? []);
    for (const node of past.sort((a, b) => a.made - b.made)) this.begin(node);
    for (const worker of workers) {
      this.takeOtherCalls(worker);
      if (!worker.isPending) this.finish(worker);
    }
  }

  /** A worker called its place: one turn ends, the next begins. */
  begin(node: PromiseNode): void {
    const worker = node.owner;
    if (!worker) return;
    this.endTurn(worker, node.made, false);
    const turn = new TaskDraft(node, node.made);
    node.task = turn;
    worker.task = turn;
    this.turns.set(worker, turn);
    this.draft.add(turn, this.lanes.get(worker) ?? 0, 0);
    if (!this.draft.facts.taskSite) this.draft.change({ taskSite: this.taskSite(node) });
    if (node.rejected) this.fail(node);
  }

  /** A worker is through, or has died of an error. */
  finish(worker: PromiseNode): void { this.endTurn(worker, worker.ended, worker.rejected); }

  /** A worker, or something that it called itself, was rejected: so was its turn. */
  fail(node: PromiseNode): void {
    const turn = node.task;
    if (turn?.group !== this.draft) return;
    turn.rejected = true;
    this.draft.touch(turn);
  }

  /** What a worker called besides belongs to the turn it did that in. */
  private takeOtherCalls(worker: PromiseNode): void {
    const turns = worker.scope?.calls?.find((calls) => calls.place === this.place)?.nodes ?? [];
    for (const { nodes } of worker.scope?.calls ?? []) {
      let next = 0;
      for (const node of nodes) {
        while (next < turns.length && turns[next].made <= node.made) next++;
        node.task ??= turns[next - 1]?.task;
      }
    }
  }

  private endTurn(worker: PromiseNode, latest: number, rejected: boolean): void {
    const turn = this.turns.get(worker);
    if (!turn || !Number.isNaN(turn.end)) return;
    const waited = worker.lastWait?.ended ?? NaN;
    turn.finish(waited >= turn.start && waited <= latest ? waited : latest, rejected || turn.rejected || turn.work.rejected, this.isIgnored(latest));
    this.draft.touch(turn);
  }

  private isIgnored(end: number): boolean {
    const { node } = this.call;
    return this.call.isDecided && end > node.ended;
  }

  /** The function the loop calls; where it is but a timer or the like, the place of the call. */
  private taskSite(node: PromiseNode): ReturnType<typeof siteOf> | undefined {
    const frame = callFrameOf(node);
    return node.isAsyncFunction && isUserCall(node) ? taskSiteOf(node) : frame && siteOf(frame);
  }
}
