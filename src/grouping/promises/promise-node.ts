/** A promise of the user's process, as far as the facts tell. Times are milliseconds after the run's `timeOrigin`. */
import { RootKind } from '../../model/facts';
import { NO_WORK_MS } from '../moments';
import { isBuiltin, isHelpers, isModules, isThen, libraryOf, topOf, userFrame, type Place, type Stack } from './places';
import { firstStepOf, isThere } from './chain-steps';
import type { Link } from './link-begins';
import { isRunner } from './runners';
import type { TaskDraft } from '../drafts';
import type { CombinatorCall } from '../combinators/combinator-call';
import type { Family } from '../families/family';
import type { Scope } from './scopes';

export class PromiseNode {
  /** `RootKind`; meaningless for a derived promise. */
  kind: number = RootKind.unknown;
  stack: Stack | undefined;
  /** The call of the async function whose code made it. */
  owner: PromiseNode | undefined;
  tick = 0;
  /** Whether it was made where a promise led to: in a reaction to one. */
  inReaction = false;
  /** That one, where it is known. */
  madeIn: PromiseNode | undefined;
  /** What that one was derived from, where it is not known itself and somebody follows lanes. */
  madeBehind: PromiseNode | undefined;
  /** Id of the promise whose wait the code that made it went on behind, told of or not; 0 where that is not known. */
  begunBehind = 0;
  made = NaN;
  /** NaN while it is pending. */
  ended = NaN;
  /** The run of code in which it was settled; 0 while it is pending. */
  endedTick = 0;
  rejected = false;
  /** True where a timer alone settled it. */
  byTimer = false;
  /** When it was handed in as a task, where that is known and came before it was made. */
  submitted: number | undefined;
  /** True where it was given to whoever handed in a task. */
  isForTask = false;
  /** What its error says, where that is known. */
  error: string | undefined;
  consumed = false;
  /** True once it was taken again: several things go on behind it. */
  isForked = false;
  /** What it was derived from by `then`. */
  parent: PromiseNode | undefined;
  /** What was made of it by `then` first, where that is known. */
  firstLink: Link | undefined;
  /** What its function had asked for, which others were given as well: that is no call made where this one was. */
  insteadOf: PromiseNode | undefined;
  /** What it was resolved with. */
  inner: PromiseNode | undefined;
  /** What was resolved with it. */
  adoptedBy: PromiseNode | undefined;
  /** The call of the async function whose code settled it. */
  settledBy: PromiseNode | undefined;
  /** True where code of a module, outside of any function, settled it later on. */
  byModule = false;
  /** The promise in whose reaction it was settled, where it had not been made there as well. */
  settledIn: PromiseNode | undefined;
  /** True where the code that made it settled it, in one run: `Promise.resolve()`. */
  settledAtOnce = false;
  /** Id of the promise whose wait that reaction went on behind, told of or not; 0 where that is not known. */
  endedBehind = 0;
  /** The last link of a chain behind it that was taken by somebody: where the call is over that gave the chain. */
  chainEnd: PromiseNode | undefined;
  /** True once several chains hang on it. */
  isShared = false;
  /** The latest promise its code awaited, or called `then` of. */
  lastWait: PromiseNode | undefined;
  /** The latest before that one which was over by then, and had taken its time. */
  waitedFor: PromiseNode | undefined;
  /** Whose code awaits it; the first, where several do. */
  awaitedBy: PromiseNode | undefined;
  /** What else of the program's was called right behind it: what a queue keeps only waits, what a function makes for its steps begins with the first of them. */
  begunWith: PromiseNode | undefined;
  /** The plain promise that it was called right behind. */
  begunIn: PromiseNode | undefined;
  /** The combinator call it is an element of; where it is one of several, the first. */
  elementOf: CombinatorCall | undefined;
  /** The combinator call whose element was derived from it. */
  behind: CombinatorCall | undefined;
  /** The wait for its turn, once a neighbour's end was seen to end it. */
  turnWait: PromiseNode | undefined;
  /** True once it is known for the work that an element of a combinator stands for. */
  isClaimed = false;
  /** The calls of its function that no combinator holds together, if it is one of them. */
  family: Family | undefined;
  /** The bar it is drawn as. */
  task: TaskDraft | undefined;
  /** True where it is none, but was called by a worker in the turn that is. */
  isBeside = false;
  /** The bar whose end its end is, where that is not its own. */
  endsTask: TaskDraft | undefined;
  /** The first call of the program's in what it had asked of a library, or of what it awaits: in its stead that is the task's function. */
  inside: PromiseNode | undefined;
  /** The call of an API that it is the inner business of. */
  partOf: PromiseNode | undefined;
  /** What requests were sent for it. */
  requests: string | undefined;
  /** The task of a library's that made it before its function returned. */
  libraryTask: TaskDraft | undefined;
  /** True where it was given for all tasks of a pool: that pool is its work, and no task alone. */
  isWhole = false;
  /** True where a library gave it for somebody's turn: to wait for it is no work. */
  isTurn = false;
  /** The library whose combinator made it, where that is none of the language's. */
  library: string | undefined;
  /** The combinator call it is itself. */
  combinator: CombinatorCall | undefined;
  /** True where it waits for the call of its function that was made right before it, or is waited for so: `reduce(async (before, item) => { await before; … })`. */
  isLink = false;
  /** The first of the calls of a function that calls itself again and again, where that is another one. */
  chainHead: PromiseNode | undefined;
  /** What the code it is the call of has called so far, kept for as long as more may come. */
  scope: Scope | undefined;
  /** True once its part is over and what tied it to others is forgotten. */
  isRetired = false;

