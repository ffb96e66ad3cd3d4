/**
 * Sees through what compilers put in place of async functions, where they write for an older language: a helper makes the promise
 * and drives a generator. Without the helper's frames the stack is the one that the async function itself would have, and the rest
 * of the agent need not know: TypeScript and esbuild (`__awaiter`, `__async`), Babel and swc (`asyncGeneratorStep`), with V8's own
 * generators or with those of a helper (`__generator`, regenerator).
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isNative, type CallSite } from './raw-stack';

// Taken now: a program may put others in their place later.
const { readFileSync, statSync } = fs;

/** Helpers by their names: one that calls `new Promise` itself, and one that goes on with the generator. Bundlers number what they have twice. */
const NAMED = /(?:^|\.)(?:__awaiter|__async|asyncGeneratorStep)\d*$/;
const STEP = /asyncGeneratorStep\d*$/;
/** Functions inside of an `ENTRY`, by their names: reactions, and what these call. And how many lines below its beginning they begin at most. */
const INSIDE = /^(?:fulfilled|rejected)$/;
const CALLED_INSIDE = /^(?:step|adopt)$/;
const ENTRY_LINES = 20;
/** V8's own generators go on by one of these. */
const GENERATORS = /^(?:next|throw|return)$/;
/** Of a helper's generator, the function that V8 has no frame for: two calls to its body, or three where it catches errors in a function of its own. */
const BODY_DEPTH = 2;
const CATCHES = 'tryCatch';
/**
 * Babel's `asyncToGenerator` gives a nameless function that makes the promises. How many such functions are looked into, in how much of their
 * text, and in how many further looks where that is not the text that runs: what one of them calls has a name.
 */
const MAX_SUSPECTS = 64;
const SUSPECT_TEXT = 600;
const SUSPECT_LOOKS = 4;
const MAX_TEXT_BYTES = 1 << 22;
/** Frames that a call of an async function takes at most, how many calls are looked through at first, and for how many looks after the last that met one. */
const CALL_FRAMES = 9;
const CALLS = 2;
const MET_LOOKS = 64;
const MAX_FILES = 1 << 10;
/** More columns than a line has. */
const COLUMNS = 2 ** 24;

/** Where a function begins. Line and column are 1-based. */
interface Start { readonly name: string; readonly line: number; readonly column: number }
/** What is known of the functions in one file, by where they begin. */
class FileHelpers {
  readonly entries = new Set<number>();
  readonly steps = new Set<number>();
  /** The generator function that is an async function's body → that async function. */
  readonly bodies = new Map<number, Start>();
  readonly suspects = new Set<number>();
}

/** Frames as an async function's own. */
export interface Seen {
  readonly sites: readonly CallSite[];
  /** Whether the promise being made only wraps a value that is awaited. */
  readonly wrapsValue: boolean;
}

export class CompiledAsync {
  private readonly files = new Map<string, FileHelpers>();
  private suspects = 0;
  /** For how many more looks a helper may be met of which nothing is known yet. */
  private looks = 0;
  private isKnown = false;
  private sinceMet = 0;
  /** The async function entered at a stack, by that stack's number. */
  private readonly entered = new Map<number, Start>();

  /** How many more frames than wanted are to be asked for. */
  get extraFrames(): number { return this.isKnown && this.sinceMet < MET_LOOKS ? CALL_FRAMES * CALLS : this.looks > 0 ? CALL_FRAMES : 0; }

  /**
   * @param raw frames, innermost first
   * @param base number of the stack of the async function whose reaction runs; 0 for none
   * @param limit frames that are wanted at most
   */
  see(raw: readonly CallSite[], base: number, limit: number): Seen {
    if (!this.isKnown && !this.suspect(raw)) return { sites: raw, wrapsValue: false };
    const helpers = this.helpersIn(raw);
    this.sinceMet++;
    if (!helpers.includes(true)) return { sites: raw, wrapsValue: false };
    this.isKnown = true;
    this.sinceMet = 0;
    return this.seeThrough(raw, helpers, this.entered.get(base), limit);
  }

  /** An async function was entered. @param site its frame @param stack number of the stack */
  enter(stack: number, site: CallSite): void {
    if (this.isKnown && !this.entered.has(stack)) this.entered.set(stack, startOf(site));
  }

  /** Whether a helper may be among the frames. */
  private suspect(raw: readonly CallSite[]): boolean {
    if (this.looks > 0) {
      this.looks--;
      return true;
    }
    if (raw.length < 2 || !isNative(raw[0]) || isNative(raw[1])) return false;
    const name = raw[1].getFunctionName() ?? '';
    return NAMED.test(name) || (name === '' && isPromise(raw[0]) && this.looksInto(raw[1]));
  }

