/**
 * Where promises come from: the top frames of the stack, each place and each chain of places told once to the host and
 * known by a number from then on. A capture costs about 3 µs, so there is a purse for it (`Purse`).
 */
import nodeModule from 'node:module';
import { Fact, FrameFlag, RootKind, TextKind } from '../model/facts';
import type { FactWriter } from './fact-writer';
import { Purse } from './purse';

/** Enough for a task called by a helper called by the user; 16 where the first four frames are none of the user's and the top one is a library's. */
const FRAMES = 4;
const MORE_FRAMES = 16;
/** For the rare look that has to find the user's code behind any depth of a library's. */
const FAR_FRAMES = 64;
/** Looks at how the promises of one place are settled. */
const SETTLING_LOOKS = 4;
/** More different places than any program has; past it new ones are not told any more. */
const MAX_PLACES = 1 << 20;

type CallSite = NodeJS.CallSite & { getPosition?(): number; getEnclosingLineNumber?(): number; getEnclosingColumnNumber?(): number; isAsync?(): boolean };
// Taken now: a program may replace the global later, and it is V8's own that captures.
const HostError = Error;
const { findSourceMap } = nodeModule;
const { getOwnPropertyDescriptor } = Object;

interface Place { readonly id: number; readonly native: boolean; readonly name: string; readonly user: boolean; readonly fn: number; readonly position: number }

export interface Captured {
  /** Stack id, 0 where there is none. */
  readonly stack: number;
  /** `RootKind` of a promise made right here. */
  readonly kind: number;
  /** Number of the async function that was entered; 0 unless `kind` is `asyncFunction`. */
  readonly fn: number;
  /** Neither the user's code nor a library's is anywhere near: Node at work for itself. */
  readonly internal: boolean;
  /** Node's code made it, called by Node's code: the work inside a call of the program's, such as the `open` of a `readFile`. */
  readonly nodes: boolean;
  /** The number of the function of Node's own that made it; 0 where other code did. */
  readonly nodesFn: number;
  /** Where all of the running code that was looked at is Node's own, and the program is only waiting for it: a number for its places; else 0. */
  readonly inner: number;
}
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
}
/** A call by which the program waits for a callback. */
export interface ProgramCall {
  /** The program's functions at work, innermost first. */
  readonly frames: readonly ProgramFrame[];
  /** `name file` of what stands between us and the innermost of them, innermost first. */
  readonly through: readonly string[];
}
/** A place in the program: line 1-based. */
export interface Near { readonly file: string; readonly line: number }
export const NONE: Captured = { stack: 0, kind: RootKind.unknown, fn: 0, internal: false, nodes: false, nodesFn: 0, inner: 0 };
const COMBINATORS: Readonly<Record<string, number>> = { all: RootKind.all, allSettled: RootKind.allSettled, race: RootKind.race, any: RootKind.any };

/** @returns `RootKind` of the combinator that calls `then`; 0 for none */
function combinatorOf([first, second]: readonly CallSite[]): number {
  if (!first || !second || first.getFunctionName() !== 'then' || !isNative(first) || !isNative(second)) return 0;
  return COMBINATORS[second.getFunctionName() ?? ''] ?? 0;
}

/** Whether it is Node itself, that calls the program where its event loop has come to. */
function isLoops(site: CallSite): boolean {
  const file = site.getFileName();
  return file === 'node:internal/process/task_queues' || file === 'node:internal/timers';
}

