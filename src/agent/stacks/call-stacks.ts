/**
 * Where promises come from: the top frames of the stack, each place and each chain of places told once to the host and
 * known by a number from then on (`ToldPlaces`). A capture costs 3 to 20 µs, so there is a budget for it (`LookBudget`).
 */
import { PROGRAM_FRAMES, RootKind } from '../../model/facts';
import type { FactWriter } from '../fact-writer';
import { CompiledAsync } from './compiled-async';
import type { LibraryFrames } from './library-frames';
import { LookBudget } from './look-budget';
import { programCall, type ProgramCall } from './program-calls';
import { areNodesOwn, callsHanded, BUNDLED, FAR_FRAMES, isLoops, isNative, isPromiseConstructor, lastName, RawStack, TASK_QUEUES, type CallSite } from './raw-stack';
import type { Maker } from '../promises/subclass-promises';
import { ToldPlaces, type Place } from './told-places';

/** Enough for a task called by a helper called by the user; `PROGRAM_FRAMES` of the program's where Node's or V8's own code is on top and no async function is seen to run. */
const FRAMES = 4;
/** Where none of the first frames is the user's and the top one is a library's. */
const MORE_FRAMES = 16;
/** Enough to see that code runs in the executor of a promise near by. */
const EXECUTOR_FRAMES = 8;
/** Looks at how the promises of one place are settled. */
const SETTLING_LOOKS = 4;

export interface Captured {
  /** Stack id, 0 where there is none. */
  readonly stack: number;
  /** The same without those who wait for the running code and the event loop's frames: these are there or not with whatever ran the reactions of a turn, and the code is the same. */
  readonly code: number;
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
  /** Code that somebody was handed called it, or it is an async function that no code called, handed to `then`: the next one there may be another. */
  readonly handed: boolean;
  /** Where all of the running code that was looked at is Node's own, and the program is only waiting for it: a number for its places; else 0. */
  readonly inner: number;
}
/** Who makes a promise of a subclass: `then`, a combinator (both, where that listens to an element), or other code. */
export interface SubclassMaker extends Maker { readonly isThen: boolean; readonly isCombinators: boolean }
export const NOBODY: SubclassMaker = { isThen: false, isCombinators: false, place: 0, isInExecutor: false };
/** A place in the program: line 1-based. */
export interface Near { readonly file: string; readonly line: number }
export const NONE: Captured = { stack: 0, code: 0, kind: RootKind.unknown, fn: 0, internal: false, nodes: false, nodesFn: 0, handed: false, inner: 0 };
/** What code that a compiler wrote makes of a value that it awaits. */
const AWAITED_VALUE: Captured = { ...NONE, kind: RootKind.value };
/** What makes a promise of another one. */
const THENS = /^(?:then|catch|finally)$/;
const COMBINATORS: Readonly<Record<string, number>> = { all: RootKind.all, allSettled: RootKind.allSettled, race: RootKind.race, any: RootKind.any };

/** @returns `RootKind` of the combinator that calls `then`; 0 for none */
function combinatorOf([first, second]: readonly CallSite[]): number {
  if (!first || !second || first.getFunctionName() !== 'then' || !isNative(first) || !isNative(second)) return 0;
  return COMBINATORS[second.getFunctionName() ?? ''] ?? 0;
}

/** @returns how many frames are those of running code: behind them is who waits for it, or the event loop */
function baseOf(sites: readonly CallSite[]): number {
  const base = sites.findIndex((site) => site.isAsync?.() === true || isLoops(site));
  return base < 0 ? sites.length : base;
}

