/** Frames that stand for others: of a builtin, or of the function that a generator is the body of. */
import type { CallSite } from './raw-stack';

/** Where a function begins. Line and column are 1-based. */
export interface Start { readonly name: string; readonly line: number; readonly column: number }

/** A frame that says to be another function's. */
export class FrameOf implements CallSite {
  constructor(private readonly site: CallSite, private readonly start: Start) {}

  getFileName(): string | null | undefined { return this.site.getFileName(); }
  getFunctionName(): string { return this.start.name; }
  getLineNumber(): number | null { return this.site.getLineNumber(); }
  getColumnNumber(): number | null { return this.site.getColumnNumber(); }
  getPosition(): number | undefined { return this.site.getPosition?.(); }
  getEnclosingLineNumber(): number { return this.start.line; }
  getEnclosingColumnNumber(): number { return this.start.column; }
}

/** A builtin's frame. */
export const nativeFrame = (name: string): CallSite => ({
  getFileName: () => undefined, getFunctionName: () => name, getLineNumber: () => null, getColumnNumber: () => null,
});

/** A function that Node's `util.promisify` made. */
export const PROMISIFIED: CallSite = {
  getFileName: () => 'node:internal/util', getFunctionName: () => '', getLineNumber: () => 1, getColumnNumber: () => 1, getPosition: () => -1,
};

/** A coroutine: where it begins, for want of where V8 has its generator function, where that was handed over. Line and column 1-based, position 0-based. */
export interface Coroutine extends Start { readonly file: string; readonly position: number }

/** Between two positions of a text there is no other place. */
const ENTRY = 0.25;
const AWAITS = 0.5;

/** A coroutine's own frame where it is entered, as that of an async function that makes its promise. */
export const entryFrame = (coroutine: Coroutine): CallSite => frameAt(coroutine, ENTRY);
/** The same where it awaits. */
export const awaitFrame = (coroutine: Coroutine): CallSite => frameAt(coroutine, AWAITS);

const frameAt = ({ file, name, line, column, position }: Coroutine, offset: number): CallSite => ({
  getFileName: () => file, getFunctionName: () => name, getLineNumber: () => line, getColumnNumber: () => column,
  getPosition: () => position + offset, getEnclosingLineNumber: () => line, getEnclosingColumnNumber: () => column,
});
