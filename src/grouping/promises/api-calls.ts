/** Calls of Node itself, or of a library that makes requests, which no function of the user's wraps: `(url) => fetch(url)`. */
import { isBuiltin, isModules, topOf, userFrame, type Place, type Stack } from './places';
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
  /** The program's frame that made the call. */
  readonly frame: Stack;
  /** `fetch`, or the library that makes the request; undefined for Node's other calls. */
  readonly library: string | undefined;
  /** Where its promise is made. */
  readonly made: Place;
  /** Whether a function that only makes the call stands around it. */
  readonly isWrapped: boolean;
}

/** @returns undefined where the promise is made by other code, or is some inner one's of a call's */
export function apiCallOf(node: PromiseNode): ApiCall | undefined {
  if (node.isDerived || isFinallys(node)) return undefined;
  let callee: Stack | undefined;
  let at = node.stack;
  let depth = 0;
  for (; at && at.place.kind !== 'user'; at = at.callers) {
    // A step of an async generator is not what was asked for.
    if (at.awaits || isBuiltin(at.place, 'next') || (at.place.kind === 'library' && !REQUESTS.has(at.place.library ?? ''))) return undefined;
    if (at.place.kind !== 'native') { callee = at; depth++; }
  }
  const made = topOf(node.stack);
  if (!at || at.awaits || !callee || !made || depth > MAX_DEPTH || isListening(callee.place)) return undefined;
  const { fn } = at.place;
  const isOwn = isModules(at.place) || fn === userFrame(node.owner?.stack)?.place.fn;
  return { key: isOwn ? `api|${callee.place.fn}` : fn, frame: at, library: libraryIn(callee.place), made: made.place, isWrapped: !isOwn };
}

/** `once(queue, 'drain')` waits for what others do. */
const isListening = ({ kind, name, file }: Place): boolean => kind === 'node' && name === 'once' && file === 'node:events';

/** Whether each call of an API is one request, and over when that is answered. */
export const isRequest = ({ library }: ApiCall): boolean => library === 'fetch' || library === 'axios';

/** Whether none of the program's code made a call: a library did, that hands on what comes in from outside, or makes what it needs. */
export function isLibrarysCall({ stack }: PromiseNode): boolean {
  const callers = topOf(stack)?.callers;
  return callers?.place.kind === 'library' && !userFrame(callers);
}