  constructor(readonly id: number) {}

  /** The combinator call that waits for it, directly or for what was derived from it. */
  get awaitingCall(): CombinatorCall | undefined { return this.elementOf ?? this.behind; }
  get isPending(): boolean { return Number.isNaN(this.ended); }
  get isAsyncFunction(): boolean { return this.kind === RootKind.asyncFunction; }
  get isDerived(): boolean { return this.parent !== undefined; }

  /**
   * Lets go of other promises, of which all would hold on to each other otherwise, back to the first. What it was itself
   * stays known to those who hold on to it; so does whose code made it, as long as that still runs.
   */
  retire(): void {
    this.isRetired = true;
    if (this.owner?.isRetired) this.owner = undefined;
    this.firstLink = undefined;
    this.insteadOf = this.parent = this.madeIn = this.madeBehind = this.inner = this.adoptedBy = this.settledBy = this.settledIn = this.lastWait = this.waitedFor = this.awaitedBy = this.turnWait = this.inside = this.partOf = this.begunWith = this.begunIn = undefined;
    this.elementOf = this.behind = this.combinator = undefined;
    this.scope = undefined;
    this.family = undefined;
    this.task = this.endsTask = this.libraryTask = undefined;
  }
}

/** Promises in the order in which they were made. */
export const inOrder = (nodes: Iterable<PromiseNode>): PromiseNode[] => [...nodes].sort((a, b) => a.id - b.id);

/** Calls that one running function made from one place in it. */
export interface CallPlace {
  readonly place: Place;
  /** The latest of them. */
  readonly nodes: PromiseNode[];
  /** How many of all were seen to be made there; the others only looked like it. */
  seen: number;
  /** True as long as it did something else, or waited, between any two. */
  oneByOne: boolean;
  /** Run of code in which the latest of them was made, and where. */
  tick: number;
  made: Place | undefined;
  /** The function that was called there then, where that has called what made it. */
  helper: string | undefined;
  /** Whether an async generator made it, which the function asked for its next there. */
  isAsked: boolean;
}

/** Whether a function called a place for the first time; of a worker's turns none but the latest is kept. */
export const isFirstCall = ({ nodes, seen }: CallPlace): boolean => nodes.length === 1 && seen <= 1;

/** What a running function called at a place in it. */
export const callsAt = ({ scope }: PromiseNode, place: Place): readonly PromiseNode[] => scope?.calls?.find((calls) => calls.place === place)?.nodes ?? [];

/** What a combinator sees as an element, or `await` as its operand: back from `then` to the promise it all began with. */
export function sourceOf(node: PromiseNode): PromiseNode {
  let at = node;
  for (let steps = 0; at.parent && !isOthers(at.inner) && !at.parent.elementOf && steps < 64; steps++) at = at.parent;
  return at;
}

/** Whether a link of a chain was resolved with something else than what `finally` makes of its function's result. */
const isOthers = (inner: PromiseNode | undefined): inner is PromiseNode => inner !== undefined && !(inner.parent && isFinallys(inner.parent));

