/** Loops in running functions, as the places tell that they call again and again: of workers, of what supplies them, of what only waits. */
import { isCombinator, RootKind } from '../../model/facts';
import type { CombinatorCall } from './combinator-call';
import type { Crew } from '../families/crew';
import { releaseOf } from './releases';
import { NO_WAIT_MS } from '../moments';
import { frameWhere, isBuiltin, topOf, type Place, type Stack } from '../promises/places';
import { asksForWork } from '../promises/asking';
import { arePauses, areTimers, areWaits, hasWorkBeside, isPause, isPausing, onlyLetsTimeGoBy } from '../promises/pauses';
import { callsAt, functionKeyOf, inOrder, isCall, isFinallys, isIteratorStep, isUserCall, type CallPlace, type PromiseNode } from '../promises/promise-node';
import { chainHeadOf, endOf, sourceOf } from '../promises/chain-links';
import { callFrameOf, chainOf, isInside, isNextRound, isRecursion, Scope } from '../promises/scopes';

/** A combinator may hold so many functions besides the workers' that bring these their work. */
const MAX_SUPPLIERS = 3;

/** Of what a function called from one place, only the latest calls are kept: nobody awaits the older ones any more. */
const KEPT_CALLS = 2048;

/** Whose turn a call may be: the function that runs, or, where it called itself as the last thing it did, the first of those calls. */
export function laneOf({ owner }: PromiseNode): PromiseNode | undefined {
  return owner && isNextRound(owner) && !hirersOf(owner) ? chainOf(owner) : owner;
}

/** The crew of the worker, which loops by itself, that has begun a call of its own function: that is one more worker of its pool. */
export function hirersOf(call: PromiseNode): Crew | undefined {
  const by = isRecursion(call) ? call.owner : undefined;
  const crew = by?.scope?.crew;
  return by && crew?.pool?.has(by) ? crew : undefined;
}

function isAsking({ nodes }: CallPlace): boolean {
  const seen = nodes.find(({ stack }) => stack !== undefined);
  return seen !== undefined && asksForWork(seen);
}

/** Whether a running function asks with a call for what others have done, as of an iterator that begins work ahead and leaves it running. */
export const asksForDone = ({ scope }: PromiseNode, call: PromiseNode): boolean => scope?.starters?.has(functionKeyOf(call)) === true;

/** Whether what a worker calls at a place only asks for work, and there is other work: its own, or what was begun ahead. */
export function onlyAsks(worker: PromiseNode, place: Place): boolean {
  const { scope } = worker;
  const calls = scope?.calls?.find((known) => known.place === place);
  if (calls?.nodes.some((call) => asksForDone(worker, call))) return true;
  return calls !== undefined && isAsking(calls) && scope?.calls?.some((others) => others !== calls && !arePauses(others)) === true;
}

/** Whether what ran was asked for by `next`: the code of a generator. */
const isBelowNext = ({ stack }: PromiseNode): boolean => frameWhere(stack, (place) => isBuiltin(place, 'next')) !== undefined;

/** Whether a generator asked Node for something on its way to what it is asked for: `for await (const file of walk(dir))`. What it calls of the program's own is the work. */
const isAskedByIterator = (node: PromiseNode): boolean => topOf(node.stack)?.place.kind === 'node' && isBelowNext(node);

/** Whether it is a method of a list that calls a function for each of its items. */
const isListMethod = (place: Place | undefined): boolean => ['map', 'flatMap', 'forEach'].some((method) => isBuiltin(place, method));

/** Whether a function was called by a method of a list, for each of its items; or by what that called. */
export const isMapped = ({ stack }: PromiseNode): boolean => frameWhere(stack, isListMethod) !== undefined;