export class CallStacks {
  private readonly stack: RawStack;
  private readonly places: ToldPlaces;
  private readonly compiled = new CompiledAsync();
  /** Whether one more look may be taken. */
  readonly budget: LookBudget;
  /** How promises are settled, by the stack they were made at. */
  private readonly settling = new Map<number, { readonly byTimer: boolean; readonly looks: number }>();
  /** Number of the async function that was entered, by the code that it was entered at. */
  private readonly enteredAt = new Map<number, number>();
  /** First position seen at the top of function n: where an async function makes its promise. */
  private readonly entries: (number | undefined)[] = [0];
  /** By stack, what `Captured.code` is, where that is another number. */
  private readonly codes = new Map<number, number>();
  /** By the place in the code that calls it, the builtin that makes a promise there. */
  private readonly builtins = new Map<number, Place>();
  /** Stacks of promises which stand for running code that has no call of its own: that of a module, which Node runs, or of a step of an async generator. */
  private readonly bodies = new Set<number>();
  /** Function numbers of the frames of the last capture, innermost first, up to the first that awaits or that is the event loop's. */
  readonly frameFunctions = new Int32Array(FAR_FRAMES);
  frameCount = 0;
  /** True where those frames are all of the running code, not just its top. */
  reachedBase = false;
  /** What the last capture was asked for. */
  private above: ((...args: never[]) => unknown) | undefined;

  /** @param now reads the thread's clock, in ms */
  constructor(writer: FactWriter, private readonly now: () => number) {
    this.places = new ToldPlaces(writer);
    this.stack = new RawStack(now, (ms) => { this.budget.pay(ms); }, this.compiled);
    this.budget = new LookBudget(this.stack);
  }

  /** Number of the function that called the innermost one of the last capture; 0 where that is a builtin, or was not seen. */
  get callerFunction(): number { return this.frameCount > 1 ? this.frameFunctions[1] : 0; }

  /** A file whose frames are left out: our own, once adapters stand between the program and a library. */
  set passOver(file: string) { this.stack.passOver = file; }

  /** A library makes promises of its own: it is seen as a builtin from now on. */
  seeThrough(library: LibraryFrames): void { this.stack.library = library; }

  /** Whether the promise that is being made is one of a subclass: the constructors on top are left out then, as V8's own have no frames. */
  set makesSubclass(does: boolean) { this.stack.makesSubclass = does; }

  /** Who makes a promise of a subclass. */
  makerOf(above: (...args: never[]) => unknown): SubclassMaker {
    const sites = this.stack.read(above, EXECUTOR_FRAMES);
    const running = sites.slice(0, baseOf(sites));
    const isThen = running.length > 0 && isNative(running[0]) && running[0].getFunctionName() === 'then';
    // A class may have a `then` of its own, which calls that.
    let caller = isThen ? 1 : 0;
    while (isThen && caller < running.length && !isNative(running[caller]) && lastName(running[caller].getFunctionName() ?? '') === 'then') caller++;
    const by = running.slice(caller);
    const own = by.findIndex((site) => !isNative(site));
    return {
      isThen,
      isCombinators: by.length > 0 && isNative(by[0]) && COMBINATORS[by[0].getFunctionName() ?? ''] !== undefined,
      place: own < 0 ? 0 : this.places.placeOf(by[own])?.id ?? 0,
      isInExecutor: own >= 0 && by.slice(own).some(isPromiseConstructor),
    };
  }

  /** Frames of the running code, innermost first. */
  read(above: (...args: never[]) => unknown, limit: number): readonly CallSite[] { return this.stack.read(above, limit); }

  /** Files of the program that were on a stack so far, and no library's. */
  programFiles(): string[] { return this.places.programFiles.filter((file) => file !== this.stack.passOver); }

  /** @returns the text's number, told to the host; 0 for the empty one */
  stringOf(text: string): number { return this.places.stringOf(text); }

  /** File of the code that called `above`; empty for none. */
  callerFile(above: (...args: never[]) => unknown): string { return this.stack.read(above, 1)[0]?.getFileName() ?? ''; }