/** What a chain of `then` began with, be its links resolved with others or not. */
export function headOf(node: PromiseNode): PromiseNode {
  let at = node;
  for (let steps = 0; at.parent && !at.parent.elementOf && steps < 64; steps++) at = at.parent;
  return at;
}

/** Whether of two calls of one function, made at one place in one go, the second waits for the first. */
export const isLinkedTo = (before: PromiseNode, next: PromiseNode): boolean =>
  before.isAsyncFunction && next.isAsyncFunction && before.id < next.id && before.tick === next.tick && before.owner === next.owner && before.stack !== undefined && before.stack === next.stack;

/** The promise that was resolved with a call, or with the chain that begins with it. */
export const resolvedWith = ({ adoptedBy, chainEnd }: PromiseNode): PromiseNode | undefined => adoptedBy ?? chainEnd?.adoptedBy;

/** What the chain began with that goes on with a call: one of its links was resolved with that, or with a chain which begins with it. */
export function headBefore(node: PromiseNode): PromiseNode | undefined {
  const link = resolvedWith(node);
  const head = link && headOf(link);
  return head === link ? undefined : head;
}

/** The place that called the function whose call it is, whichever function runs there. */
export const callerPlaceOf = (node: PromiseNode): Place | undefined => userFrame(topOf(node.stack)?.callers)?.place;

/** What the chain began with in a reaction of which something was made. */
export const chainHeadOf = ({ madeIn }: PromiseNode): PromiseNode | undefined => (madeIn?.isDerived ? headOf(madeIn) : undefined);

/** The head of a chain in whose reactions a call was made, or a head that one was made in the reactions of, and so on: the first that is looked for. */
export function headAround({ madeIn }: PromiseNode, isIt: (head: PromiseNode) => boolean): PromiseNode | undefined {
  let at = madeIn;
  for (let steps = 0; at && steps < 16; steps++) {
    const head = headOf(at);
    if (isIt(head)) return head;
    at = head.madeIn;
  }
  return undefined;
}

/** The call of the user's function whose work a promise stands for; the promise itself where there is no other. */
export function workOf(node: PromiseNode): PromiseNode {
  let best = node;
  let at: PromiseNode | undefined = node;
  for (let steps = 0; at && steps < 64; steps++) {
    if (at.isWhole || holdsAll(at)) return at;
    if (isUserCall(at) && at.isAsyncFunction && !onlyCalls(at)) return at;
    if (isCall(at) || !isCall(best)) best = at;
    const next: PromiseNode | undefined = givenWork(at) ?? precedingWork(at) ?? settlerOf(at) ?? awaitedWork(at);
    if (next && isOneOf(next, at)) return at;
    at = next;
  }
  return best;
}

/** Whether a call is but one of those that a library ran for a promise of its: the one that ended last. */
function isOneOf({ family, libraryTask, task: tied }: PromiseNode, whole: PromiseNode): boolean {
  const task = tied ?? libraryTask;
  return (family?.isRun === true || (task?.group?.isTold === true && whole.task !== task)) && libraryMaking(whole) !== undefined;
}

/** Whether it is for all of several: what ended last of those is not the work it stands for. */
export const holdsAll = ({ combinator }: PromiseNode): boolean => combinator !== undefined && combinator.combinator !== 'race' && combinator.elements.length > 1;

/** What a library's function waits for, or waited for last of all, where that is the program's: `return await fn()`. */
function awaitedWork(node: PromiseNode): PromiseNode | undefined {
  const { ended, isAsyncFunction, lastWait, waitedFor } = node;
  if (!isAsyncFunction || !lastWait || libraryMaking(node) === undefined) return undefined;
  // What was begun in a `finally` nobody waited for.
  const wait = Number.isNaN(ended) || lastWait.ended <= ended ? lastWait : waitedFor;
  // It may take its time to end, but in the run of code that goes on behind the wait it does no more than that.
  if (!wait || (ended - wait.ended >= NO_WORK_MS && node.endedBehind !== wait.id)) return undefined;
  const work = sourceOf(wait);
  return isUserCall(work) || libraryMaking(work) !== undefined ? work : undefined;
}

/** What a promise was resolved with; of a chain that a plain function gave, the work that it began with. */
const givenWork = ({ inner }: PromiseNode): PromiseNode | undefined => (isOthers(inner) ? workBegin(inner) ?? inner : undefined);

