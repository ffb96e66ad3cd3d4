/**
 * Calls of plain functions that gave a combinator its elements: `Promise.all(hosts.map((host) => queueOf(host).onIdle()))`. No promise leads from what
 * such a function begins to its call; but the calls were made one after the other in one run of code, each between the element before and its own:
 *
 *   host(1): pool begins, element 1   host(2): pool begins, element 2        or   element 1, its pool begins   element 2, its pool begins
 */
import type { TaskDraft } from '../drafts';
import { isCutOff, type Stack } from '../promises/places';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import type { CombinatorCall } from './combinator-call';

/** Combinator calls that are kept, the latest. */
const KEPT = 64;
/** More elements than that are not gone through; and so many of several calls together are kept. */
const MAX_ELEMENTS = 4096;

/** A combinator call whose elements plain functions gave. */
interface Given {
  readonly call: CombinatorCall;
  /** When the last promise before this run of code was made. */
  readonly since: number;
  /** The functions that ran as one of them was given, as far as was looked. */
  readonly functions: ReadonlySet<string>;
  /** The first promise of each, in the order in which they were made. */
  readonly heads: readonly PromiseNode[];
  readonly elements: readonly PromiseNode[];
  /** Whether what is begun there comes before its element's first promise; undefined as long as that is open. */
  comesBefore: boolean | undefined;
}

/** What is begun in such a call, be it a group or the first of its tasks: when (milliseconds after the run's `timeOrigin`), where, and the promise's number; 0 where it is none. */
export type Begin = Pick<PromiseNode, 'id' | 'made' | 'stack'>;

export class Activations {
  private readonly given: Given[] = [];
  /** How many elements they have. */
  private held = 0;
  /** The run of code that goes on, when the latest promise was made, and the last one before that run. */
  private tick = 0;
  private latest = -Infinity;
  private before = -Infinity;

  /** A promise was made. */
  rooted({ made, tick }: PromiseNode): void {
    if (tick !== this.tick) {
      this.tick = tick;
      this.before = this.latest;
    }
    this.latest = made;
  }

  /** A call has all its elements. @returns whether plain functions gave them */
  gathered(call: CombinatorCall): boolean {
    const { elements, node, frame } = call;
    // Most are calls of async functions: these need no lists made of them.
    if (!frame || elements.length < 2 || elements.length > MAX_ELEMENTS || elements.every(isOfAsyncFunction)) return false;
    const heads = elements.map(headOf);
    const isPlain = heads.every(({ tick, task }) => tick === node.tick && task?.group?.isTold !== true);
    const seen = isPlain ? heads.find(({ stack }) => stack !== undefined) : undefined;
    const functions = functionsIn(seen?.stack, frame.place.fn);
    if (functions.size === 0) return false;
    const inOrder = elements.map((element, i) => ({ element, head: heads[i] })).sort((a, b) => a.head.id - b.head.id);
    this.given.push({ call, since: this.before, functions, heads: inOrder.map(({ head }) => head), elements: inOrder.map(({ element }) => element), comesBefore: undefined });
    this.held += elements.length;
    while (this.given.length > KEPT || (this.held > MAX_ELEMENTS && this.given.length > 1)) this.held -= this.given.shift()?.heads.length ?? 0;
    return true;
  }

  /** The task in whose call something was begun. @param heldBy the combinator that holds it, if any */
  taskAround(begin: Begin, heldBy?: PromiseNode): TaskDraft | undefined {
    const element = this.elementAround(begin, heldBy);
    return element && (element.task ?? sourceOf(element).task);
  }

  /** The element that was given by the call in which something was begun: the innermost of calls that are in one another. */
  elementAround(begin: Begin, heldBy?: PromiseNode): PromiseNode | undefined {
    let around: Given | undefined;
    // The outer ones have their elements later.
    for (const given of this.given.toReversed()) {
      const { node } = given.call;
      // What holds it in the same run of code was called first, if it is in there.
      if (heldBy && heldBy.tick === node.tick && isEarlier(node, heldBy)) continue;
      if (!isEarlier(begin, node) || !isBegunIn(given, begin) || isElement(given, begin)) continue;
      if (!around || elementIn(around, given.heads[0]) === elementIn(around, begin)) around = given;
    }
    return around && elementIn(around, begin);
  }
}

function isOfAsyncFunction(element: PromiseNode): boolean {
  const source = sourceOf(element);
  return source.isAsyncFunction && isUserCall(source);
}

/** The element in whose call something was begun, of those that one combinator was given; undefined as long as that is open. */
function elementIn(given: Given, begin: Begin): PromiseNode | undefined {
  const { elements, heads } = given;
  const before = countEarlier(heads, begin);
  if (before === 0) given.comesBefore ??= true;
  if (before === heads.length) given.comesBefore ??= false;
  if (given.comesBefore !== undefined) return elements[given.comesBefore ? before : before - 1];
  // `limit(() => host(name))`: what a promise made by hand has begun.
  return heads[before - 1].begunWith ? elements[before - 1] : undefined;
}

/** Promises are numbered as they are made; what is none has only its time. */
const isEarlier = (a: Begin, b: Begin): boolean => (a.id > 0 && b.id > 0 ? a.id < b.id : a.made < b.made);

const isElement = ({ heads }: Given, begin: Begin): boolean => begin.id > 0 && heads.at(countEarlier(heads, begin))?.id === begin.id;

/** How many of promises in the order in which they were made came before something. */
function countEarlier(heads: readonly PromiseNode[], begin: Begin): number {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEarlier(heads[middle], begin)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether something was begun as one of the elements was given: one of the functions ran, or ran further down than was looked, with the elements around it. */
function isBegunIn({ call, functions, heads, since }: Given, begin: Begin): boolean {
  const { made, stack } = begin;
  if (!(made > since)) return false;
  const running = functionsIn(stack, call.frame?.place.fn);
  return [...running].some((fn) => functions.has(fn)) || (isEarlier(heads[0], begin) && isCutOff(stack) && !isIn(stack, call.frame?.place.fn));
}

const isIn = (stack: Stack | undefined, fn: string | undefined): boolean => {
  let at = stack;
  while (at && at.place.fn !== fn) at = at.callers;
  return at !== undefined;
};

/** The program's functions that ran on top of another one, as far as was looked. */
function functionsIn(stack: Stack | undefined, outer: string | undefined): ReadonlySet<string> {
  const functions = new Set<string>();
  for (let at = stack; at && !at.awaits && at.place.fn !== outer; at = at.callers) if (at.place.kind === 'user') functions.add(at.place.fn);
  return functions;
}
