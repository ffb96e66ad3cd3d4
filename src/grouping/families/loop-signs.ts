/** What tells calls one after the other that are a loop from steps, pauses and hand-overs. */
import { isCombinator } from '../../model/facts';
import { NO_WORK_MS } from '../moments';
import { asksForWork } from '../promises/asking';
import { arePauses, hasWorkBeside, isQueueWait, waiterOf } from '../promises/pauses';
import type { PromiseNode } from '../promises/promise-node';
import { endOf } from '../promises/chain-links';
import { callFrameOf } from '../promises/scopes';

/** Whether the running function that made a call has done other work between a time and that. */
export const hasWorkedSince = ({ owner, made }: PromiseNode, time: number): boolean =>
  owner?.scope?.calls?.some((calls) => !arePauses(calls) && calls.nodes.some((node) => node.made >= time && node.ended <= made && node.ended - node.made >= NO_WORK_MS)) === true;

/** Whether a running function waits by a combinator. */
export const isAwaitingAll = (by: PromiseNode | undefined): boolean => by?.lastWait !== undefined && isCombinator(by.lastWait.kind) && by.lastWait.isPending;

/** Whether a call only asks for work that the running function does elsewhere, as far as its name tells. */
export function onlyAsksForWork(call: PromiseNode): boolean {
  const place = callFrameOf(call)?.place;
  return place !== undefined && call.owner !== undefined && asksForWork(call) && hasWorkBeside(call.owner, place);
}

/** Whether all that a call did was to wait for a library's queue: `for (const stage of stages) await stage.idle()`. */
export const onlyWaitsForQueue = (call: PromiseNode): boolean => isQueueWait(call)
  || (call.scope?.calls !== undefined && call.scope.calls.every(({ nodes }) => nodes.every(isQueueWait)));

/** Whether a call of an async function was through without waiting for anything, or calling something to wait for. */
export const hasDoneNothing = ({ isAsyncFunction, isPending, lastWait, scope }: PromiseNode): boolean => isAsyncFunction && !isPending && !lastWait && !scope?.calls;

/** Whether a call of an async function has left at work what it had called, where it was through in the run of code that made it. */
export const leavesWork = ({ isAsyncFunction, scope }: PromiseNode): boolean => isAsyncFunction && scope?.calls?.some(({ nodes }) => nodes.some((node) => endOf(node).isPending)) === true;

/** Whether a call held tasks of its own together by a combinator. */
export const runsGroups = ({ scope, lastWait }: PromiseNode): boolean => scope?.series !== undefined || (lastWait !== undefined && isCombinator(lastWait.kind));

/** Whether the first two of calls are timers, or what is asked of Node, with other work between them. @param areApis whether they are what is asked of Node, and no requests to a server */
export function areRests([first, second]: readonly PromiseNode[], areApis: boolean): boolean {
  const end = endOf(first);
  if (!(second?.made - end.ended > NO_WORK_MS)) return false;
  // Right behind the first one's end nothing else was waited for, however long the code took that handled what it gave, or a busy machine.
  if ([end, first, end.adoptedBy].some((before) => before?.id === second.begunBehind)) return false;
  return areApis || (!first.isAsyncFunction && first.byTimer && !waiterOf(first));
}
