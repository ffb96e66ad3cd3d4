/** Combinator calls that hold no tasks of the program's, or tasks of somebody else. */
import { RootKind } from '../../model/facts';
import type { CombinatorCall } from './combinator-call';
import { apiCallOf, isListening, libraryCallOf } from '../promises/api-calls';
import { isPause } from '../promises/pauses';
import { topOf, userFrame } from '../promises/places';
import { functionKeyOf, isCalledDirectly, isIteratorStep, isStreamOperator, isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { holdsAll, workOf } from '../promises/work-of';

/** Functions that give an alarm clock. A guess by name. */
const ALARM = /dead_?line|time_?out|timer|expir|abort/i;

/** Functions that end what is not needed any more. */
const CLOSES = /^(?:close|destroy|disconnect|dispose|end|quit|shutdown|stop|teardown|terminate)$/;

/** Elements that began with a promise of no async function's. */
const plainOf = ({ elements }: CombinatorCall): PromiseNode[] => elements.filter((element) => sourceOf(element).kind === RootKind.other);

/** `Promise.race([work, timeout])`: one piece of work and an alarm clock, no two tasks. What a source is asked for is none: `Promise.race([work, source.next()])`. */
export function isTimeout(call: CombinatorCall): boolean {
  if (call.combinator !== 'race' || call.elements.length !== 2) return false;
  const plain = plainOf(call).map(sourceOf);
  return (plain.length === 1 && !isIteratorStep(headOf(plain[0]))) || (plain.length === 2 && functionKeyOf(plain[0]) !== functionKeyOf(plain[1]));
}

/**
 * Of `Promise.race([work, timeout])`, the alarm clock: made by the function that races it, or by one that only waits as its name tells.
 * @returns undefined where that is not clear, or it is no such race
 */
export function alarmOf(call: CombinatorCall): PromiseNode | undefined {
  if (!isTimeout(call)) return undefined;
  const plain = plainOf(call);
  if (plain.length === 1) return plain[0];
  // To ask a source for its next is what the alarm clock is set for.
  const asked = only(plain.filter((element) => isIteratorStep(headOf(element))));
  if (asked) return plain.find((element) => element !== asked);
  const fn = call.frame?.place.fn;
  return only(plain.filter((element) => functionKeyOf(sourceOf(element)) === fn)) ?? only(plain.filter((element) => isPause(sourceOf(element))));
}

/** `Promise.race([...mirrors.map(fetchFrom), deadline(1000)])`: of several that are raced, the one at an end of the list that is an alarm clock as its function's name tells. */
export function alarmAmong({ combinator, elements }: CombinatorCall): PromiseNode | undefined {
  if (combinator !== 'race' || elements.length < 3) return undefined;
  const isAlarm = (element: PromiseNode): boolean => isUserCall(sourceOf(element)) && ALARM.test(topOf(sourceOf(element).stack)?.place.lastName ?? '');
  const alarm = only([elements[0], elements[elements.length - 1]].filter(isAlarm));
  return alarm && !elements.some((element) => element !== alarm && isAlarm(element)) ? alarm : undefined;
}

/**
 * `await Promise.all(workers.map((worker) => worker.terminate()))`, `await Promise.all(children.map((child) => once(child, 'exit')))`: whether Node, or a library, is only told
 * that something is not needed any more, or all that is done is to listen until it is gone.
 */
export const onlyCloses = ({ elements }: CombinatorCall): boolean => elements.every((element) => {
  const source = sourceOf(element);
  const call = apiCallOf(source) ?? libraryCallOf(source);
  if (!call) return false;
  const by = call.isWrapped ? call.frame.place.lastName : '';
  return (CLOSES.test(call.callee.lastName) && (call.isNodes || call.callee.kind === 'library')) || (isListening(call.callee) && (by === '' || CLOSES.test(by)));
});

const only = (elements: readonly PromiseNode[]): PromiseNode | undefined => (elements.length === 1 ? elements[0] : undefined);

/**
 * A library's combinator over what the library made or called itself; `axios.all([axios.get(…)])` is not that.
 * @param isNext whether it goes on with others that were none
 */
export function isLibrarysOwn(call: CombinatorCall, isNext: boolean): boolean {
  const caller = topOf(call.node.stack)?.place.kind;
  if (caller === undefined || caller === 'user') return false;
  if (call.frame && isOverHandedIn(call, isNext)) return false;
  const frame = userFrame(call.node.stack);
  return !frame || !call.elements.some((element) => {
    const { stack } = sourceOf(element);
    const own = topOf(stack);
    if (own?.place.kind === 'user') return topOf(own.callers)?.place.kind === 'user';
    const made = userFrame(stack);
    // Where the program only awaits, the library's code goes on by itself, with what it began when it was called there.
    return made !== undefined && !made.awaits && made.place !== frame.place && !(frame.awaits && made.place.fn === frame.place.fn && made.place.line === frame.place.line);
  });
}

/** `await forEachAsync(items, save)`: whether all elements are calls of one function of the program's, that the library was handed and has called in one go. One alone may be what is left for the last chunk. */
function isOverHandedIn({ elements, node, isForAll }: CombinatorCall, isNext: boolean): boolean {
  const calls = elements.map(sourceOf);
  if (!isForAll || calls.length < (isNext ? 1 : 2)) return false;
  const fn = functionKeyOf(calls[0]);
  return calls.every((call) => !call.libraryTask && call.tick === node.tick && call.owner === node.owner && functionKeyOf(call) === fn && isCalledByLibrary(call));
}

/** Whether a promise is a call of a function of the program's, async or not, and a library made the call. */
function isCalledByLibrary({ isAsyncFunction, stack }: PromiseNode): boolean {
  const own = topOf(stack);
  return own?.place.kind === 'user' && (isAsyncFunction || topOf(own.callers)?.place.kind === 'library');
}

/** Whether an element is a whole with tasks of its own that the same code began, with no function between whose call a task could be: `Promise.all([pMap(ids, save), …])`. */
export function isWholeOf(call: CombinatorCall, element: PromiseNode): boolean {
  const whole = sourceOf(element);
  if (!whole.isWhole && !holdsAll(whole) && !isStreamOperator(whole)) return false;
  const frame = userFrame(whole.stack);
  return whole.owner === call.node.owner && frame !== undefined && !frame.awaits && frame.place.fn === call.frame?.place.fn;
}

/** Whether all that a call does is to wait for wholes, and for a while: `Promise.all([Promise.all(batch.map(send)), sleep(1000)])`. */
export const onlyJoins = (call: CombinatorCall): boolean => call.isForAll
  && call.elements.some((element) => isWholeOf(call, element)) && call.elements.every((element) => isWholeOf(call, element) || isPause(sourceOf(element)));

/** `await Promise.race(iterators.map((one) => one.next()))`: whether a race is between sources of which the first to have something is taken. */
export const onlyAsksSources = ({ combinator, elements }: CombinatorCall): boolean => combinator === 'race' && elements.every((element) => isIteratorStep(headOf(element)));

/** `while (open.size >= 4) await Promise.race(open)`: whether a race is between what others have begun. */
export const isOthersRace = ({ combinator, kind, owner }: PromiseNode): boolean =>
  kind === RootKind.race && combinator?.elements.some((element) => headOf(element).owner === owner) !== true;

/** `await Promise.race(open).catch(() => {})`: the race between what others have begun that a wait is for, be there links behind it; undefined for another wait. */
export function raceAwaited(wait: PromiseNode): PromiseNode | undefined {
  const head = headOf(wait);
  return isOthersRace(head) ? head : undefined;
}

/** Whether a race is between what other calls of the function that races have begun: it waits until one of these is through. */
export function isForRoom({ elements, node: { owner } }: CombinatorCall): boolean {
  const fn = owner ? functionKeyOf(owner) : '';
  return fn !== '' && elements.every((element) => {
    const by = headOf(element).owner;
    return by !== undefined && by !== owner && functionKeyOf(by) === fn;
  });
}

/** Raced promises that began in different runs of code: some pool's, waiting for a free slot. */
const startedApart = (elements: readonly PromiseNode[]): boolean => {
  const ticks = new Set(elements.map((element) => (isUserCall(workOf(element)) ? workOf(element).tick : sourceOf(element).tick)));
  return ticks.size > 1 || elements.some((element) => element.isDerived);
};

/** Whether a race is over what others draw: sources and one that is not, or what was begun before, to wait until there is room. @param tasks its elements without alarm clocks and pauses */
export const racesOthers = (call: CombinatorCall, tasks: readonly PromiseNode[]): boolean => call.combinator === 'race'
  && (tasks.filter((element) => !isIteratorStep(headOf(element))).length < 2 || isForRoom(call) || (!call.isOfChains && startedApart(tasks)));

/**
 * Whether a race over chains is one more round of what was raced before at its place: all of that is through, nothing of it is raced again, and a builtin
 * (`map`) or several places have begun these. What a loop begins one by one, and races when there is no more room, is a pool.
 */
export function isRoundOfChains(call: CombinatorCall, before: CombinatorCall): boolean {
  if (!before.isOfChains || call.racedBefore > 0 || before.elements.some((element) => element.isPending)) return false;
  const heads = call.elements.map(headOf);
  return heads.every(({ tick }) => tick === call.node.tick) && !heads.every((head) => isCalledDirectly(head) && topOf(head.stack)?.callers?.place === topOf(heads[0].stack)?.callers?.place);
}
