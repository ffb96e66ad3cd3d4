/** Whose code makes a promise, where a look at the stack tells. */
import type { CallStacks } from '../stacks/call-stacks';
import type { OpenCalls } from './open-calls';
import type { Origins } from './origins';
import type { Reactions } from './reactions';

export class Owners {
  /** By the number of an async function: its call that was seen to run last. */
  private readonly latest = new Map<number, number>();

  constructor(
    private readonly stacks: CallStacks, private readonly open: OpenCalls, private readonly reactions: Reactions, private readonly origins: Origins,
  ) {}

  /**
   * @param from frames to leave out of the stack just captured: a function's own, when it is being entered
   * @param guess whose it is where the stack does not tell
   * @returns the call of the async function that runs; 0 where none does. Behind a gap it is taken to be the one that was seen last of that function.
   */
  fromFrames(from: number, guess: number): number {
    const { stacks, open, reactions } = this;
    const base = reactions.owner === 0 ? 0 : stacks.functionEnteredAt(this.origins.code);
    for (let i = from; i < stacks.frameCount; i++) {
      const fn = stacks.frameFunctions[i];
      if (fn === 0) continue;
      const owner = open.innermostOf(fn);
      // At the base there is the function whose reaction runs, whatever call of the same function it has made since.
      const isBase = fn === base && ((stacks.reachedBase && i === stacks.frameCount - 1) || !open.has(owner));
      if (isBase) {
        open.clear();
        this.latest.set(fn, reactions.owner);
        return reactions.owner;
      }
      if (owner === 0) continue;
      open.resume(owner, fn);
      this.latest.set(fn, owner);
      return owner;
    }
    if (!stacks.reachedBase) {
      if (open.isEmpty || guess !== open.top) return guess;
      // A helper that calls itself by way of others is on the stack twice: what called it first may stand farther down.
      if (open.seemsReturned(stacks.frameFunctions, from, stacks.frameCount) && stacks.lookFarther()) return this.fromFrames(from, guess);
      open.closeReturned(stacks.frameFunctions, from, stacks.frameCount);
      return open.isEmpty ? reactions.owner : open.top;
    }
    open.clear();
    if (reactions.isStrange) reactions.owner = this.latest.get(stacks.frameFunctions[stacks.frameCount - 1]) ?? 0;
    return reactions.owner;
  }
}
