/**
 * Calls that only wait for a while, as `sleep(5)`, and loops of them: `while (active >= 2) await sleep(5)` looks again and
 * again whether there is room.
 */
import type { CombinatorCall } from '../combinators/combinator-call';
import { isBuiltin, isLoops, topOf, type Place, type Stack } from './places';
import type { CallPlace, PromiseNode } from './promise-node';
import { headOf } from './chain-links';

/** Helpers that only wait. A guess by name: nothing else tells a pause from a task that waits for a timer. */
const PAUSE = /^(?:(?:sleep|delay|wait|pause)(?:ms)?|tick|nextTick|setTimeout|timeout|after|later|snooze|idle)$/i;
/** A function that is all that its file exports goes by the file's name. */
const FILES_ONLY = /^(?:module\.exports|default|)$/;
const FILE = /([^/\\]+)\.[cm]?[jt]s$/;
/** Functions that ask such a helper for a wait that is still none of anybody's work. As much of a guess. */
const WAITS = /sleep|delay|wait|pause|tick|timeout|timer|back_?off|cool_?down|throttle|jitter|polite|think|breathe|settle/i;

/** How one waits until a library's queue has room, or nothing to do. As much of a guess. */
const IDLE = /^(?:on(?:Idle|Empty|SizeLessThan|PendingZero|Drain(?:ed)?)|drain(?:ed)?|(?:waitFor|until|when)(?:Idle|Empty|Drain(?:ed)?))$/;

/** Whether a function only waits, as far as its name tells. */
export const isPauses = (name: string): boolean => PAUSE.test(name);

/** Whether a function waits until a queue has room, or nothing to do, as far as its name tells. */
export const isIdles = (name: string): boolean => IDLE.test(name);

/** Whether a call only waits, as far as names tell. */
export const isPause = (node: PromiseNode): boolean => isWait(node) && !waiterOf(node);

/**
 * Whether it is a wait for a library's queue, whose tasks are at work meanwhile: `queue.onIdle()`. A plain function that gives such
 * a wait as what it does (`const shop = (pages) => { …; return queue.drained(); }`) is at work until then.
 */
export const isQueueWait = (node: PromiseNode): boolean => isIdle(node) && !waiterOf(node);

function isIdle({ stack }: PromiseNode): boolean {
  const place = topOf(stack)?.place;
  return place?.kind === 'library' && isIdles(place.lastName);
}

/** Whether a plain function that gave a promise waits for something, as far as its name tells: `await waitForSlot()`. */
export function isNamedWait(node: PromiseNode): boolean {
  const place = node.isAsyncFunction ? undefined : topOf(node.stack)?.place;
  return place?.kind === 'user' && WAITS.test(place.lastName) && !waiterOf(node);
}

function isWait({ isAsyncFunction, stack }: PromiseNode): boolean {
  const place = isAsyncFunction ? undefined : topOf(stack)?.place;
  return place !== undefined && isPauses((FILES_ONLY.test(place.name) && FILE.exec(place.file)?.[1]) || place.name);
}

/**
 * The plain function whose work a helper that only waits, or a wait for a queue, stands for: `const load = (id) => wait(20).then(() => …)`.
 * @param outer the function that runs it: what that asks for itself are pauses
 */
export function waiterOf(wait: PromiseNode, outer = topOf(wait.owner?.stack)?.place.fn): Stack | undefined {
  const callers = isWait(wait) || isIdle(wait) || topOf(wait.stack)?.isDeferring ? topOf(wait.stack)?.callers : undefined;
  if (!callers || callers.awaits || callers.place.kind !== 'user' || callers.place.fn === outer) return undefined;
  // Resumed code, and what a generator is asked for, are no calls.
  const { place, callers: by } = callers;
  if (!by || by.awaits || isLoops(by.place) || isBuiltin(by.place, 'next')) return undefined;
  return place.name === '' || WAITS.test(place.name) ? undefined : callers;
}

/**
 * Whether a pause is all that a nameless function does which another one of the program's calls, at once or by `Promise.resolve().then`:
 * `scheduler.add(() => timeout(40))` is work, for want of other.
 */
export function isWholeJob({ owner, stack, madeIn }: PromiseNode): boolean {
  const job = topOf(stack)?.callers;
  if (!job || job.awaits || job.place.kind !== 'user' || job.place.name !== '' || topOf(owner?.stack)?.place.fn === job.place.fn) return false;
  const by = job.callers;
  if (!by || by.place.kind === 'node') {
    const start = madeIn && headOf(madeIn).stack?.place;
    return isBuiltin(start, 'resolve');
  }
  return !by.awaits && by.place.kind === 'user' && by.place.fn !== job.place.fn;
}

/** Whether what a running function calls at a place are pauses. */
export function arePauses({ nodes }: CallPlace): boolean {
  // Not every one's stack was looked at.
  const seen = nodes.find(({ stack }) => stack !== undefined);
  return seen !== undefined && isPause(seen) && !isWholeJob(seen);
}

/** `await new Promise((go) => setTimeout(go, 10))`: whether what a running function made there itself were timers, which no name tells from work. */
export const areTimers = ({ made, nodes, place }: CallPlace): boolean =>
  made !== undefined && made.fn === place.fn && nodes.some(({ byTimer }) => byTimer) && nodes.every(({ byTimer, isPending }) => byTimer || isPending);

/** Whether what a running function calls at a place only lets time go by. */
export const areWaits = (calls: CallPlace): boolean => arePauses(calls) || areTimers(calls);

/** `async function room() { while (busy >= 4) await sleep(5); }`: whether all that a call did was to let time go by. */
export const onlyLetsTimeGoBy = ({ isAsyncFunction, scope }: PromiseNode): boolean => isAsyncFunction && scope?.calls?.every(areWaits) === true;

/** Whether it did so again and again: it looked whether there is room for something. */
export const looksAgain = (call: PromiseNode): boolean => onlyLetsTimeGoBy(call) && call.scope?.calls?.some(({ seen }) => seen > 1) === true;

/** Whether a running function has called other work than at a place. */
export const hasWorkBeside = ({ scope }: PromiseNode, place: Place): boolean => scope?.calls?.some((calls) => calls.place !== place && !areWaits(calls)) === true;

/**
 * Whether a place is where elements of a combinator only wait, as they or others of them have other work: by its name, or as timers
 * where others begin with something else.
 */
export const isPausing = (call: CombinatorCall, calls: CallPlace): boolean =>
  call.hasWork && (arePauses(calls) || (areTimers(calls) && call.isBegunBeside(calls.place)));