/** Notes that a running function called something, by the place in it. */
export function recordCall(node: PromiseNode): CallPlace | undefined {
  const owner = laneOf(node);
  if (owner && isBuiltin(node.stack?.place, 'next')) (owner.scope ??= new Scope()).askedIn = node.tick;
  if (!owner || isIteratorStep(node) || isFinallys(node) || isAskedByIterator(node) || (owner.stack !== undefined && !isUserCall(owner))) return undefined;
  // What it makes there itself is no call of it.
  if (node.owner && node.isAsyncFunction && isRecursion(node)) {
    const scope = (node.owner.scope ??= new Scope());
    // `links.map(visit)`: however many there are this time, it is no last thing that it does.
    scope.recursions += isListMethod(topOf(node.stack)?.callers?.place) ? 2 : 1;
    return undefined;
  }
  const place = callFrameOf(node)?.place;
  const calls = ((owner.scope ??= new Scope()).calls ??= []);
  const made = topOf(node.stack)?.place;
  let call = knownCall(calls, place, made);
  if (!call) {
    if (!place) return undefined;
    call = { place, nodes: [], seen: 0, oneByOne: true, tick: 0, made: undefined, helper: undefined, isAsked: false };
    calls.push(call);
  }
  if (call.tick === node.tick) {
    // One call of a library's or of Node's may make several promises.
    if (made && made.kind !== 'user' && made !== call.made) return undefined;
    // Nor does one call of a plain function: `(id) => withDeadline(load(id), 500)`.
    if (made !== call.made && !holdsSeveral(node) && call.helper !== undefined && call.helper === calledAt(node.stack, place)?.place.fn) {
      if (node.insteadOf && call.nodes.at(-1) === node.insteadOf) call.nodes.splice(-1, 1, node);
      return undefined;
    }
    // Called again in the same run of code: a burst, not a loop that awaits.
    call.oneByOne = false;
  }
  if (call.oneByOne && !isNextTurn(owner, node, place, call.nodes.at(-1))) call.oneByOne = false;
  call.tick = node.tick;
  call.made = made;
  call.helper = helperAt(node.stack, place);
  call.isAsked = owner.scope.askedIn === node.tick && isBelowNext(node);
  if (place) call.seen++;
  call.nodes.push(node);
  if (call.nodes.length > 1 && node.owner === owner && owner.scope.recursions === 1) leaveToHired(owner, call);
  if (call.nodes.length >= 2 * KEPT_CALLS) call.nodes.splice(0, KEPT_CALLS);
  return call;
}

/** Whether it is a combinator that waits for all: what that holds is no part of what was called before it. */
const holdsSeveral = ({ kind }: PromiseNode): boolean => isCombinator(kind) && kind !== RootKind.race;

/** The function that was called at a place, where a stack leads there. */
function calledAt(stack: Stack | undefined, place: Place | undefined): Stack | undefined {
  let at = topOf(stack);
  while (at?.callers && at.callers.place !== place) at = at.callers;
  return at?.callers ? at : undefined;
}

/** The function that was called at a place and has called what made a promise; undefined where it was that one itself. */
function helperAt(stack: Stack | undefined, place: Place | undefined): string | undefined {
  const called = calledAt(stack, place);
  return called === topOf(stack) ? undefined : called?.place.fn;
}

/**
 * A function that goes on with its own loop behind a call of itself had that call hired, and did not go on in it: what that called was no call of its own, nor of
 * the function's that had hired itself.
 */
function leaveToHired(owner: PromiseNode, call: CallPlace): void {
  if (owner.scope) owner.scope.recursions++;
  for (const lane of new Set([owner, chainOf(owner)])) {
    const calls = lane?.scope?.calls?.find(({ place }) => place === call.place);
    if (!calls) continue;
    const own = calls.nodes.filter((node) => node.owner?.owner !== owner);
    if (own.length === calls.nodes.length) continue;
    for (const node of calls.nodes) if (node.owner?.owner === owner) ((node.owner.scope ??= new Scope()).calls ??= []).push({ ...call, nodes: [node], seen: 1, oneByOne: true, tick: node.tick });
    calls.nodes.splice(0, calls.nodes.length, ...own);
    calls.oneByOne = own.every((node, at) => at === 0 || node.tick !== own[at - 1].tick);
  }
}