export class CallStacks {
  private readonly looks = new Purse(4_000, 2);
  /** For telling where a combinator begins whose stack nobody looked at. */
  private readonly checks = new Purse(10_000, 10);
  /** For telling its elements from other promises: there may be many to a task. */
  private readonly tails = new Purse(500, 0.5);
  /** For telling `then` from `await` where a function still runs on top of its caller. */
  private readonly glances = new Purse(4_000, 2);
  private broken = false;
  private readonly strings = new Map<string, number>();
  private readonly byFile = new Map<string, Map<number, Place>>();
  private readonly natives = new Map<string, Place>();
  private readonly chains = new Map<number, number>();
  private readonly innerPlaces = new Map<number, number>();
  private readonly functions = new Map<string, number>();
  private readonly userFiles = new Map<string, boolean>();
  /** How promises are settled, by the stack they were made at. */
  private readonly settling = new Map<number, { readonly byTimer: boolean; readonly looks: number }>();
  /** Number of the async function that was entered, by the stack it was entered at. */
  private readonly enteredAt = new Map<number, number>();
  /** First position seen at the top of function n: where an async function makes its promise. */
  private readonly entries: number[] = [0];
  private places = 0;
  /** Function numbers of the frames of the last capture, innermost first, up to the first that awaits or that is the event loop's. */
  readonly frameFunctions = new Int32Array(FAR_FRAMES);
  frameCount = 0;
  /** A file whose frames are left out: our own, once adapters stand between the program and a library. */
  passOver: string | undefined;
  /** True where those frames are all of the running code, not just its top. */
  reachedBase = false;

  constructor(private readonly writer: FactWriter) {}

  /** @param time milliseconds of the thread's clock */
  refill(time: number): void {
    this.looks.refill(time);
    this.checks.refill(time);
    this.tails.refill(time);
    this.glances.refill(time);
  }

  /** Files of the program that were on a stack so far, and no library's. */
  programFiles(): string[] { return [...this.userFiles].flatMap(([file, user]) => (user && file !== this.passOver ? [file] : [])); }

  /** Whether looks have grown scarce, so that habits have to do. */
  get mustSave(): boolean { return this.looks.isLow || this.glances.isLow; }

  /** File of the code that called `above`; empty for none. */
  callerFile(above: (...args: never[]) => unknown): string { return this.raw(above, 1)[0]?.getFileName() ?? ''; }

  /** @param handsOn matches `name file` of functions in between that only hand on @returns number of the program's function that calls `above`; 0 where somebody else does */
  callingFunction(above: (...args: never[]) => unknown, handsOn: RegExp): number {
    for (const site of this.raw(above, MORE_FRAMES)) {
      const file = site.getFileName();
      if (!file) continue;
      if (this.isUser(site)) return this.placeOf(site)?.fn ?? 0;
      if (!handsOn.test(`${site.getFunctionName() ?? ''} ${file}`)) return 0;
    }
    return 0;
  }

  /** Whether one more stack may be captured. */
  mayLook(): boolean { return !this.broken && this.looks.take(); }

  /** A look that habit made needless. */
  saveLook(): void { this.looks.save(); }

  /**
   * Whether one more `combinatorCall` may be asked of what may be a combinator's first element.
   * @param isLikely false where it is rather what many functions wait for
   */
  mayCheck(isLikely: boolean): boolean { return !this.broken && (isLikely || !this.checks.isLow) && this.checks.take(); }

  /** Whether one more `combinatorAbove` may be asked of what is taken for one more element. */
  mayVerify(): boolean { return !this.broken && this.tails.take(); }

  /** Whether one more `runsOn` may be asked. */
  mayGlance(): boolean { return !this.broken && this.glances.take(); }

  /** Whether function `fn` runs on behind the promise being made: it comes of `then`, or of an `await` in other code, as that of a generator. */
  runsOn(fn: number, above: (...args: never[]) => unknown): boolean {
    const [first] = this.raw(above, 1);
    if (!first) return false;
    return isNative(first) ? first.getFunctionName() === 'then' : fn !== 0 && (this.placeOf(first)?.fn ?? fn) !== fn;
  }

  /** @param above the function whose callers are wanted: it and all it called are left out */
  capture(above: (...args: never[]) => unknown): Captured {
    let sites = this.raw(above, FRAMES);
    let internal = !sites.some((site) => this.isUser(site));
    if (internal && sites.length === FRAMES && this.isLibrarys(sites)) {
      sites = this.raw(above, MORE_FRAMES);
      internal = false;
    }
    if (sites.length === 0) { this.frameCount = 0; this.reachedBase = false; return NONE; }
    return this.told(sites, sites.length < FRAMES || (sites.length > FRAMES && sites.length < MORE_FRAMES) || sites[sites.length - 1].getFileName() === TASK_QUEUES, internal);
  }

