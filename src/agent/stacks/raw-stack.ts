/** V8's own view of the running code: its frames, innermost first, and what each tells of itself. */
import nodeModule from 'node:module';
import { isAtMost } from '../source-files';
import type { CompiledAsync } from './compiled-async';
import type { LibraryFrames } from './library-frames';

/** A frame; positions are 0-based, lines and columns 1-based. */
export interface CallSite {
  getFileName(): string | null | undefined;
  getScriptNameOrSourceURL?(): string | null | undefined;
  getFunctionName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  getPosition?(): number | undefined;
  getEnclosingLineNumber?(): number;
  getEnclosingColumnNumber?(): number;
  isAsync?(): boolean;
  isConstructor?(): boolean;
  getEvalOrigin?(): string | undefined;
}
// Taken now: a program may replace the global later, and it is V8's own that captures.
const HostError = Error;
const { findSourceMap } = nodeModule;
const { getOwnPropertyDescriptor } = Object;

/** How many frames at most are left out of those looked at: Node's own between us and the program (three of `async_hooks`, one where several listen), and our adapters'. */
const MAX_LEFT_OUT = 8;
/** How many more are asked for where a library that makes promises of its own stands between the program and itself. */
const LIBRARY_FRAMES = 16;
/** For the rare look that has to find the program's code behind any depth of others'. */
export const FAR_FRAMES = 64;
/** How many constructors of subclasses are looked through. */
const MAX_CONSTRUCTORS = 4;
/** What makes promises by the class it is called on; what `finally` calls has no name. */
const BY_CLASS = /^(?:|then|all|allSettled|race|any|resolve|reject|withResolvers|try)$/;
const COMBINATORS = /^(?:all|allSettled|race|any)$/;
const HOOK_FILE = /^node:internal\/(?:async|promise)_hooks$/;

const keepSites = (_error: Error, sites: NodeJS.CallSite[]): NodeJS.CallSite[] => sites;

export class RawStack {
  /** True once the program has made it impossible to look. */
  isBroken = false;
  /** A file whose frames are left out: our own, once adapters stand between the program and a library. */
  passOver: string | undefined;
  /** A library that makes promises of its own, once there is one. */
  library: LibraryFrames | undefined;
  /** Whether the promise that is being made is one of a subclass. */
  makesSubclass = false;
  /** How many frames were left out at most so far; only those are asked for on top of what is wanted, as each costs. */
  private leftOut = 0;
  /** Whether the promise that was being made at the last look only wraps a value that code awaits which a compiler wrote. */
  wrapsValue = false;

  /**
   * @param now reads the clock, in ms
   * @param spent is told how long each look took, in ms
   */
  constructor(private readonly now: () => number, private readonly spent: (ms: number) => void, private readonly compiled: CompiledAsync) {}

  /**
   * @param above the function whose callers are wanted: it and all it called are left out
   * @param limit frames at most
   * @param base the code at which the async function was entered whose reaction runs; 0 for none, or where that does not matter
   */
  read(above: (...args: never[]) => unknown, limit: number, base = 0): readonly CallSite[] {
    const limitBefore = getOwnPropertyDescriptor(HostError, 'stackTraceLimit');
    const prepareBefore = getOwnPropertyDescriptor(HostError, 'prepareStackTrace');
    // Reading or writing them would run the program's code.
    if (limitBefore?.get || limitBefore?.set || prepareBefore?.get || prepareBefore?.set) return [];
    try {
      HostError.prepareStackTrace = keepSites;
      const start = this.now();
      const { leftOut, compiled } = this;
      const { extraFrames } = compiled;
      let sites = this.captureThrough(above, limit + leftOut + extraFrames);
      if (this.leftOut > leftOut && sites.length < limit) sites = this.captureThrough(above, limit + MAX_LEFT_OUT + extraFrames);
      let seen = compiled.see(sites, base, limit);
      if (seen.sites.length < limit && sites.length >= limit + extraFrames) {
        sites = this.captureThrough(above, FAR_FRAMES);
        seen = compiled.see(sites, base, limit);
      }
      this.wrapsValue = seen.wrapsValue;
      this.spent(this.now() - start);
      return seen.sites.length > limit ? seen.sites.slice(0, limit) : seen.sites;
    } catch {
      // A frozen Error: there is no looking at stacks in this program.
      this.isBroken = true;
      return [];
    } finally {
      // Without a call: where the stack has overflowed there is no room for one. Each for itself: one of them may be fixed.
      try {
        if (limitBefore) HostError.stackTraceLimit = limitBefore.value as number;
        else delete (HostError as Partial<ErrorConstructor>).stackTraceLimit;
      } catch { /* as above: it is as it was */ }
      try {
        if (prepareBefore) HostError.prepareStackTrace = prepareBefore.value as typeof keepSites;
        else delete (HostError as Partial<ErrorConstructor>).prepareStackTrace;
      } catch { /* as above: it is as it was */ }
    }
  }