/** Whether a call in a reaction may be one more turn of the running function's loop. @param place where it was made, if somebody looked @param before the latest call from there */
function isNextTurn(owner: PromiseNode, node: PromiseNode, place: Place | undefined, before: PromiseNode | undefined): boolean {
  const begin = ownBegin(owner, node);
  const isBehindPause = begin !== undefined && isPause(begin);
  if (before && node.inReaction && place && place.fn !== functionKeyOf(owner)) {
    // The one before still runs: a step that several chains of `then` come to.
    if (before.isPending) return false;
    // The function itself went on behind that one, or is over: a limiter's next task, which is another's.
    if (!isBehindPause && (hasGoneOn(owner, before.ended) || (owner === node.owner && !owner.isPending))) return false;
  }
  // Nor is a step of one chain, `await load(id).then((row) => save(row))`, a turn that the function itself comes to. Behind a mere pause it is.
  return begin === undefined || isBehindPause || !isCall(begin) || functionKeyOf(begin) === functionKeyOf(node);
}

/** What a running function began the chain with of which a call is a step. */
function ownBegin(owner: PromiseNode, node: PromiseNode): PromiseNode | undefined {
  const head = chainHeadOf(node);
  return head?.owner === owner ? head : undefined;
}

/** @param made what made the promise of one more call; undefined where nobody looked */
function knownCall(calls: readonly CallPlace[], place: Place | undefined, made: Place | undefined): CallPlace | undefined {
  if (place) {
    for (const known of calls) if (known.place === place) return known;
    return undefined;
  }
  // Nobody looked at this one's stack, or only at what made it: it is like its predecessor, where there was only one kind.
  return calls.length === 1 && (made === undefined || made === calls[0].made) ? calls[0] : undefined;
}

/** Whether an async function waits for something that it began after a time. */
const hasGoneOn = ({ isAsyncFunction, lastWait }: PromiseNode, time: number): boolean => isAsyncFunction && lastWait !== undefined && lastWait.made >= time;

/** What a combinator's elements call again and again, as workers do: which of them are workers, and where they call it. */
export interface Work { readonly workers: readonly PromiseNode[]; readonly place: Place }

/** @returns undefined where its elements are no workers */
export function workOfElements(call: CombinatorCall): Work | undefined {
  const workers = likeWorkers(call.elements.map(sourceOf));
  const place = workers && workPlaceOf(call, workers);
  return workers && place && { workers, place };
}

/**
 * What elements do first of all is to call one function, and to wait for that: `Promise.all(slots.map(async (slot) => { await runWorker(slot); }))`, or a
 * supervisor's, who calls it once more where it fails. Then those calls may be the workers.
 * @param like one of the calls @returns undefined where they are no workers, or their elements have other work
 */
export function workOfDelegates(call: CombinatorCall, like: PromiseNode): Work | undefined {
  const fn = functionKeyOf(like);
  const workers: PromiseNode[] = [];
  for (const element of call.elements) {
    const { scope, lastWait } = sourceOf(element);
    const made = scope?.calls?.find((calls) => calls.nodes.at(-1)?.isAsyncFunction === true && functionKeyOf(calls.nodes[0]) === fn);
    const latest = made?.nodes.at(-1);
    if (!made || !latest || (lastWait && sourceOf(lastWait) !== latest) || scope?.calls?.some((calls) => calls !== made && !areWaits(calls)) === true) return undefined;
    // One after the other: a supervisor's.
    if (made.nodes.some((one) => one !== latest && !one.rejected)) return undefined;
    workers.push(...made.nodes);
  }
  const place = workers.length < 2 || fn === '' ? undefined : workPlaceOf(call, workers);
  return place && { workers, place };
}

/** Elements of one function; of several functions, those of the one that waits for work, or asks for it, beside one each of the others. */
function likeWorkers(elements: readonly PromiseNode[]): readonly PromiseNode[] | undefined {
  const byFunction = new Map<string, PromiseNode[]>();
  for (const element of elements) {
    const fn = functionKeyOf(element);
    const like = byFunction.get(fn);
    if (like) like.push(element); else byFunction.set(fn, [element]);
    if (byFunction.size > MAX_SUPPLIERS + 1) return undefined;
  }
  const [workers, ...others] = [...byFunction.values()].sort((a, b) => b.length - a.length);
  if (workers === undefined || workers.length < 2 || others.some(({ length }) => length > 1)) return undefined;
  const areBrought = workers.some(({ scope }) => scope?.calls?.some(isBetween));
  return others.length === 0 || areBrought ? workers : undefined;
}

