/**
 * Combinator calls whose elements are promises that one function made, and no async functions: workers, as a compiler writes them,
 * once that function, or what it puts the body into, turns out to call a pool's tasks.
 */
import { RootKind } from '../model/facts';
import type { CombinatorCall } from './combinator-call';
import { topOf, type Stack } from './places';
import { functionKeyOf, isUserCall, type PromiseNode } from './promise-node';
import { callFrameOf } from './scopes';

/** How many lines after a function its body begins where a compiler wrote both. */
const BODY_LINES = 3;

export class PlainElements {
  /** By that function, and by the line where it begins. */
  private readonly calls = new Map<string, CombinatorCall>();

  /** @param tasks elements of a call that may be such */
  keep(call: CombinatorCall, tasks: readonly PromiseNode[]): void {
    const made = new Set(tasks.map((element) => (element.isDerived || element.kind === RootKind.value || element.isAsyncFunction || !isUserCall(element) ? '' : lineOf(topOf(element.stack), 0))));
    const [line] = made;
    if (made.size === 1 && line) for (const key of [line, functionKeyOf(tasks[0])]) this.calls.set(key, call);
  }

  forget(call: CombinatorCall): void { for (const [at, known] of this.calls) if (known === call) this.calls.delete(at); }

  /** The call whose elements are of the function that calls a pool's task. */
  around(task: PromiseNode): CombinatorCall | undefined {
    const frame = this.calls.size > 0 ? callFrameOf(task) : undefined;
    if (!frame || frame.place.fn === functionKeyOf(task)) return undefined;
    return this.calls.get(frame.place.fn) ?? (frame.place.name === '' ? this.beginningAbove(frame) : undefined);
  }

  /** A compiler puts the body of an async function into a nameless one that begins a few lines on: two functions and the variables come first. */
  private beginningAbove(frame: Stack): CombinatorCall | undefined {
    for (let lines = 1; lines <= BODY_LINES; lines++) {
      const call = this.calls.get(lineOf(frame, -lines));
      if (call) return call;
    }
    return undefined;
  }
}

/** Where the function of a frame begins, some lines on. */
const lineOf = (frame: Stack | undefined, lines: number): string => (frame ? `${frame.place.file}:${frame.place.startLine + lines}` : '');
