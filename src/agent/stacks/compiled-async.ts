/**
 * Sees through what compilers put in place of async functions, where they write for an older language: a helper makes the promise and
 * drives a generator, V8's own or a helper's (`__generator`, regenerator). Without the helpers' frames the stack is the one that the async
 * function itself would have, and the rest of the agent need not know.
 */
import { CompiledHelpers, keyOf } from './compiled-helpers';
import { isNative, type CallSite } from './raw-stack';
import { FrameOf, type Start } from './stand-in-frames';

/** V8's own generators go on by one of these. */
const GENERATORS = /^(?:next|throw|return)$/;
/** Of a helper's generator: two calls to its body, or three where it catches errors in a function of its own. */
const BODY_DEPTH = 2;
const CATCHES = 'tryCatch';
/** Frames that a call of an async function takes at most, how many calls are looked through at first, and for how many looks after the last that met one. */
const CALL_FRAMES = 9;
const CALLS = 2;
const MET_LOOKS = 64;
/** A function's name without what Babel puts around it: where it hoists, and where a name was taken. */
const HOISTED = /^_(.+?)\d*$/;
const NUMBERED = /^_(.+?)\d+$/;

/** Frames as an async function's own. */
export interface Seen {
  readonly sites: readonly CallSite[];
  /** Whether the promise being made only wraps a value that is awaited. */
  readonly wrapsValue: boolean;
}

export class CompiledAsync {
  private readonly helpers = new CompiledHelpers();
  private isKnown = false;
  /** Looks since the last one that met a helper. */
  private sinceMet = 0;
  /** The async function entered at a place, by `Captured.code`. */
  private readonly entered = new Map<number, Start>();
  /** By file, and by where the generator function begins that is an async function's body: that async function. */
  private readonly bodies = new Map<string, Map<number, Start>>();

  /** How many more frames than wanted are to be asked for. */
  get extraFrames(): number {
    if (this.isKnown && this.sinceMet < MET_LOOKS) return CALL_FRAMES * CALLS;
    return this.helpers.isSearching ? CALL_FRAMES : 0;
  }

  /**
   * @param raw frames, innermost first
   * @param base the code at which the async function was entered whose reaction runs; 0 for none
   * @param limit frames that are wanted at most
   */
  see(raw: readonly CallSite[], base: number, limit: number): Seen {
    if (!this.isKnown && !this.helpers.mayBeIn(raw)) return { sites: raw, wrapsValue: false };
    const are = this.helpers.find(raw);
    this.sinceMet++;
    if (!are.includes(true)) return { sites: raw, wrapsValue: false };
    this.isKnown = true;
    this.sinceMet = 0;
    return this.seeThrough(raw, are, this.entered.get(base), limit);
  }

  /** An async function was entered. @param code as `Captured.code` @param site its frame */
  enter(code: number, site: CallSite): void {
    if (this.isKnown && !this.entered.has(code)) this.entered.set(code, startOf(site));
  }

  /** @param are which frames are helpers' own @param base the async function whose reaction runs, where that is known */
  private seeThrough(raw: readonly CallSite[], are: readonly boolean[], base: Start | undefined, limit: number): Seen {
    const sites: CallSite[] = [];
    let wrapsValue = false;
    for (let i = 0; i < raw.length && sites.length < limit;) {
      const first = are.indexOf(true, i);
      if (first < 0) {
        sites.push(...raw.slice(i));
        break;
      }
      let last = first;
      while (are[last + 1]) last++;
      // The helper itself makes what awaits, or what wraps a value for that: there is no body on the stack.
      const makes = i === 0 && this.makesOwn(raw, first);
      if (makes) wrapsValue = raw[0].getFunctionName() !== 'then';
      const body = makes ? -1 : bodyAbove(raw, first);
      const { fn, next } = this.helpers.makesPromises(raw[last]) ? calledThrough(raw, last) : { fn: undefined, next: last + 1 };
      if (body >= i) sites.push(...raw.slice(i, body), this.asAsync(raw[body], fn, base));
      else if (fn) sites.push(fn);
      i = next;
    }
    return { sites, wrapsValue };
  }

  /** Whether a helper makes a promise that is not the call's. V8 leaves out builtins that it has compiled into their callers. @param first of the helpers' frames */
  private makesOwn(raw: readonly CallSite[], first: number): boolean {
    const [top] = raw;
    return first === 0 ? !isNative(top) && !this.helpers.makesPromises(top) : first === 1 && isNative(top) && !GENERATORS.test(top.getFunctionName() ?? '');
  }

  /** A generator's frame as that of the async function whose body it is. @param fn that function's frame, if it is on the stack */
  private asAsync(site: CallSite, fn: CallSite | undefined, base: Start | undefined): CallSite {
    const name = site.getFileName() ?? '';
    let bodies = this.bodies.get(name);
    if (!bodies) this.bodies.set(name, (bodies = new Map()));
    const key = keyOf(site);
    let start = bodies.get(key);
    if (!start) {
      start = fn ? startOf(fn) : base;
      if (start) bodies.set(key, start);
    }
    return start ? new FrameOf(site, start) : site;
  }
}

const startOf = (site: CallSite): Start => ({ name: site.getFunctionName() ?? '', line: site.getEnclosingLineNumber?.() ?? 0, column: site.getEnclosingColumnNumber?.() ?? 0 });

/** Index of the body of the generator that a helper goes on with at frame `helper`; negative where there is none. */
function bodyAbove(raw: readonly CallSite[], helper: number): number {
  if (helper === 0) return -1;
  const next = raw[helper - 1];
  if (isNative(next)) return GENERATORS.test(next.getFunctionName() ?? '') ? helper - 2 : -1;
  const body = helper - 1 - BODY_DEPTH;
  return body >= 0 && raw[body].getFunctionName() === CATCHES ? body - 1 : body;
}

/**
 * The async function whose call the helper at frame `entry` is, as a frame, and the frame behind all that stands for it. Babel has no function of its own
 * for a nameless one without parameters, but hands over what the helper gave: if a builtin or Node itself called that, the place where they were called stands for it.
 */
function calledThrough(raw: readonly CallSite[], entry: number): { readonly fn: CallSite | undefined; readonly next: number } {
  const isBabels = !raw[entry].getFunctionName();
  const at = entry + (isBabels && isHoisted(raw[entry + 1], raw[entry + 2]) ? 2 : 1);
  const site = raw[at];
  if (site === undefined || !isBabels) return { fn: site, next: at + 1 };
  if (isProgram(site)) return { fn: new FrameOf(site, { ...startOf(site), name: (site.getFunctionName() ?? '').replace(NUMBERED, '$1') }), next: at + 1 };
  const from = raw.slice(at).find(isProgram);
  return { fn: from && new FrameOf(from, { name: '', line: from.getLineNumber() ?? 0, column: from.getColumnNumber() ?? 0 }), next: entry + 1 };
}

const isProgram = (site: CallSite): boolean => !isNative(site) && site.getFileName()?.startsWith('node:') === false;

/** Whether `inner` is what Babel makes of an async function that is declared (`_task`) when it is called for the first time, and `outer` what others call (`task`). */
function isHoisted(inner: CallSite | undefined, outer: CallSite | undefined): boolean {
  const name = inner?.getFunctionName() ?? '';
  return name.startsWith('_') && inner?.getFileName() === outer?.getFileName() && name.replace(HOISTED, '$1') === outer?.getFunctionName()?.replace(HOISTED, '$1');
}