  /** @param handsOn matches `name file` of functions in between that only hand on @returns the place of the program's that calls `above`, and its function, by their numbers; undefined where somebody else does */
  callingPlace(above: (...args: never[]) => unknown, handsOn: RegExp): { readonly id: number; readonly fn: number } | undefined {
    for (const site of this.stack.read(above, MORE_FRAMES)) {
      const file = site.getFileName();
      if (!file) continue;
      if (this.places.isUser(site)) return this.places.placeOf(site);
      if (!handsOn.test(`${site.getFunctionName() ?? ''} ${file}`)) return undefined;
    }
    return undefined;
  }

  /** Whether the promise being made comes of `then`, or of the code of function `fn` itself; with `isOwn` false, of an `await` in other code instead, as that of a generator. */
  isMadeBy(fn: number, isOwn: boolean, above: (...args: never[]) => unknown): boolean {
    const [first] = this.stack.read(above, 1);
    if (!first) return false;
    if (isNative(first)) return first.getFunctionName() === 'then';
    const made = this.places.placeOf(first)?.fn;
    return fn !== 0 && made !== undefined && (made === fn) === isOwn;
  }

  /** Whether function `fn` is among those that run, as far as the first frames tell (those of a compiler's helpers may stand on top of it), or nothing tells. */
  isRunning(fn: number, above: (...args: never[]) => unknown): boolean {
    const sites = this.stack.read(above, FRAMES);
    return sites.length === 0 || sites.some((site) => this.places.placeOf(site)?.fn === fn);
  }

  /**
   * @param above the function whose callers are wanted: it and all it called are left out
   * @param base the code at which the async function was entered whose reaction runs; 0 for none
   */
  capture(above: (...args: never[]) => unknown, base: number): Captured {
    this.above = above;
    let sites = this.stack.read(above, FRAMES, base);
    if (this.stack.wrapsValue) {
      this.noteFrames(sites, sites.length < FRAMES);
      return AWAITED_VALUE;
    }
    const user = sites.findIndex((site) => this.places.isUser(site));
    let internal = user < 0;
    let limit = FRAMES;
    if (sites.length === FRAMES) {
      if (internal && this.isLibrarys(sites)) {
        limit = MORE_FRAMES;
        internal = false;
      } else if (user > 0 && baseOf(sites) === FRAMES && !sites.some((site) => this.runsAsync(site))) limit = user + PROGRAM_FRAMES;
      if (limit > FRAMES) sites = this.stack.read(above, limit, base);
    }
    if (sites.length === 0) { this.frameCount = 0; this.reachedBase = false; return NONE; }
    return this.told(sites, sites.length < limit || sites[sites.length - 1].getFileName() === TASK_QUEUES, internal);
  }

  /** Looks at more frames of what was captured last, as long as the code that asked for it runs. @returns whether it could, and there are more */
  lookFarther(): boolean {
    const { above, frameCount } = this;
    this.above = undefined;
    if (!above || !this.budget.mayGlance()) return false;
    const sites = this.stack.read(above, FAR_FRAMES);
    if (sites.length <= frameCount) return false;
    this.noteFrames(sites, sites.length < FAR_FRAMES);
    return this.frameCount > frameCount;
  }

  /** Where the program's code, or a library's, awaits something that is no promise but a thenable: its own frame, and those of who called it. Parameters as for `capture`. */
  captureAwait(above: (...args: never[]) => unknown, base: number): Captured {
    const sites = this.stack.read(above, FRAMES, base);
    if (sites.length === 0 || sites[0].getFileName()?.startsWith('node:') !== false) return NONE;
    return this.toldAt(sites, RootKind.value);
  }

  /** @param kind `RootKind` */
  private toldAt(sites: readonly CallSite[], kind: number): Captured {
    const stack = this.places.chainOf(sites);
    const running = baseOf(sites);
    return { ...NONE, stack, code: running < sites.length ? this.noteCode(stack, sites.slice(0, running), undefined) : stack, kind };
  }