  /** @param count how many frames are wanted at most @returns fewer where there are no more */
  private captureThrough(above: (...args: never[]) => unknown, count: number): CallSite[] {
    if (this.makesSubclass) return withoutConstructors(this.captureAll(above, count + MAX_CONSTRUCTORS + 2)).slice(0, count);
    return this.captureAll(above, count);
  }

  private captureAll(above: (...args: never[]) => unknown, count: number): CallSite[] {
    const { library } = this;
    if (library === undefined) return this.capture(above, count);
    let asked = count + LIBRARY_FRAMES;
    let raw = framesAbove(above, asked);
    let sites = library.see(raw);
    if (sites.length < count && raw.length === asked) {
      asked = FAR_FRAMES + LIBRARY_FRAMES;
      raw = framesAbove(above, asked);
      sites = library.see(raw);
    }
    return sites.slice(hooksOn(sites), count);
  }

  /** @param count how many frames V8 is asked for @returns those of them that are not left out */
  private capture(above: (...args: never[]) => unknown, count: number): CallSite[] {
    const sites = framesAbove(above, count);
    const { passOver } = this;
    const own = hooksOn(sites);
    const isClean = own === 0 && (passOver === undefined || sites.every((site) => site.getFileName() !== passOver));
    if (isClean) return sites;
    const rest = sites.filter((site, i) => i >= own && site.getFileName() !== passOver);
    this.leftOut = Math.min(Math.max(this.leftOut, sites.length - rest.length), MAX_LEFT_OUT);
    return rest;
  }
}

/** @param count how many frames V8 is asked for */
function framesAbove(above: (...args: never[]) => unknown, count: number): CallSite[] {
  const holder: { stack?: CallSite[] | string } = {};
  HostError.stackTraceLimit = count;
  HostError.captureStackTrace(holder, above);
  return Array.isArray(holder.stack) ? holder.stack : [];
}

/** @returns how many of the first frames are those of Node's that call our hooks */
function hooksOn(sites: readonly CallSite[]): number {
  let count = 0;
  while (count < sites.length && HOOK_FILE.test(sites[count].getFileName() ?? '')) count++;
  return count;
}

/** Whether it is a builtin of the language's. */
export const isNative = (site: CallSite): boolean => !site.getFileName();

/** Whether it is `new Promise`, which calls its executor. */
export const isPromiseConstructor = (site: CallSite | undefined): boolean => site !== undefined && isNative(site) && site.getFunctionName() === 'Promise';

/** Frames as they would be were the promise on top V8's own: builtins make those without a constructor, and a combinator what it wraps an element in. */
function withoutConstructors(sites: CallSite[]): CallSite[] {
  if (!isPromiseConstructor(sites[0])) return sites;
  let maker = 1;
  while (maker < sites.length && !isNative(sites[maker]) && sites[maker].isConstructor?.() === true) maker++;
  const name = (at: number): string | undefined => (at < sites.length && isNative(sites[at]) ? sites[at].getFunctionName() ?? '' : undefined);
  if (!BY_CLASS.test(name(maker) ?? 'none')) return [sites[0], ...sites.slice(maker)];
  if (name(maker) === 'resolve' && COMBINATORS.test(name(maker + 1) ?? '')) maker++;
  return sites.slice(maker);
}

