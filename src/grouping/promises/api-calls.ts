/** Calls of Node itself, or of a library that makes requests, which no function of the user's wraps: `(url) => fetch(url)`. */
import { isBuiltin, isModules, isThen, topOf, userFrame, type Place, type Stack } from './places';
import { isAsks } from './asking';
import { isIdles, isPauses } from './pauses';
import { isFinallys, type PromiseNode } from './promise-node';

/** Libraries whose calls are work in themselves. */
const REQUESTS: ReadonlySet<string> = new Set(['axios', 'undici']);

/** Whether a library only does what each call asks it for: that many are at it at once is not its doing. */
export const onlyRequests = (library: string): boolean => REQUESTS.has(library);

const libraryIn = ({ kind, library, name }: Place): string | undefined => (kind === 'library' ? library : name === 'fetch' ? 'fetch' : undefined);

/** Frames of an API between a call of it and the promise it gives; deeper down it is busy with itself. */
const MAX_DEPTH = 6;

/** A call of an API by the program's own code. */
export interface ApiCall {
  /** What its calls are known by: the function around it, or, where that is the one that goes on with it, the API's. */
  readonly key: string;
  /** The function that the program calls. */
  readonly callee: Place;
  /** The program's frame that made the call. */
  readonly frame: Stack;
  /** `fetch`, or the library that makes the request; undefined for Node's other calls. */
  readonly library: string | undefined;
  /** Where its promise is made. */
  readonly made: Place;
  /** Whether a function that only makes the call stands around it. */
  readonly isWrapped: boolean;
  /** Whether it is one request, as a query is, and over when that is answered. */
  readonly isRequest: boolean;
  /** Whether it is asked of Node itself, and is no request to a server. */
  readonly isNodes: boolean;
}

/** @returns undefined where the promise is made by other code, or is some inner one's of a call's */
export function apiCallOf(node: PromiseNode): ApiCall | undefined {
  if (node.isDerived || isFinallys(node)) return undefined;
  const call = callOutOf(node, ({ library }) => REQUESTS.has(library ?? ''), MAX_DEPTH);
  return call && (call.isWrapped || !isListening(call.callee)) ? call : undefined;
}

/** Functions of libraries that let time go by, or let in who has a slot: what is done behind them is the work. A guess by name. */
const LETS_WAIT = /^_?(?:wait|sleep|delay|pause|snooze|throttle|debounce|back_?off|acquire|obtain|lock|(?:remove|get|take)Tokens?|consume)/i;

/**
 * @param node what a running function waits for
 * @returns undefined where it is no promise that a library's function has made which the program called, or the function makes it wait, or only asks for work
 */
export function libraryCallOf(node: PromiseNode): ApiCall | undefined {
  const call = node.isDerived ? undefined : callOutOf(node, () => true, Infinity);
  const name = call?.callee.lastName ?? '';
  return LETS_WAIT.test(name) || LETS_WAIT.test(call?.library ?? '') || isPauses(name) || isIdles(name) || isAsks(name) ? undefined : call;
}

/** @param mayPass whether a library's frame may stand between the program's and the promise @param depth frames of other code than the program's, at most */
function callOutOf({ owner, stack }: PromiseNode, mayPass: (place: Place) => boolean, depth: number): ApiCall | undefined {
  let callee: Place | undefined;
  let at = stack;
  for (let passed = 0; at && at.place.kind !== 'user'; at = at.callers) {
    // A step of an async generator is not what was asked for.
    if (at.awaits || isBuiltin(at.place, 'next') || at.place.isStep || (at.place.kind === 'library' && !mayPass(at.place))) return undefined;
    if (at.place.kind === 'native') continue;
    callee = at.place;
    if (++passed > depth) return undefined;
  }
  const made = topOf(stack)?.place;
  if (!at || at.awaits || !callee || !made) return undefined;
  const { fn } = at.place;
  const isOwn = isModules(at.place) || fn === userFrame(owner?.stack)?.place.fn;
  const library = libraryIn(callee);
  const isRequest = library === 'fetch' || library === 'axios' || isThen(callee);
  // One function of a library's is often asked for all there is: `client.send(command)`.
  const own = callee.kind === 'library' ? at.place.at : callee.fn;
  return { key: isOwn ? `api|${own}` : fn, callee, frame: at, library, made, isWrapped: !isOwn, isRequest, isNodes: !isRequest && library === undefined };
}

/** `once(queue, 'drain')` waits for what others do, unless a function around it is what was asked for. */
export const isListening = ({ kind, name, file }: Place): boolean => kind === 'node' && name === 'once' && file === 'node:events';

/** Whether none of the program's code made a call: a library did, that hands on what comes in from outside, or makes what it needs. */
export function isLibrarysCall({ stack }: PromiseNode): boolean {
  const callers = topOf(stack)?.callers;
  return callers?.place.kind === 'library' && !userFrame(callers);
}