  /** As `capture`, however deep in a library. @returns also the nearest place of the program's own */
  captureFar(above: (...args: never[]) => unknown): Captured & { readonly near: Near | undefined } {
    const sites = this.raw(above, FAR_FRAMES);
    const user = sites.find((site) => this.isUser(site));
    const near = user && { file: user.getFileName() ?? '', line: user.getLineNumber() ?? 0 };
    if (sites.length === 0) { this.frameCount = 0; this.reachedBase = false; return { ...NONE, near }; }
    return { ...this.told(sites, sites.length < FAR_FRAMES, false), near };
  }

  /** The program's functions at work where it sets a timer, makes a request or starts a child. */
  captureCall(above: (...args: never[]) => unknown): ProgramCall {
    let sites = this.raw(above, MORE_FRAMES);
    // Streams put that many of Node's between two of the program's: who called for the next one stands behind them.
    if (sites.length === MORE_FRAMES) sites = this.raw(above, FAR_FRAMES);
    const through: string[] = [];
    const frames: ProgramFrame[] = [];
    sites.forEach((site, i) => {
      const place = this.isUser(site) ? this.placeOf(site) : undefined;
      if (place) {
        const { file, line, column } = originOf(site.getFileName() ?? '', site.getEnclosingLineNumber?.() ?? 0, site.getEnclosingColumnNumber?.() ?? 0);
        frames.push({ fn: place.fn, name: lastName(site.getFunctionName() ?? ''), file, line, column, stack: this.chainOf(sites.slice(i)) });
      } else if (frames.length === 0) through.push(`${lastName(site.getFunctionName() ?? '')} ${site.getFileName() ?? ''}`);
    });
    return { frames, through };
  }

  /** @param isWhole the frames are all there are */
  private told(sites: readonly CallSite[], isWhole: boolean, internal: boolean): Captured {
    let base = sites.length;
    const stack = this.chainOf(sites);
    for (let i = sites.length - 1; i >= 0; i--) {
      if (sites[i].isAsync?.() === true || isLoops(sites[i])) base = i;
      this.frameFunctions[i] = this.placeOf(sites[i])?.fn ?? 0;
    }
    const top = this.placeOf(sites[0]);
    this.frameCount = base;
    this.reachedBase = base < sites.length || isWhole;
    if (!top) return NONE;
    const nodes = areNodesOwn(sites, sites.length, 2);
    const inner = areNodesOwn(sites, base, base) ? this.placesOf(sites, base) : 0;
    if (top.native) return { stack, kind: COMBINATORS[top.name] ?? RootKind.other, fn: 0, internal, nodes, nodesFn: 0, inner };
    this.entries[top.fn] ??= top.position;
    const entered = this.entries[top.fn] === top.position;
    if (entered) this.enteredAt.set(stack, top.fn);
    return { stack, kind: entered ? RootKind.asyncFunction : RootKind.other, fn: entered ? top.fn : 0, internal, nodes, nodesFn: areNodesOwn(sites, 1, 1) ? top.fn : 0, inner };
  }

  /** Number of the async function whose call's stack that is; 0 where it is none's. */
  functionEnteredAt(stack: number): number { return this.enteredAt.get(stack) ?? 0; }

  /**
   * Whether a timer settles a promise without any code of the program's: `setTimeout(resolve, 100)`.
   * @param stack where it was made: what is made there is settled in the same way
   */
  isSettledByTimer(stack: number, above: (...args: never[]) => unknown): boolean {
    if (stack === 0 || this.broken) return false;
    const known = this.settling.get(stack);
    if (known !== undefined && known.looks >= SETTLING_LOOKS) return known.byTimer;
    const at = this.raw(above, 2).find((site) => !isNative(site));
    const byTimer = at?.getFileName() === 'node:internal/timers';
    this.settling.set(stack, { byTimer, looks: (known?.looks ?? 0) + 1 });
    return byTimer;
  }

  /** The combinator whose element the promise being made is; 0 for none. */
  combinatorAbove(above: (...args: never[]) => unknown): number { return combinatorOf(this.raw(above, 2)); }

