/** What the elements of a combinator do first of all: hand work to a library, and wait for what that gives. */
import { RootKind } from '../../model/facts';
import type { CombinatorCall } from './combinator-call';
import type { TaskDraft } from '../drafts';
import { NO_WORK_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import { arePauses } from '../promises/pauses';
import { functionKeyOf, isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';

/** Libraries whose tasks are requests. */
const REQUESTS: ReadonlySet<string | undefined> = new Set(['undici']);

/** A function that calls itself to try again does so as often. */
const MAX_TRIES = 64;
/** Functions that hand on what others ask of a library. */
const MAX_HELPERS = 8;

/** A call only collects what its elements handed to a library first of all: it is noted what that was. */
export function noteHandedOver(call: CombinatorCall): void {
  for (const element of call.elements) {
    const source = sourceOf(element);
    // A task of a thread's is over a moment before who handed it in hears of it.
    const over = handedIn(source) ?? (isSubmitter(source) ? source.lastWait : source.task?.work.id === 0 ? source.task : undefined);
    if (source.isAsyncFunction && over && !isRequest(over)) (call.handedOver ??= new Map<PromiseNode, PromiseNode | TaskDraft>()).set(source, over);
  }
}

/** Whether a library's task is a request: what that gives is read by whoever asked for it, and belongs to it. */
function isRequest(over: PromiseNode | TaskDraft): boolean {
  const task = 'ended' in over ? over.task : over;
  return REQUESTS.has(task?.group?.facts.library);
}

/** What a library gave for the task that a function waits for, be it in functions of the program's that only hand that on: `async (id) => { await mailer.send(id); }`. */
export function handedIn(call: PromiseNode): PromiseNode | undefined {
  let at: PromiseNode | undefined = call;
  for (let level = 0; level < MAX_HELPERS && at?.isAsyncFunction && isUserCall(at); level++) {
    const lastWait: PromiseNode | undefined = at.lastWait;
    // What a request gives is read by whoever asked for it: that is the work, and the functions around it are not through.
    if (lastWait && isLibraryTask(lastWait)) return level > 0 && isRequest(lastWait) ? undefined : lastWait;
    at = lastWait && sourceOf(lastWait);
  }
  return undefined;
}

/** Whether a function's first wait is for a task of a library's that it handed in, or all that it gives is what the library gave for it. */
export const isSubmitter = (node: PromiseNode): boolean => {
  const { isAsyncFunction, kind, lastWait, inner } = node;
  return isAsyncFunction
    ? handedIn(node) !== undefined || (isLibraryTask(inner) && (!lastWait || libraryMaking(lastWait) !== undefined))
    // An object of another library's around what this one gave, as a result type is.
    : kind === RootKind.value && inner !== undefined && isLibraryTask(sourceOf(inner));
};

/** Whether calls did nothing but hand tasks to a library, as far as they are through and have not failed. */
export function onlySubmit(calls: readonly PromiseNode[]): boolean {
  const through = calls.filter((call) => !call.isPending && !call.rejected);
  return through.length > 0 && through.every((call) => isSubmitter(call) && !(call.ended - (call.lastWait?.ended ?? call.ended) >= NO_WORK_MS));
}

/**
 * `const links = await limit(() => load(page)); await Promise.all(links.map(visit));`: whether all that a function did behind a task that it had handed
 * over was to wait for others, which hand over theirs.
 */
export function onlyCollectsBehind(over: PromiseNode | TaskDraft, { lastWait }: PromiseNode): boolean {
  const { combinator, madeBehind } = lastWait ?? {};
  if (!combinator || !madeBehind) return false;
  const task = 'ended' in over ? over.task : over;
  const isNext = madeBehind === over || (task !== undefined && madeBehind.task === task);
  return isNext && (!combinator.holdsTasks || combinator.elements.every((element) => element.ended <= combinator.node.made));
}

/**
 * `for (let tries = 0; ; tries++) try { return await limit(() => send(mail)); } catch { await sleep(100 * tries); }`: whether what a function had handed over
 * failed, and all that it did behind that was to wait for a while and to hand over the same again, until that was through with it.
 */
export function onlyTriesAgain(over: PromiseNode | TaskDraft, source: PromiseNode, loop: LoopEntries): boolean {
  if (!over.rejected) return false;
  const group = 'ended' in over ? over.task?.group : over.group;
  const isLike = (node: PromiseNode): boolean => (isLibraryTask(node) ? node.task?.group === group : node.isAsyncFunction && 'ended' in over && functionKeyOf(node) === functionKeyOf(over));
  let at = source;
  // `catch { await sleep(100); return send(mail, tries - 1); }`
  for (let steps = 0; at.inner?.isAsyncFunction && functionKeyOf(at.inner) === functionKeyOf(at) && steps < MAX_TRIES; steps++) at = at.inner;
  const last = at.inner && isLike(at.inner) ? at.inner : at.lastWait;
  if (!last || !isLike(last) || !loop.isRightBehind(source.ended, last.ended, NO_WORK_MS)) return false;
  return (source.scope?.calls ?? []).every((calls) => arePauses(calls) || calls.nodes.some((node) => node === over || isLike(node)));
}

/** Whether it is what a library gave for a task that was handed to it. */
const isLibraryTask = (node: PromiseNode | undefined): boolean => node?.task?.group !== undefined && node.task.work.id === 0;