  /** @returns whether a nameless function that makes a promise is Babel's; where its text does not tell, the next looks may */
  private looksInto(site: CallSite): boolean {
    const file = this.fileOf(site);
    const key = keyOf(site);
    if (!file || this.suspects === MAX_SUSPECTS || file.suspects.has(key)) return false;
    file.suspects.add(key);
    this.suspects++;
    if (textFrom(site).includes('asyncGeneratorStep(')) {
      file.entries.add(key);
      return true;
    }
    this.looks = SUSPECT_LOOKS;
    return false;
  }

  /** Which of the frames are helpers' own. */
  private helpersIn(raw: readonly CallSite[]): boolean[] {
    raw.forEach((site, i) => { this.learn(raw, site, i); });
    const is = raw.map(() => false);
    for (let i = raw.length - 1; i >= 0; i--) {
      is[i] = this.isHelper(raw[i], is[i + 1]) || (i + 1 < raw.length && isPromise(raw[i]) && this.isEntry(raw[i + 1]));
    }
    return is;
  }

  /** Notes whose functions frame `i` and those around it are, if its name tells. */
  private learn(raw: readonly CallSite[], site: CallSite, i: number): void {
    const name = site.getFunctionName();
    if (!name || !NAMED.test(name)) return;
    if (STEP.test(name)) {
      // A function of its helper's calls it, and that one's promise was made with a function that calls both, unless this is a reaction.
      this.addStep(site);
      this.addStep(raw[i + 1]);
      if (!raw[i + 3] || !isPromise(raw[i + 3])) return;
      this.addStep(raw[i + 2]);
      this.addEntry(raw[i + 4]);
    } else {
      this.addEntry(site);
      if (i > 1 && isPromise(raw[i - 1])) this.addStep(raw[i - 2]);
    }
  }

  private seeThrough(raw: readonly CallSite[], is: readonly boolean[], base: Start | undefined, limit: number): Seen {
    const sites: CallSite[] = [];
    let wrapsValue = false;
    for (let i = 0; i < raw.length && sites.length < limit;) {
      const first = is.indexOf(true, i);
      if (first < 0) {
        sites.push(...raw.slice(i));
        break;
      }
      let last = first;
      while (is[last + 1]) last++;
      // The helper itself makes what awaits, or what wraps a value for that: there is no body on the stack. V8 leaves out builtins that it has compiled into their callers.
      const makes = i === 0 && (first === 0 ? !isNative(raw[0]) && !this.isEntry(raw[0]) : first === 1 && isNative(raw[0]) && !GENERATORS.test(raw[0].getFunctionName() ?? ''));
      if (makes) wrapsValue = raw[0].getFunctionName() !== 'then';
      const body = makes ? -1 : bodyAbove(raw, first);
      const hasBody = body >= i;
      const isEntered = this.isEntry(raw[last]);
      // Babel hoists `task`, and has it made by `_task` when it is called for the first time.
      const caller = last + (isEntered && isHoisted(raw[last + 1], raw[last + 2]) ? 2 : 1);
      const fn = isEntered ? this.calledFrom(raw, caller) : undefined;
      if (hasBody) sites.push(...raw.slice(i, body), this.asAsync(raw[body], fn, base));
      else if (fn) sites.push(fn);
      i = fn && fn === raw[caller] ? caller + 1 : last + 1;
    }
    return { sites, wrapsValue };
  }

  /**
   * The frame of the async function. Babel has none for a nameless one without parameters, but hands over what the helper gave: if a builtin
   * or Node itself called that, the place where they were called stands for it.
   */
  private calledFrom(raw: readonly CallSite[], caller: number): CallSite | undefined {
    const isProgram = (site: CallSite): boolean => !isNative(site) && site.getFileName()?.startsWith('node:') === false;
    const site = raw[caller];
    if (site === undefined || isProgram(site)) return site;
    const from = raw.slice(caller).find(isProgram);
    return from && new BodySite(from, { name: '', line: from.getLineNumber() ?? 0, column: from.getColumnNumber() ?? 0 });
  }

  /** A generator's frame as that of the async function whose body it is. @param fn that function's frame, if it is on the stack */
  private asAsync(site: CallSite, fn: CallSite | undefined, base: Start | undefined): CallSite {
    const file = this.fileOf(site);
    const key = keyOf(site);
    let start = file?.bodies.get(key);
    if (!start) {
      start = fn ? startOf(fn) : base;
      if (start) file?.bodies.set(key, start);
    }
    return start ? new BodySite(site, start) : site;
  }