/** The call that a chain began with; where that was there before the chain was, the call of the first step. */
function workBegin(link: PromiseNode): PromiseNode | undefined {
  const head = headOf(link);
  return stepsBegin(link) ?? (isThere(head) ? firstStepOf(link, head) : undefined);
}

/** The call that a chain began with, where it is the first step of its work and no mere wait for room; undefined for none. */
export function stepsBegin(link: PromiseNode): PromiseNode | undefined {
  const head = headOf(link);
  const made = topOf(head.stack)?.place;
  // What is asked of Node, but for its timers, makes nobody wait for room, however short it takes.
  const isRequest = made?.kind === 'node' && !made.file.startsWith('node:timers');
  if (!head.chainEnd || !(isUserCall(head) || made?.kind === 'node') || !(isRequest || head.ended - head.made >= NO_WORK_MS || (isBegunAtOnce(head) && made !== undefined && !isRunner(made))) || !areOfOneChain(link, head.chainEnd)) return undefined;
  const wait = head.isAsyncFunction ? head.lastWait ?? head.inner : head;
  const isReleased = wait && !wait.settledAtOnce && !wait.isAsyncFunction && !wait.isDerived && isUserCall(wait) && (wait.settledBy !== undefined || wait.settledIn !== undefined || wait.byModule);
  return isReleased ? undefined : head;
}

/** `Promise.resolve(id).then(load)`: whether what a function gave begins with what was there, for that and all other calls of it. Some who wait for room have none. */
export const isBegunAtOnce = ({ settledAtOnce, family, chainEnd }: PromiseNode): boolean => settledAtOnce && chainEnd !== undefined && family?.areBegunAtOnce === true;

/** Whether one of two links led to the other. */
const areOfOneChain = (a: PromiseNode, b: PromiseNode): boolean => isBehind(a, b) || isBehind(b, a);

/** Whether a link came of another one, or is it. */
export function isBehind(link: PromiseNode, other: PromiseNode): boolean {
  let at: PromiseNode | undefined = link;
  for (let steps = 0; at && at !== other && steps < 64; steps++) at = at.parent;
  return at === other;
}

/** Whether all that an async function did was to call another one, or, without a name, a plain one that gives a chain, and return what that gave: `async () => task(...args)`. */
export function onlyCalls(node: PromiseNode): boolean {
  const { inner, lastWait, tick } = node;
  if (!inner) return false;
  const head = headOf(inner);
  if (head === inner) return !lastWait && inner.tick === tick && inner.isAsyncFunction && isUserCall(inner);
  // What the chain's own steps wait for, they have made later on.
  const hasWaited = lastWait?.tick === tick && !isBehind(inner, lastWait);
  return !hasWaited && topOf(node.stack)?.place.name === '' && head.chainEnd !== undefined && head.tick === tick && functionKeyOf(head) !== functionKeyOf(node);
}

/**
 * What a promise made by `then` began with. A link of a chain of elements stands for its own work, not for its
 * predecessor's; and as long as a link further down a chain is pending, its own work may be yet to come.
 */
function precedingWork({ parent, isPending }: PromiseNode): PromiseNode | undefined {
  return !parent || parent.elementOf || (isPending && parent.isDerived) ? undefined : parent;
}

/** The call whose end brought a plain promise's end about: of a queue's `new Promise`, the work done for it. */
function settlerOf(node: PromiseNode): PromiseNode | undefined {
  if (node.isAsyncFunction || node.isDerived || node.isPending) return undefined;
  const cause = node.settledIn ? workBegin(node.settledIn) ?? sourceOf(node.settledIn) : undefined;
  const wait = node.settledBy?.lastWait;
  for (const candidate of [cause, wait && sourceOf(wait)]) {
    // A link of a chain that was resolved with something stands for that.
    if (candidate && candidate !== node && candidate.made >= node.made && candidate.ended <= node.ended && (userFrame(candidate.stack) || isOthers(candidate.inner))) return candidate;
  }
  return undefined;
}

/** Whether a running function made something only after it had done, or waited for, something else: in another run of code, and not at once. */
export const isLater = (made: PromiseNode, by: PromiseNode): boolean => made.tick !== by.tick && made.made - by.made > NO_WORK_MS;