  /** Where the program's code calls `then`: its own frame, and those of who called it; `NONE` where other code does, or what is being made comes of no `then`. Parameters as for `capture`. */
  captureThen(above: (...args: never[]) => unknown, base: number): Captured {
    const sites = this.stack.read(above, FRAMES, base);
    const by = sites.findIndex((site) => !isNative(site));
    if (by < 0 || !this.places.isUser(sites[by])) return NONE;
    const caller = this.places.placeOf(sites[by]);
    const seen = by > 0 ? this.places.placeOf(sites[by - 1]) : undefined;
    if (seen) this.noteBuiltin(seen, sites[by]);
    // As in `told`.
    const builtin = seen ?? (caller && this.builtins.get(caller.id));
    if (!builtin || !THENS.test(builtin.name)) return NONE;
    return this.toldAt(sites.slice(by), RootKind.link);
  }

  /** As `capture`, however deep in a library. @returns also the nearest place of the program's own */
  captureFar(above: (...args: never[]) => unknown, base: number): Captured & { readonly near: Near | undefined } {
    this.above = undefined;
    const sites = this.stack.read(above, FAR_FRAMES, base);
    const user = sites.find((site) => this.places.isUser(site));
    const near = user && { file: user.getFileName() ?? '', line: user.getLineNumber() ?? 0 };
    if (sites.length === 0) { this.frameCount = 0; this.reachedBase = false; return { ...NONE, near }; }
    return { ...this.told(sites, sites.length < FAR_FRAMES, false), near };
  }

  /** The program's functions at work where it sets a timer, makes a request or starts a child. */
  captureCall(above: (...args: never[]) => unknown): ProgramCall {
    let sites = this.stack.read(above, MORE_FRAMES);
    // Streams put that many of Node's between two of the program's: who called for the next one stands behind them.
    if (sites.length === MORE_FRAMES) sites = this.stack.read(above, FAR_FRAMES);
    const waiting = sites.findIndex((site) => site.isAsync?.() === true);
    // Who waits for the running code is not at work.
    if (waiting >= 0) sites = sites.slice(0, waiting);
    return programCall(sites, this.places);
  }

  /** @param isWhole the frames are all there are */
  private noteFrames(sites: readonly CallSite[], isWhole: boolean): void {
    const base = baseOf(sites);
    for (let i = sites.length - 1; i >= 0; i--) this.frameFunctions[i] = this.places.placeOf(sites[i])?.fn ?? 0;
    this.frameCount = base;
    this.reachedBase = base < sites.length || isWhole;
  }

  /** @param isWhole the frames are all there are */
  private told(sites: readonly CallSite[], isWhole: boolean, internal: boolean): Captured {
    const begun = this.now();
    const chain = this.places.chainOf(sites);
    this.noteFrames(sites, isWhole);
    const own = this.places.placeOf(sites[0]);
    if (own?.native) this.noteBuiltin(own, sites[1]);
    // Where V8 put a builtin into the optimized code that calls it, no frame tells of it any more.
    const builtin = own && this.builtins.get(own.id);
    const top = builtin ?? own;
    const stack = builtin ? this.places.chain(chain, builtin, false) : chain;
    const base = this.frameCount;
    const code = base === 0 || base === sites.length ? stack : this.noteCode(stack, sites.slice(0, base), builtin);
    // Of code that was compiled a moment ago V8 finds out only now what is where in it: in a large bundle that takes longer than the look.
    this.budget.pay(this.now() - begun);
    if (!top) return NONE;
    const nodes = areNodesOwn(sites, sites.length, 2);
    const isHanded = callsHanded(sites) || (sites.length > 1 && callsHanded(sites.slice(1)));
    const inner = areNodesOwn(sites, base, base) && !isHanded ? this.places.placesOf(sites, base) : 0;
    if (top.native ? top.name === 'next' : internal) this.bodies.add(stack);
    if (top.native) return { stack, code, kind: COMBINATORS[top.name] ?? RootKind.other, fn: 0, internal, nodes, nodesFn: 0, handed: isHanded, inner };
    this.entries[top.fn] ??= top.position;
    const entered = this.entries[top.fn] === top.position;
    if (entered) {
      this.enteredAt.set(code, top.fn);
      this.compiled.enter(code, sites[0]);
    }
    return { stack, code, kind: entered ? RootKind.asyncFunction : RootKind.other, fn: entered ? top.fn : 0, internal, nodes, nodesFn: areNodesOwn(sites, 1, 1) ? top.fn : 0, handed: isHanded || (entered && base === 1 && this.reachedBase), inner };
  }