  /** @param byHelper whether a helper called it */
  private isHelper(site: CallSite, byHelper: boolean): boolean {
    const file = this.files.get(site.getFileName() ?? '');
    if (!file) return false;
    const key = keyOf(site);
    if (file.steps.has(key) || file.entries.has(key)) return true;
    const name = site.getFunctionName() ?? '';
    if (!(byHelper ? CALLED_INSIDE : INSIDE).test(name)) return false;
    const line = site.getEnclosingLineNumber?.() ?? 0;
    for (const entry of file.entries) {
      const below = line - Math.floor(entry / (COLUMNS * 2));
      if (below >= 0 && below <= ENTRY_LINES) return true;
    }
    return false;
  }

  private isEntry(site: CallSite): boolean { return this.files.get(site.getFileName() ?? '')?.entries.has(keyOf(site)) === true; }

  private addEntry(site: CallSite | undefined): void { if (site) this.fileOf(site)?.entries.add(keyOf(site)); }
  private addStep(site: CallSite | undefined): void { if (site) this.fileOf(site)?.steps.add(keyOf(site)); }

  private fileOf(site: CallSite): FileHelpers | undefined {
    const name = site.getFileName();
    if (!name) return undefined;
    let file = this.files.get(name);
    if (!file && this.files.size < MAX_FILES) this.files.set(name, (file = new FileHelpers()));
    return file;
  }
}

/** A frame that says to be another function's. */
class BodySite {
  constructor(private readonly site: CallSite, private readonly start: Start) {}

  getFileName(): string | null | undefined { return this.site.getFileName(); }
  getFunctionName(): string { return this.start.name; }
  getLineNumber(): number | null { return this.site.getLineNumber(); }
  getColumnNumber(): number | null { return this.site.getColumnNumber(); }
  getPosition(): number | undefined { return this.site.getPosition?.(); }
  getEnclosingLineNumber(): number { return this.start.line; }
  getEnclosingColumnNumber(): number { return this.start.column; }
}

const startOf = (site: CallSite): Start => ({ name: plainName(site.getFunctionName() ?? ''), line: site.getEnclosingLineNumber?.() ?? 0, column: site.getEnclosingColumnNumber?.() ?? 0 });
/** A module and the first function in it may begin at the same place: only the function has a name. */
const keyOf = (site: CallSite): number => ((site.getEnclosingLineNumber?.() ?? 0) * COLUMNS + (site.getEnclosingColumnNumber?.() ?? 0)) * 2 + (site.getFunctionName() ? 1 : 0);
const isPromise = (site: CallSite): boolean => isNative(site) && site.getFunctionName() === 'Promise';

/** Index of the body of the generator that a helper goes on with at frame `helper`; negative where there is none. */
function bodyAbove(raw: readonly CallSite[], helper: number): number {
  if (helper === 0) return -1;
  const next = raw[helper - 1];
  if (isNative(next)) return GENERATORS.test(next.getFunctionName() ?? '') ? helper - 2 : -1;
  const body = helper - 1 - BODY_DEPTH;
  return body >= 0 && raw[body].getFunctionName() === CATCHES ? body - 1 : body;
}

/** Whether `inner` is what Babel makes of an async function that is declared (`_task`), and `outer` what others call (`task`). */
function isHoisted(inner: CallSite | undefined, outer: CallSite | undefined): boolean {
  const name = inner?.getFunctionName() ?? '';
  return name.startsWith('_') && inner?.getFileName() === outer?.getFileName() && plainName(name) === plainName(outer?.getFunctionName() ?? '');
}

/** A function's name without what Babel puts around it. */
const plainName = (name: string): string => name.replace(/^_(.+?)\d*$/, '$1');

/** @returns some of the text of a frame's function, from where it runs on; empty where the file cannot be had */
function textFrom(site: CallSite): string {
  try {
    const name = site.getFileName() ?? '';
    const file = name.startsWith('file:') ? fileURLToPath(name) : name;
    if (statSync(file).size > MAX_TEXT_BYTES) return '';
    const text = readFileSync(file, 'utf8');
    let at = 0;
    for (let line = 1; line < (site.getLineNumber() ?? 1); line++) at = text.indexOf('\n', at) + 1;
    at += (site.getColumnNumber() ?? 1) - 1;
    return text.slice(at, at + SUSPECT_TEXT);
  } catch { return ''; }
}
