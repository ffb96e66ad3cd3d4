/**
 * Combinator calls that follow one another at one place: a chunk loop, or a single call.
 *
 *   await Promise.all(▇▇▇)  await Promise.all(▇▇▇)  await Promise.all(▇▇)
 *   └── chunk 1 ──────────┘ └── chunk 2 ──────────┘ └── chunk 3 ────────┘
 */
import { RootKind } from '../../model/facts';
import { apiCallOf } from '../promises/api-calls';
import { chainFrameOf } from '../families/chains';
import type { CombinatorCall } from './combinator-call';
import { isWholeOf } from './combinator-kinds';
import { GroupDraft, TaskDraft } from '../drafts';
import { isQueueWait, waiterOf } from '../promises/pauses';
import { functionSiteOf, topOf, userFrame, type Stack } from '../promises/places';
import { functionKeyOf, isUserCall, type PromiseNode } from '../promises/promise-node';
import { chainHeadOf, headOf, sourceOf } from '../promises/chain-links';
import { firstStepOf, isBegunAtOnce, stepsBegin } from '../promises/chain-steps';
import { onlyCalls, workOf } from '../promises/work-of';
import { chainOf, type Scope } from '../promises/scopes';

export class Series {
  /** Where it is looked up. */
  private readonly kept: { readonly scope: Scope; readonly key: string }[] = [];
  private calls = 0;
  private latest: CombinatorCall;
  readonly draft: GroupDraft;
  /** How many helpers, one in the other, were called again and again for its calls; 0 where none was. */
  helpers = 0;
  /** True once one of its calls was made in a reaction to the one before: what is not made so is another run of the same code. */
  isChained = false;
  /** True where calls of the same helper, made at the same place, have run beside one another: those are no loop's chunks. */
  isBeside = false;
  /** True where it began beside another call of its place, and no async function made either: callbacks did, each for a task of its own. */
  isCallbacks = false;
  /** True as long as the running function that made a call made none behind it, but for what had failed in that. */
  private onlyTriesAgain = true;
  /** True once two of its calls were made in reactions of one chain. */
  private isOfOneChain = false;
  /** True once promises started before were only awaited in slices: no chunks, whatever it looks like. */
  private prestarted = false;
  /** Elements of its that seem to wait for their turn. */
  private readonly held = new Set<PromiseNode>();
  /** True where nobody knows which of these is let in, but that one is with each that ends. */
  private letsIn = false;
  /** True as long as its tasks are wholes with tasks of their own: these say nothing of where the work is. */
  private isOfWholes = true;

  constructor(first: CombinatorCall, thread: number) {
    const { combinator, site } = first;
    this.draft = new GroupDraft({ thread, kind: first.isRacedAgain ? 'all' : combinator, combinator, site, library: first.node.library, taskSite: undefined, declared: undefined });
    this.draft.heldBy = first.node;
    this.latest = first;
    this.append(first);
  }

  get last(): CombinatorCall { return this.latest; }
  get callCount(): number { return this.calls; }

  /** Whether a call is made in another chain than those that were made in one, which begins with a value and in no reaction of that: another run of a helper without `async`. */
  isOfOtherChain(call: CombinatorCall): boolean {
    const head = chainHeadOf(call.node);
    return this.isOfOneChain && head?.settledAtOnce === true && !head.madeIn && head !== chainHeadOf(this.latest.node);
  }

  /** Whether each call of a helper may be one turn of a loop: its only chunk, and tries of what failed there. */
  get areTurns(): boolean { return this.helpers > 0 || this.calls === 1 || this.onlyTriesAgain; }

  /** Whether the call of a helper in which the latest call was made is not through. */
  get isHelperRunning(): boolean { return this.last.node.isPending || this.last.node.owner?.isPending === true; }

  /** Makes it known by a key. */
  keepAs(scope: Scope, key: string): void {
    if (scope.series?.get(key) === this) return;
    (scope.series ??= new Map()).set(key, this);
    this.kept.push({ scope, key });
  }

  /** Makes it known as a helper's. @param keys the first of them for calls from one place */
  keepAsHelpers(scope: Scope, keys: readonly string[]): void {
    const before = scope.series?.get(keys[0]);
    if (before && before !== this) this.isBeside ||= before.isBeside || before.isHelperRunning;
    for (const key of keys) this.keepAs(scope, key);
  }