  /** The same of a first element, and where it is called: with its stack; both 0 for none. */
  combinatorCall(above: (...args: never[]) => unknown): { readonly kind: number; readonly stack: number } {
    const sites = this.raw(above, FRAMES + 1);
    const kind = combinatorOf(sites);
    return { kind, stack: kind === 0 ? 0 : this.chainOf(sites.slice(1)) };
  }

  private raw(above: (...args: never[]) => unknown, limit: number): CallSite[] {
    const limitBefore = getOwnPropertyDescriptor(HostError, 'stackTraceLimit');
    const prepareBefore = getOwnPropertyDescriptor(HostError, 'prepareStackTrace');
    // Reading or writing them would run the program's code.
    if (limitBefore?.get || limitBefore?.set || prepareBefore?.get || prepareBefore?.set) return [];
    const holder: { stack?: unknown } = {};
    try {
      HostError.stackTraceLimit = limit + HOOK_FRAMES + (this.passOver === undefined ? 0 : ADAPTER_FRAMES);
      HostError.prepareStackTrace = keepSites;
      HostError.captureStackTrace(holder, above);
      return Array.isArray(holder.stack) ? withoutHooks(holder.stack as CallSite[], limit, this.passOver) : [];
    } catch {
      // A frozen Error: there is no looking at stacks in this program.
      this.broken = true;
      return [];
    } finally {
      // Without a call: where the stack has overflowed there is no room for one.
      try {
        if (limitBefore) HostError.stackTraceLimit = limitBefore.value as number;
        else delete (HostError as Partial<ErrorConstructor>).stackTraceLimit;
        if (prepareBefore) HostError.prepareStackTrace = prepareBefore.value as typeof keepSites;
        else delete (HostError as Partial<ErrorConstructor>).prepareStackTrace;
      } catch { /* as above: it is as it was */ }
    }
  }

  /** Whether the innermost code is a library's: then the user's may be a way up. */
  private isLibrarys(sites: readonly CallSite[]): boolean {
    const file = sites.find((site) => !isNative(site))?.getFileName();
    return file !== undefined && file !== null && (!file.startsWith('node:') || file.startsWith(BUNDLED));
  }

  private isUser(site: CallSite): boolean {
    const file = site.getFileName();
    if (!file) return false;
    let user = this.userFiles.get(file);
    if (user === undefined) this.userFiles.set(file, (user = !file.startsWith('node:') && !/[\\/]node_modules[\\/]/.test(file)));
    return user;
  }

  private placeOf(site: CallSite): Place | undefined {
    const file = site.getFileName() ?? site.getScriptNameOrSourceURL?.() ?? '';
    if (!file) {
      const name = site.getFunctionName() ?? '';
      let place = this.natives.get(name);
      if (!place && this.places < MAX_PLACES) {
        place = { id: ++this.places, native: true, name, user: false, fn: 0, position: 0 };
        this.natives.set(name, place);
        this.writer.frame(FrameFlag.native, place.id, 0, this.stringOf(name), 0, 0, 0, 0);
      }
      return place;
    }
    let inFile = this.byFile.get(file);
    if (!inFile) this.byFile.set(file, (inFile = new Map()));
    const position = site.getPosition?.() ?? (site.getLineNumber() ?? 0) * 65536 + (site.getColumnNumber() ?? 0);
    let place = inFile.get(position);
    if (!place && this.places < MAX_PLACES) {
      const line = site.getLineNumber() ?? 0;
      const column = site.getColumnNumber() ?? 0;
      const startLine = site.getEnclosingLineNumber?.() ?? line;
      const startColumn = site.getEnclosingColumnNumber?.() ?? column;
      const at = originOf(file, line, column);
      const start = originOf(file, startLine, startColumn);
      const name = site.getFunctionName() ?? '';
      // A module and the first function in it may begin at the same place: only the function has a name.
      const fn = this.functionOf(`${file}:${startLine}:${startColumn}${startLine === 1 && startColumn === 1 && name !== '' ? ':named' : ''}`);
      place = { id: ++this.places, native: false, name: '', user: this.isUser(site), fn, position };
      inFile.set(position, place);
      this.writer.frame(0, place.id, this.stringOf(at.file), this.stringOf(name), at.line, at.column, start.line, start.column);
    }
    return place;
  }

