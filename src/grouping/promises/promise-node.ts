/** A promise of the user's process, as far as the facts tell. Times are milliseconds after the run's `timeOrigin`. */
import { RootKind } from '../../model/facts';
import { NO_WORK_MS } from '../moments';
import { isBuiltin, isHelpers, isModules, isThen, libraryOf, topOf, userFrame, type Place, type Stack } from './places';
import type { Link } from './link-begins';
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
  /** Id of what was derived from it first; 0 for nothing. */
  firstDerived = 0;
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
  /** Whether the run of code that made it settled it, be it by an async function that waited for nothing. */
  get isThroughAtOnce(): boolean { return this.settledAtOnce || (this.isAsyncFunction && this.endedTick === this.tick); }

  /** It stands for a bar, also where it was called beside in a worker's turn. */
  standFor(task: TaskDraft): void {
    this.task = task;
    this.isBeside = false;
  }

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

/** Whether of two calls of one function, made at one place in one go, the second waits for the first. */
export const isLinkedTo = (before: PromiseNode, next: PromiseNode): boolean =>
  before.isAsyncFunction && next.isAsyncFunction && before.id < next.id && before.tick === next.tick && before.owner === next.owner && before.stack !== undefined && before.stack === next.stack;

/** The place that called the function whose call it is, whichever function runs there. */
export const callerPlaceOf = (node: PromiseNode): Place | undefined => userFrame(topOf(node.stack)?.callers)?.place;

/** Whether a running function made something only after it had done, or waited for, something else: in another run of code, and not at once. */
export const isLater = (made: PromiseNode, by: PromiseNode): boolean => made.tick !== by.tick && made.made - by.made > NO_WORK_MS;

/** Whether a call's code last waited for something that was not over at a time. */
export const hasWaitedSince = ({ lastWait }: PromiseNode, time: number): boolean => lastWait !== undefined && !(lastWait.ended <= time);

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