/** The place that workers call again and again; undefined where they are none. */
function workPlaceOf(call: CombinatorCall, workers: readonly PromiseNode[]): Place | undefined {
  const fn = functionKeyOf(workers[0]);
  let place: Place | undefined;
  for (let i = 0; i < workers.length && !place; i++) {
    place = workers[i].scope?.calls?.find((calls) => isLoop(calls) && !calls.isAsked && !call.notLoops.has(calls.place) && !onlyAsks(workers[i], calls.place) && !isSupply(calls) && !isPausing(call, calls) && !(areTimers(calls) && hasWorkBeside(workers[i], calls.place)) && !isHandedOn(workers[i], calls) && !isGate(workers, workers[i], calls))?.place;
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

/** Whether what a worker called at a place was there at once so far, and what it called elsewhere was not: the next message was waiting for it. */
export const isHandedOn = ({ scope }: PromiseNode, calls: CallPlace): boolean =>
  !calls.nodes.some(hasTakenTime) && scope?.calls?.some((others) => others !== calls && others.nodes.some(hasTakenTime)) === true;

/**
 * `await gate.pass(); await deliver(item);`: whether what workers call at a place lets the very first through at once and others only after a time, and does nothing else:
 * that is no work where there is other. What a cache gives at once takes its time at first.
 */
function isGate(workers: readonly PromiseNode[], worker: PromiseNode, { place }: CallPlace): boolean {
  if (!hasWorkBeside(worker, place)) return false;
  const [first, ...others] = inOrder(workers.flatMap((one) => callsAt(one, place)));
  return others.length > 0 && first.isThroughAtOnce && others.some((call) => !call.isPending && !call.isThroughAtOnce) && others.every((call) => call.isPending || call.isThroughAtOnce || onlyLetsTimeGoBy(call));
}

const hasTakenTime = (call: PromiseNode): boolean => endOf(call).ended - call.made >= NO_WAIT_MS;

/** A combinator called again and again is a chunk loop inside of a task. */
export const isLoop = (calls: CallPlace): boolean => calls.oneByOne && calls.seen > 1 && !calls.nodes[0]?.combinator;

/** Where workers wait for what others bring them (`await channel.take()`), or for a library to let them go on: what they do then is their work. */
export function isSupply({ nodes }: CallPlace): boolean {
  if (nodes[0]?.isTurn) return true;
  let brought = 0;
  for (const node of nodes) {
    if (node.isPending) continue;
    if (isBrought(node)) brought++;
    else if (node.ended - node.made > NO_WAIT_MS) return false;
  }
  return brought > 0;
}

/** Whether workers come to a place between two pieces of work: there they wait for the next, or ask for it. */
export const isBetween = (calls: CallPlace): boolean => isSupply(calls) || isAsking(calls);

/** Whether others ended a wait: by what they brought, or by making room. A task that was handed to them there is no such wait, one that had been before is. */
export function isBrought(wait: PromiseNode): boolean {
  const { id, isDerived, combinator, settledBy: by, settledIn, byModule, isForTask, made, ended } = releaseOf(wait);
  if (isDerived || combinator) return false;
  // `for (const future of futures) await future.get()`: it was there, or had been asked for before.
  if (isForTask || ended <= wait.made) return made < wait.made;
  // `copy().finally(release)`: the end of what had begun before. A promise that was put around work listens to it only once it is there itself.
  const cause = settledIn && settledIn.id < id ? sourceOf(settledIn) : undefined;
  if (cause && isUserCall(cause) && cause.made < made && cause.ended >= made) return true;
  const isOthers = by === undefined ? byModule : isUserCall(by) && !isInside(by, (at) => at === wait || at === wait.owner);
  return isOthers && !hasWorked(wait);
}

/** Whether a call waited for something that nobody brought. */
const hasWorked = ({ scope }: PromiseNode): boolean =>
  scope?.calls?.some(({ nodes }) => nodes.some((node) => node.ended - node.made > NO_WAIT_MS && !isBrought(node))) === true;
