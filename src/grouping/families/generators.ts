/** What the code of async generators makes by itself, to wait for it: no calls of theirs. */
import { isBuiltin, topOf, userFrame } from '../promises/places';
import type { PromiseNode } from '../promises/promise-node';

export class Generators {
  /** Functions that are async generators. */
  private readonly functions = new Set<string>();
  /** The latest step that was asked of any: what `next` gave. */
  private step: PromiseNode | undefined;

  /** A promise was made. */
  rooted(node: PromiseNode): void { if (isBuiltin(node.stack?.place, 'next')) this.step = node; }

  /** Whether the code of an async generator itself made a promise: `next` made its own just before. A generator that is not async yields what it makes. */
  madeBy({ isAsyncFunction, stack, tick }: PromiseNode): boolean {
    const frame = isAsyncFunction ? undefined : topOf(stack);
    if (!frame) return false;
    const { step } = this;
    const isAsked = isBuiltin(frame.callers?.place, 'next') && step?.tick === tick && userFrame(step.stack)?.place === userFrame(frame.callers)?.place;
    if (isAsked) this.functions.add(frame.place.fn);
    return this.functions.has(frame.place.fn);
  }
}