/** Whether a call's code last waited for something that was not over at a time. */
export const hasWaitedSince = ({ lastWait }: PromiseNode, time: number): boolean => lastWait !== undefined && !(lastWait.ended <= time);

/** The promise by which a call is over: its own, or the link behind it that its function gave. */
export const endOf = (call: PromiseNode): PromiseNode => call.chainEnd ?? call;

/** Whether the promise was made by a function of the user's own, not by a library or by Node. */
export const isUserCall = (node: PromiseNode): boolean => topOf(node.stack)?.place.kind === 'user';

/** Whether it is what a function wraps a thenable in that it awaits, as a query builder is one. */
export const isThenable = ({ stack }: PromiseNode): boolean => stack !== undefined && isThen(stack.place);

/** Whether the promise was made by a function of the user's own, or is what the program asked of Node or of a library that makes requests. */
export const isCall = (node: PromiseNode): boolean => isUserCall(node) || node.family !== undefined;

/** The library that made the promise. */
export const libraryMaking = (node: PromiseNode): string | undefined => libraryOf(node.stack);

/** Whether a stream of Node's made the promise. */
export const isStreams = ({ stack }: PromiseNode): boolean => topOf(stack)?.place.isStreams === true;

/** Whether it is what Node does to load a module: who asks for one that is being loaded waits for whoever asked first. */
export const isLoaders = ({ stack }: PromiseNode): boolean => topOf(stack)?.place.file.startsWith('node:internal/modules/') === true;

const OPERATORS = 'node:internal/streams/operators';

/** Whether a stream's operator made it, or what that does inside: `stream.map(load, { concurrency: 4 }).toArray()`. */
export const isStreamOperator = ({ stack }: PromiseNode): boolean => topOf(stack)?.place.file === OPERATORS;

/** Whether it is what calls an operator's function for the pieces of a stream, several at once, as a library's pool does. */
export function isStreamPump({ stack }: PromiseNode): boolean {
  const place = topOf(stack)?.place;
  return place?.file === OPERATORS && place.name === 'pump';
}

/** The program's frame that a library's call was made in, or asked for it. */
export const frameAround = (call: PromiseNode): Stack | undefined => userFrame((call.partOf ?? call).stack);

/** The function whose work it is, as one string; empty where nobody looked. */
export function functionKeyOf(node: PromiseNode): string {
  return (isUserCall(node) ? topOf(node.stack) : userFrame(node.stack))?.functionKey ?? '';
}

/** Whether it is what the `next` of an async generator, be it a compiler's, or of an iterator of Node's, gave, or how one is told to end: asking for work is no work. */
export function isIteratorStep({ stack }: PromiseNode): boolean {
  if (isBuiltin(stack?.place, 'next') || isBuiltin(stack?.place, 'return')) return true;
  const top = topOf(stack);
  if (!top) return false;
  if (isHelpers(top.place) || top.place.isStep) return true;
  for (let at: Stack | undefined = top; at?.place.kind === 'node'; at = at.callers) if (at.place.name === 'next') return true;
  return false;
}

/** Whether it is the promise that V8 itself waits for in `finally`, in the code that awaits what `finally` made. One that nobody looked at is, where a reaction makes it that settles it as well. */
export function isFinallys({ kind, stack, settledAtOnce, inReaction }: PromiseNode): boolean {
  if (kind === RootKind.unknown && !stack) return settledAtOnce && inReaction;
  return kind === RootKind.other && isBuiltin(stack?.place, '') && isCalledByNone(stack?.callers);
}

/** Whether no code called it: what stands above awaits it, or is Node where it runs reactions. */
const isCalledByNone = (callers: Stack | undefined): boolean => callers === undefined || callers.awaits || callers.place.kind === 'node';

/** Whether a place is in code of the running function's own, or of a module, and in no function that was called there. */
export const isInOwnCode = (place: Place, owner: PromiseNode | undefined): boolean => isModules(place) || place.fn === topOf(owner?.stack)?.place.fn;

/** Whether the running function, or a module, calls a function itself, and no builtin does that was handed it. */
export function isCalledDirectly({ stack, owner }: PromiseNode): boolean {
  const caller = topOf(stack)?.callers;
  if (!caller || caller.awaits) return false;
  return owner ? caller.place.fn === userFrame(owner.stack)?.place.fn : isModules(caller.place);
}
