/**
 * Which functions are the helpers that compilers call in place of async functions: by their names, and by who calls whom. TypeScript's and
 * esbuild's (`__awaiter`, `__async`) call `new Promise` themselves; Babel's and swc's give a nameless function that does, and have a name
 * (`asyncGeneratorStep`) only for what goes on with the generator.
 */
import { placesIn, readSource, type At } from '../source-files';
import { isNative, isPromiseConstructor, type CallSite } from './raw-stack';

/** Bundlers number what they have twice. */
const NAMED = /(?:^|\.)(?:__awaiter|__async|asyncGeneratorStep)\d*$/;
const STEP = /asyncGeneratorStep\d*$/;
/** Functions inside of a named helper that calls `new Promise`: reactions, and what these call. And how many lines below its beginning they begin at most. */
const INSIDE = /^(?:fulfilled|rejected)$/;
const CALLED_INSIDE = /^(?:step|adopt)$/;
const ENTRY_LINES = 20;
/**
 * How many nameless functions that make promises are asked whether they are a helper's: whether the file's text has the call of the named one
 * at most so far behind, and where that is not the text that runs, in how many further looks.
 */
const MAX_SUSPECTS = 64;
const STEP_CALL = 'asyncGeneratorStep(';
const SUSPECT_LINES = 12;
const SUSPECT_COLUMNS = 600;
const SUSPECT_LOOKS = 4;
const MAX_STEP_CALLS = 64;
const MAX_TEXT_BYTES = 1 << 22;
const MAX_FILES = 1 << 10;
/** More columns than a line has. */
const COLUMNS = 2 ** 24;

/** What is known of the functions in one file, by where they begin. */
class FileHelpers {
  /** Those that make the promises. */
  readonly entries = new Set<number>();
  /** Those that go on with the generator. */
  readonly steps = new Set<number>();
  readonly suspects = new Set<number>();
  /** Where its text goes on with a generator, once it was read. */
  stepCalls: readonly At[] | undefined;
}

export class CompiledHelpers {
  private readonly files = new Map<string, FileHelpers>();
  private suspects = 0;
  private looks = 0;

  /** Whether the next looks may show what the text of a file did not. */
  get isSearching(): boolean { return this.looks > 0; }

  /** Whether a helper may be among the frames, innermost first, though none is known yet. */
  mayBeIn(raw: readonly CallSite[]): boolean {
    if (this.looks > 0) {
      this.looks--;
      return true;
    }
    if (raw.length < 2 || !isNative(raw[0]) || isNative(raw[1])) return false;
    const name = raw[1].getFunctionName() ?? '';
    return NAMED.test(name) || (name === '' && isPromiseConstructor(raw[0]) && this.lookInto(raw[1]));
  }

  /** @returns which of the frames are helpers' own, `new Promise` included */
  find(raw: readonly CallSite[]): boolean[] {
    raw.forEach((site, i) => { this.learn(raw, site, i); });
    const are = raw.map(() => false);
    for (let i = raw.length - 1; i >= 0; i--) {
      are[i] = this.isHelper(raw[i], are[i + 1]) || (i + 1 < raw.length && isPromiseConstructor(raw[i]) && this.makesPromises(raw[i + 1]));
    }
    return are;
  }

  /** Whether the function of a frame is what makes the promises. */
  makesPromises(site: CallSite): boolean { return this.files.get(site.getFileName() ?? '')?.entries.has(keyOf(site)) === true; }

  /** @returns whether a nameless function that makes a promise is a helper's, as far as its text tells */
  private lookInto(site: CallSite): boolean {
    const file = this.fileOf(site);
    const key = keyOf(site);
    if (!file || this.suspects === MAX_SUSPECTS || file.suspects.has(key)) return false;
    file.suspects.add(key);
    this.suspects++;
    file.stepCalls ??= placesIn(readSource(site.getFileName() ?? '', MAX_TEXT_BYTES) ?? '', STEP_CALL, MAX_STEP_CALLS);
    const line = site.getLineNumber() ?? 0;
    const column = site.getColumnNumber() ?? 0;
    if (file.stepCalls.some((at) => (at.line === line ? at.column > column && at.column - column < SUSPECT_COLUMNS : at.line > line && at.line - line < SUSPECT_LINES))) {
      file.entries.add(key);
      return true;
    }
    this.looks = SUSPECT_LOOKS;
    return false;
  }

  /** Notes whose functions frame `i` and those around it are, if its name tells. */
  private learn(raw: readonly CallSite[], site: CallSite, i: number): void {
    const name = site.getFunctionName();
    if (!name || !NAMED.test(name)) return;
    if (STEP.test(name)) {
      // A function of its helper's calls it, and that one's promise was made with a function that calls both, unless this is a reaction.
      this.addStep(site);
      this.addStep(raw[i + 1]);
      if (!raw[i + 3] || !isPromiseConstructor(raw[i + 3])) return;
      this.addStep(raw[i + 2]);
      this.addEntry(raw[i + 4]);
    } else {
      this.addEntry(site);
      if (i > 1 && isPromiseConstructor(raw[i - 1])) this.addStep(raw[i - 2]);
    }
  }

  /** @param byHelper whether a helper called it */
  private isHelper(site: CallSite, byHelper: boolean): boolean {
    const file = this.files.get(site.getFileName() ?? '');
    if (!file) return false;
    const key = keyOf(site);
    if (file.steps.has(key) || file.entries.has(key)) return true;
    if (!(byHelper ? CALLED_INSIDE : INSIDE).test(site.getFunctionName() ?? '')) return false;
    const line = site.getEnclosingLineNumber?.() ?? 0;
    for (const entry of file.entries) {
      const below = line - lineOf(entry);
      if (below >= 0 && below <= ENTRY_LINES) return true;
    }
    return false;
  }

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

/** Where the function of a frame begins, as one number. A module and the first function in it may begin at the same place: only the function has a name. */
export const keyOf = (site: CallSite): number => ((site.getEnclosingLineNumber?.() ?? 0) * COLUMNS + (site.getEnclosingColumnNumber?.() ?? 0)) * 2 + (site.getFunctionName() ? 1 : 0);
const lineOf = (key: number): number => Math.floor(key / (COLUMNS * 2));