  /** @returns the stack id of the frames, innermost first. */
  private chainOf(sites: readonly CallSite[]): number {
    let stack = 0;
    for (let i = sites.length - 1; i >= 0; i--) {
      const place = this.placeOf(sites[i]);
      if (place) stack = this.chain(stack, place, sites[i].isAsync?.() === true);
    }
    return stack;
  }

  /** @returns a number for the places of the innermost frames, which the host is not told of */
  private placesOf(sites: readonly CallSite[], count: number): number {
    let places = 0;
    for (let i = count - 1; i >= 0; i--) {
      const key = places * MAX_PLACES + (this.placeOf(sites[i])?.id ?? 0);
      let id = this.innerPlaces.get(key);
      if (id === undefined) this.innerPlaces.set(key, (id = this.innerPlaces.size + 1));
      places = id;
    }
    return places;
  }

  private chain(callers: number, place: Place, awaits: boolean): number {
    const key = callers * (MAX_PLACES * 2) + place.id * 2 + (awaits ? 1 : 0);
    let id = this.chains.get(key);
    if (id === undefined) {
      id = this.chains.size + 1;
      if (id > MAX_PLACES) return 0;
      this.chains.set(key, id);
      this.writer.record(Fact.stack, awaits ? 1 : 0, id, callers, place.id, 0, 0, 0);
    }
    return id;
  }

  /** @returns the text's number, told to the host; 0 for the empty one */
  stringOf(text: string): number {
    if (text === '') return 0;
    let id = this.strings.get(text);
    if (id === undefined) {
      this.strings.set(text, (id = this.strings.size + 1));
      this.writer.text(TextKind.string, id, text);
    }
    return id;
  }

  private functionOf(key: string): number {
    let id = this.functions.get(key);
    if (id === undefined) this.functions.set(key, (id = this.functions.size + 1));
    return id;
  }
}

/**
 * Where code that was compiled on its way into the process (tsx, a loader) stands in its source. Only Node in the process
 * itself knows, and only where the program switched source maps on. Lines and columns are 1-based, those of the map 0-based.
 */
function originOf(file: string, line: number, column: number): { file: string; line: number; column: number } {
  try {
    const entry = findSourceMap(file)?.findEntry(line - 1, column - 1);
    if (entry && 'originalSource' in entry) return { file: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch { /* a broken map is no map */ }
  return { file, line, column };
}

/** Frames of Node's own that may stand between us and the program: three of `async_hooks`, one where several listen. */
const HOOK_FRAMES = 4;
/** How many of our own adapters may stand among the frames looked at. */
const ADAPTER_FRAMES = 4;
const HOOK_FILE = /^node:internal\/(?:async|promise)_hooks$/;

function withoutHooks(sites: CallSite[], limit: number, passOver: string | undefined): CallSite[] {
  let own = 0;
  while (own < sites.length && HOOK_FILE.test(sites[own].getFileName() ?? '')) own++;
  const rest = own === 0 ? sites : sites.slice(own);
  return (passOver === undefined ? rest : rest.filter((site) => site.getFileName() !== passOver)).slice(0, limit);
}

/** Where Node loads and begins to run modules: what it waits for there is the program. */
const LOADER = 'node:internal/modules/';

/** Where Node begins to run reactions: nothing of the running code is called from further up. */
const TASK_QUEUES = 'node:internal/process/task_queues';

/** Libraries that Node brings along: `fetch` makes what it gives some calls further in. */
const BUNDLED = 'node:internal/deps/';

/** Whether functions on the stack are Node's own. @param end how many are looked at @param count of those that are no builtins, how many of the innermost */
function areNodesOwn(sites: readonly CallSite[], end: number, count: number): boolean {
  let seen = 0;
  for (let i = 0; i < end; i++) {
    const file = sites[i].getFileName();
    if (!file) continue;
    if (!file.startsWith('node:') || file.startsWith(LOADER) || file.startsWith(BUNDLED)) return false;
    if (++seen === count) return true;
  }
  return seen > 0;
}

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const keepSites = (_error: Error, sites: NodeJS.CallSite[]): NodeJS.CallSite[] => sites;
const isNative = (site: CallSite): boolean => !site.getFileName();