/** Where Node begins to run reactions: nothing of the running code is called from further up. */
export const TASK_QUEUES = 'node:internal/process/task_queues';

/** Whether it is Node itself, that calls the program where its event loop has come to. */
export function isLoops(site: CallSite): boolean {
  const file = site.getFileName();
  return file === TASK_QUEUES || file === 'node:internal/timers';
}

/** Where Node loads and begins to run modules: what it waits for there is the program. */
const LOADER = 'node:internal/modules/';

/** Libraries that Node brings along: `fetch` makes what it gives some calls further in. */
export const BUNDLED = 'node:internal/deps/';

/** Whether functions on the stack are Node's own. @param end how many are looked at @param count of those that are no builtins, how many of the innermost */
export function areNodesOwn(sites: readonly CallSite[], end: number, count: number): boolean {
  let seen = 0;
  for (let i = 0; i < end; i++) {
    const file = sites[i].getFileName();
    if (!file) continue;
    if (!file.startsWith('node:') || file.startsWith(LOADER) || file.startsWith(BUNDLED)) return false;
    if (++seen === count) return true;
  }
  return seen > 0;
}

/** Where Node calls what it was handed: at the same place now its own function, now the program's. */
const HANDED = /^node:internal\/(?:streams\/(?:operators|from|pipeline|compose|duplexify)$|webstreams\/|test_runner\/)/;

/** Whether the function that runs is one of Node's that calls what the program, or other code of Node's, handed to it. */
export function callsHanded(sites: readonly CallSite[]): boolean {
  const running = sites.find((site) => !isNative(site));
  return running !== undefined && HANDED.test(running.getFileName() ?? '') && running.getFunctionName() !== 'toArray';
}

/** A function's name without that of its class. */
export const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** @param file of some code @returns the package that it is of, with its scope; '' for none */
export const packageOf = (file: string): string => (file.length > MAX_PATH ? '' : PACKAGE.exec(file)?.[1].replaceAll('\\', '/') ?? '');

/** What is larger than that is a bundle: to read its map would take the program longer, and more memory, than all the rest. The host reads it from the disk. */
const MAX_MAPPED_BYTES = 2 << 20;
/** Longer names are no paths: such code is its own name. */
const MAX_PATH = 4096;
/** Node keeps maps for whoever measures coverage as well. */
const hasCoverage = process.env.NODE_V8_COVERAGE !== undefined;
const mapped = new Map<string, boolean>();

/** Whether it is worth asking Node for a file's source map: to look for one takes longer than all the rest. */
function mayHaveMap(file: string): boolean {
  if ((process.sourceMapsEnabled as boolean | undefined) === false && !hasCoverage) return false;
  if (file.startsWith('node:') || file.startsWith('data:') || file.length > MAX_PATH) return false;
  let may = mapped.get(file);
  if (may === undefined) {
    // Of code from memory only Node knows.
    may = isAtMost(file, MAX_MAPPED_BYTES) ?? true;
    mapped.set(file, may);
  }
  return may;
}

/**
 * Where code that was compiled on its way into the process (tsx, a loader) stands in its source. Only Node in the process
 * itself knows, and only where the program switched source maps on. Lines and columns are 1-based, those of the map 0-based.
 */
export function originOf(file: string, line: number, column: number): { file: string; line: number; column: number } {
  if (!mayHaveMap(file)) return { file, line, column };
  try {
    const entry = findSourceMap(file)?.findEntry(line - 1, column - 1);
    if (entry && 'originalSource' in entry) return { file: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch { /* a broken map is no map */ }
  return { file, line, column };
}
