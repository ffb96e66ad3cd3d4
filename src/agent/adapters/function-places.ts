/**
 * Where a function of the program's begins. V8 tells that only of code that runs, and a function that is handed to a
 * library may never be on a stack of ours: so its text is looked up in the files of the program that were seen so far.
 * Code that was transformed on its way in (TypeScript) is not found like that; then what it calls has to tell.
 */
import { placesIn, readSource } from '../source-files';
import type { CallStacks, Near } from '../stacks/call-stacks';

const textOf = Function.prototype.call.bind(Function.prototype.toString) as (fn: object) => string;

const MAX_FILE_BYTES = 4 << 20;
const MAX_FUNCTIONS = 4096;
const MAX_SAME = 64;

/** File and name are string ids, line and column 1-based. */
export interface FunctionPlace { readonly file: number; readonly name: number; readonly line: number; readonly column: number }

export class FunctionPlaces {
  private readonly sources = new Map<string, string>();
  private readonly known = new Map<string, FunctionPlace | undefined>();

  constructor(private readonly stacks: CallStacks) {}

  /** @param near where it was handed over: of several with the same text it is the next one from there */
  find(fn: object, near: Near | undefined): FunctionPlace | undefined {
    const text = textOf(fn);
    if (text.length > MAX_FILE_BYTES || text.endsWith('{ [native code] }')) return undefined;
    const key = `${near?.file ?? ''}:${near?.line ?? 0}:${text}`;
    if (this.known.has(key)) return this.known.get(key);
    if (this.known.size >= MAX_FUNCTIONS) return undefined;
    const place = this.search(text, fn, near);
    this.known.set(key, place);
    return place;
  }

  private search(text: string, fn: object, near: Near | undefined): FunctionPlace | undefined {
    const found: { file: string; line: number; column: number }[] = [];
    for (const file of this.stacks.programFiles()) {
      for (const at of placesIn(this.sourceOf(file), text, MAX_SAME - found.length)) found.push({ file, ...at });
    }
    const best = found.length > 1 ? found.find(({ file, line }) => file === near?.file && line >= near.line) : found[0];
    if (!best) return undefined;
    const name = Object.getOwnPropertyDescriptor(fn, 'name')?.value as unknown;
    return { file: this.stacks.stringOf(best.file), name: this.stacks.stringOf(typeof name === 'string' ? name : ''), line: best.line, column: best.column };
  }

  private sourceOf(file: string): string {
    let source = this.sources.get(file);
    if (source === undefined) {
      source = (readSource(file, MAX_FILE_BYTES) ?? '').replace(/^\uFEFF/, '');
      this.sources.set(file, source);
    }
    return source;
  }
}