  /** Makes it unknown. */
  drop(): void {
    for (const { scope, key } of this.kept.splice(0)) if (scope.series?.get(key) === this) scope.series.delete(key);
  }

  /** Whether a call came only when the latest one was through, with work that began after it. */
  isFollowedBy(call: CombinatorCall): boolean {
    const { node } = this.last;
    return !this.prestarted && !node.isPending && call.elements.every((element) => !(startOf(element) < node.ended));
  }

  /** Whether a call takes more of what had all been started before the latest call was made. */
  sharesStartWith(call: CombinatorCall): boolean {
    const { node } = this.last;
    return call.node.made > node.made && call.elements.every((element) => startOf(element) <= node.made);
  }

  /** Whether an element is one of its tasks that are through: a list to which the next chunk was added, and that nobody had emptied, still holds it. */
  isDoneWith(element: PromiseNode): boolean { return !element.isPending && element.task?.group === this.draft; }

  /** Adds a call whose promises had been started before: one group of tasks, no chunks. */
  merge(call: CombinatorCall): void {
    this.prestarted = true;
    this.append(call);
  }

  append(call: CombinatorCall): void {
    for (const element of this.held) this.letGo(element);
    if (this.calls > 0) this.noteNext(this.latest, call);
    this.calls++;
    this.latest = call;
    call.series = this;
    const chunk = this.prestarted || this.calls < 2 ? 0 : this.calls;
    if (chunk === 2) {
      this.draft.change({ kind: 'chunk' });
      this.draft.closeFirstChunk();
    }
    let lane = this.prestarted ? this.draft.taskCount : 0;
    for (const element of call.elements) if (isTask(element)) this.addTask(call, element, ++lane, chunk);
  }

  /**
   * An element seems to wait for its turn: there is no bar of it until it is let go.
   * @param letsIn nobody will know whose turn it is, but that it is one's with each element that ends
   */
  hold(element: PromiseNode, letsIn: boolean): void {
    const { task } = element;
    this.letsIn = letsIn;
    if (!task || task.group !== this.draft || task.work !== element) return;
    this.held.add(element);
    this.draft.hold(task);
  }

  /** An element may be at work. @param since as long as nothing more is known of what it waited for @returns whether it had seemed to wait */
  letGo(element: PromiseNode, since = startOf(element)): boolean {
    const { task } = element;
    if (!this.held.delete(element)) return false;
    if (task?.group === this.draft) {
      task.start = since;
      this.draft.draw(task);
    }
    return true;
  }

  /** An element had paused for a time of its own, and is at work from a step on. @returns whether that was not known */
  begunBehind(element: PromiseNode, step: PromiseNode | undefined): boolean {
    const task = this.taskOf(element);
    if (!task || !step || task.start >= step.made) return false;
    const { start } = task;
    task.start = step.made;
    task.queueSince(start);
    if (task === this.draft.first) this.draft.change({ taskSite: taskSiteOf(step) });
    this.draft.touch(task);
    return true;
  }

  /** What the next call tells of how the calls follow one another. */
  private noteNext(before: CombinatorCall, call: CombinatorCall): void {
    // A function that calls itself for the next chunk is a loop as well.
    if (chainOf(call.node.owner) === chainOf(before.node.owner)) this.onlyTriesAgain &&= isRetry(before, call);
    const head = chainHeadOf(call.node);
    this.isOfOneChain ||= head !== undefined && head === chainHeadOf(before.node);
  }

  /** A pending element has settled, or turned out rejected. */
  finish(call: CombinatorCall, element: PromiseNode): void {
    const task = this.taskOf(element);
    if (!task) return;
    const makesRoom = !this.letGo(element) && this.letsIn && !element.isPending && Number.isNaN(task.end);
    if (makesRoom) for (const next of this.held) { this.letGo(next, element.ended); break; }
    // What it had waited for was no turn of its.
    if (Number.isNaN(task.queued)) task.start = Math.min(task.start, startOf(element));
    if (!element.isPending) task.finish(element.ended, hasFailed(element), call.isDecided && element.ended > call.node.ended);
    if (task === this.draft.first && !element.isPending && isNamelessCall(sourceOf(element))) this.draft.change({ taskSite: taskSiteOf(workOf(element), call.frame?.place.fn) });
    else if (task === this.draft.first && stepBehind(headOf(element))) this.draft.change({ taskSite: taskSiteOf(headOf(element), call.frame?.place.fn, true) });
    this.draft.touch(task);
  }