  /** @param running the frames that are not left out */
  private noteCode(stack: number, running: readonly CallSite[], builtin: Place | undefined): number {
    const chain = this.places.chainOf(running);
    const code = builtin ? this.places.chain(chain, builtin, false) : chain;
    this.codes.set(stack, code);
    return code;
  }

  /** Whether promises made there may stand for running code, whose `await` derives what it wraps from them. */
  isBody(stack: number): boolean { return this.bodies.has(stack); }

  /** `Captured.code` of a stack seen before. */
  codeOf(stack: number): number { return this.codes.get(stack) ?? stack; }

  /** A builtin makes a promise where code calls it: that is nowhere an async function begins. */
  private noteBuiltin(builtin: Place, caller: CallSite | undefined): void {
    const place = caller && this.places.placeOf(caller);
    if (!place || place.native) return;
    this.builtins.set(place.id, builtin);
    if (this.entries[place.fn] === place.position) this.entries[place.fn] = undefined;
  }

  /** Number of the async function that is entered at that code; 0 where none is. */
  functionEnteredAt(code: number): number { return this.enteredAt.get(code) ?? 0; }

  /**
   * Whether a timer settles a promise without any code of the program's: `setTimeout(resolve, 100)`.
   * @param stack where it was made: what is made there is settled in the same way
   */
  isSettledByTimer(stack: number, above: (...args: never[]) => unknown): boolean {
    if (stack === 0 || this.stack.isBroken) return false;
    const known = this.settling.get(stack);
    if (known !== undefined && known.looks >= SETTLING_LOOKS) return known.byTimer;
    const at = this.stack.read(above, 2).find((site) => !isNative(site));
    const byTimer = at?.getFileName() === 'node:internal/timers';
    this.settling.set(stack, { byTimer, looks: (known?.looks ?? 0) + 1 });
    return byTimer;
  }

  /** The combinator whose element the promise being made is; 0 for none. */
  combinatorAbove(above: (...args: never[]) => unknown): number { return combinatorOf(this.stack.read(above, 2)); }

  /** The same of a first element, and where it is called: with its stack; both 0 for none. */
  combinatorCall(above: (...args: never[]) => unknown): { readonly kind: number; readonly stack: number } {
    const sites = this.stack.read(above, FRAMES + 1);
    const kind = combinatorOf(sites);
    if (kind === 0) return { kind, stack: 0 };
    const caller = sites.slice(1);
    const stack = this.places.chainOf(caller);
    const base = baseOf(caller);
    if (base < caller.length) this.noteCode(stack, caller.slice(0, base), undefined);
    return { kind, stack };
  }

  /** Whether a frame is that of an async function of the program's, as far as one was seen to be entered. */
  private runsAsync(site: CallSite): boolean { return this.places.isUser(site) && this.entries[this.places.placeOf(site)?.fn ?? 0] !== undefined; }

  /** Whether the innermost code is a library's: then the user's may be a way up. */
  private isLibrarys(sites: readonly CallSite[]): boolean {
    const file = sites.find((site) => !isNative(site))?.getFileName();
    return file !== undefined && file !== null && (!file.startsWith('node:') || file.startsWith(BUNDLED));
  }
}
