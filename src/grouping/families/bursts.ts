/** Calls of one function that were made in one go, and that nobody waits for: `forEach(async …)`. */
import { apiCallOf, isLibrarysCall, libraryCallOf, type ApiCall } from '../promises/api-calls';
import { isOverList, type Arrivals } from './arrivals';
import { NO_WAIT_MS } from '../moments';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import { isTaken } from '../promises/task-owners';

const MIN_TASKS = 3;

/** What is known of the function's calls as a whole. */
interface Calls {
  readonly callCount: number;
  readonly arrivals: Arrivals;
  /** Whether a burst at the same place came before: what is left for the last one may be fewer. */
  readonly areAgain: boolean;
  /** The first of them, where they are calls of Node or of a library that makes requests. */
  readonly api: ApiCall | undefined;
}

/**
 * Whether calls were made in one go, nothing else of theirs was beside, and nobody waits for any of them. To be asked when the first is
 * through, and not before: until then a combinator may take them.
 * @param calls those at work at once, in the order in which they were made
 * @param all all calls of their function
 */
export function areBurst(calls: readonly PromiseNode[], all: Calls): boolean {
  const { arrivals } = all;
  const [first] = calls;
  if (calls.length < (all.areAgain ? 1 : MIN_TASKS) || arrivals.comeFromOutside(calls.length) || (arrivals.areByTimer && !first.consumed && !isOverList(first))) return false;
  if (isLibrarysCall(first) || waitsForNothing(first) || calls.some(awaitsLike)) return false;
  const api = all.api && (apiCallOf(first) ?? libraryCallOf(first));
  if (api?.isRequest === false || first.ended <= first.made) return false;
  return calls.every((node) => (api !== undefined || isLeftAlone(node, calls.length === all.callCount)) && node.tick === first.tick && !isTaken(node));
}

/**
 * Whether nobody waits for a call. One whose reaction goes on with it (`query(ids).then(answer)`) may be a pool's: there, calls came before.
 * What a request gives is read by whoever asked for it, and not by somebody who waits for all of them.
 */
function isLeftAlone(node: PromiseNode, isOfAll: boolean): boolean {
  return node.isAsyncFunction && (!node.consumed || (isOfAll && !node.awaitingCall));
}

/** Whether a call waits, or waited last, for another one of its function: `reduce(async (before, part) => { await before; … })` is a chain, however it was begun. */
const awaitsLike = ({ family, lastWait }: PromiseNode): boolean => lastWait !== undefined && sourceOf(lastWait).family === family;

/**
 * Whether a call only lets others go first: all that it awaits is there already, as with `await null`, of which nothing is told, or `await Promise.resolve()`. A timer of a
 * millisecond may be due before that has passed.
 */
function waitsForNothing(call: PromiseNode): boolean {
  const { endedTick, lastWait, tick } = call;
  if (!lastWait) return isUserCall(call) && endedTick !== tick;
  return lastWait.tick === tick && lastWait.ended - lastWait.made < NO_WAIT_MS && !sourceOf(lastWait).byTimer;
}