  /** The task that an element is here; it may have turned out to be a worker's turn as well. */
  private taskOf(element: PromiseNode): TaskDraft | undefined {
    const { task } = element;
    if (task?.group === this.draft) return task;
    if (task?.group) for (const own of this.draft.recentTasks) if (own.work === element) return own;
    return undefined;
  }

  private addTask(call: CombinatorCall, element: PromiseNode, lane: number, chunk: number): void {
    if (element.task?.group && !element.isBeside) return;
    const work = stepsBegin(element) ?? workOf(element);
    const source = sourceOf(element);
    const task = (element.isBeside ? undefined : element.task) ?? new TaskDraft(element, startOf(element));
    for (const node of [element, source, work]) if (node === element || !node.task || node.isBeside) node.standFor(task);
    this.draft.add(task, lane, chunk);
    const isWhole = isWholeOf(call, element);
    if (!this.draft.facts.taskSite || (this.isOfWholes && !isWhole)) this.draft.change({ taskSite: work.kind === RootKind.value ? call.site : taskSiteOf(work, call.frame?.place.fn, element.isDerived && headOf(element) === work) ?? taskSiteOf(source, call.frame?.place.fn, element.isDerived), library: this.draft.facts.library ?? apiCallOf(source)?.library });
    this.isOfWholes &&= isWhole;
    if (!element.isPending) this.finish(call, element);
  }
}

/** Whether a task's work failed: also where a handler swallowed the error, unless it put other work in its place. */
const hasFailed = (element: PromiseNode): boolean => element.rejected || (element.isDerived && !element.inner && sourceOf(element).rejected);

/** Whether an element is no value: what V8 wraps one in is settled from the start, and a thenable's wrapping is not. Nor a wait for what others do. */
export const isTask = (element: PromiseNode): boolean => (element.kind !== RootKind.value || element.isPending) && !isQueueWait(sourceOf(element));

/** When the work began that an element stands for. */
export const startOf = (element: PromiseNode): number => sourceOf(element).made;

/** `items.map(async (item) => load(item))`: whether a function without a name did nothing but call another one, as is known once it is through. */
export const isNamelessCall = (work: PromiseNode): boolean => work.isAsyncFunction && topOf(work.stack)?.place.name === '' && onlyCalls(work);

/**
 * The function whose call a task is: where it begins; for a promise made by a library, where the user called it.
 * @param outer the function that runs the tasks @param isChain whether the task is a chain that begins with that work
 */
export function taskSiteOf(work: PromiseNode, outer = topOf(work.owner?.stack)?.place.fn, isChain = work.chainEnd !== undefined): ReturnType<typeof functionSiteOf> | undefined {
  const frame = taskFrameOf(work, outer, isChain);
  return frame && functionSiteOf(frame);
}

/** The running code of a task's function. What only waits does so for the function that called it; a chain behind what was through at once, in no function of its own, is what its first step does. */
export const taskFrameOf = (work: PromiseNode, outer: string | undefined, isChain = work.chainEnd !== undefined): Stack | undefined =>
  (isChain ? chainFrameOf(work, outer) ?? topOf(stepBehind(work)?.stack) : undefined) ?? waiterOf(work, outer) ?? (isUserCall(work) ? topOf(work.stack) : userFrame(work.stack));

/** `token().then(() => load(id))`: the first step behind an async function that was through at once, and has made no links itself. */
const stepBehind = (head: PromiseNode): PromiseNode | undefined => (head.chainEnd && head.isAsyncFunction && isBegunAtOnce(head) ? firstStepOf(head.chainEnd, head) : undefined);

/** `pending = pending.filter((_, i) => results[i].status === 'rejected')`: whether a call takes as many calls of the same function as had failed in the one before. */
function isRetry(before: CombinatorCall, call: CombinatorCall): boolean {
  const failed = before.elements.filter((element) => sourceOf(element).rejected);
  return failed.length > 0 && failed.length === call.elements.length && functionKeyOf(headOf(failed[0])) === functionKeyOf(headOf(call.elements[0]));
}
