/** Who of the program's waits for a callback, read from a stack. */
import { isNative, isPromiseConstructor, lastName, originOf, packageOf, type CallSite } from './raw-stack';
import type { ToldPlaces } from './told-places';

/** A function of the program that runs. Line and column are 1-based, those of its beginning. */
export interface ProgramFrame {
  /** Number of the function. */
  readonly fn: number;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Stack id of the place where it is, with its callers. */
  readonly stack: number;
  /** Whether `new Promise` called it. */
  readonly isExecutor: boolean;
  /** Whether a stream of Node's did. */
  readonly isByStream: boolean;
  /** The package whose code did, to have work done; '' for none. */
  readonly library: string;
  /** Number of the place in the program where it was called, with nothing in between; 0 for none. */
  readonly calledAt: number;
}
/** A call by which the program waits for a callback. */
export interface ProgramCall {
  /** The program's functions at work, innermost first. */
  readonly frames: readonly ProgramFrame[];
  /** `name file` of what stands between us and the innermost of them, innermost first. */
  readonly through: readonly string[];
}

const STREAMS = 'node:internal/streams/';
/** What hears a stream say that there is a piece. */
const EVENTS = 'node:events';
/** Functions of libraries that call the executor of a promise of theirs. */
const PROMISE_MAKER = /^(?:[Pp]romise|Aigle|initializePromise|_resolveFromExecutor|callResolver)$/;
const isStreams = (site: CallSite | undefined): boolean => site?.getFileName()?.startsWith(STREAMS) === true;

/** @param sites frames of the running code, innermost first */
export function programCall(sites: readonly CallSite[], places: ToldPlaces): ProgramCall {
  const through: string[] = [];
  const frames: ProgramFrame[] = [];
  sites.forEach((site, i) => {
    const place = places.isUser(site) ? places.placeOf(site) : undefined;
    if (!place) {
      if (frames.length === 0) through.push(`${lastName(site.getFunctionName() ?? '')} ${site.getFileName() ?? ''}`);
      return;
    }
    const { file, line, column } = originOf(site.getFileName() ?? '', site.getEnclosingLineNumber?.() ?? 0, site.getEnclosingColumnNumber?.() ?? 0);
    frames.push({
      fn: place.fn, name: lastName(site.getFunctionName() ?? ''), file, line, column, stack: places.chainOf(sites.slice(i)), isExecutor: isPromiseConstructor(sites[i + 1]),
      isByStream: isStreams(sites.find((by, at) => at > i && by.getFileName() !== EVENTS)), ...callerOf(sites, i, places),
    });
  });
  return { frames, through };
}

/** @param at index of a function of the program's @returns who called it, as a `ProgramFrame` tells */
function callerOf(sites: readonly CallSite[], at: number, places: ToldPlaces): Pick<ProgramFrame, 'library' | 'calledAt'> {
  const next = sites[at + 1] as CallSite | undefined;
  if (next && places.isUser(next)) return { library: '', calledAt: places.placeOf(next)?.id ?? 0 };
  const end = sites.findIndex((site, i) => i > at && places.isUser(site));
  const between = sites.slice(at + 1, end < 0 ? sites.length : end).filter((site) => !isNative(site));
  // To make a promise of its own a library calls a function of the one that asks for it.
  const makesPromise = end >= 0 && between.some((site) => PROMISE_MAKER.test(lastName(site.getFunctionName() ?? '')));
  return { library: makesPromise ? '' : packageOf(between[0]?.getFileName() ?? ''), calledAt: 0 };
}
