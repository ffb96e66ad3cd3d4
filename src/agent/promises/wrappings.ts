/** What a function awaits that is no promise of V8's own: it is wrapped in one, be it a value, a thenable or a promise of a subclass. */
import { RootKind } from '../../model/facts';
import type { CallStacks } from '../stacks/call-stacks';
import type { Gathering } from './gathering';
import type { OpenCalls } from './open-calls';
import type { Origins } from './origins';
import { Flag, kindFlags, type PromiseRing } from './promise-ring';
import type { Runs } from './runs';
import type { SubclassPromises } from './subclass-promises';

export class Wrappings {
  constructor(
    private readonly ring: PromiseRing,
    private readonly open: OpenCalls,
    private readonly origins: Origins,
    private readonly gathering: Gathering,
    private readonly stacks: CallStacks,
    private readonly subclass: SubclassPromises,
    private readonly runs: Runs,
  ) {}

  /** A function goes on behind the `await` of a value: nothing was waited for, but we learn who awaits. @param id of what is derived from the wrapping @returns its call */
  awaited(id: number, wrapping: number): number {
    const { ring } = this;
    const owner = ring.owners[ring.find(wrapping)];
    this.open.close(owner);
    ring.add(id, Flag.inner, wrapping, owner, 0);
    return owner;
  }

  /** What was taken for the wrapping of a value wraps a thenable: what its `then` does, in a run of code of its own, is done for that. */
  ofThenable(id: number): void {
    const found = this.origins.findAwait();
    if (!found || found.stack === 0) return;
    const { ring, subclass } = this;
    const slot = ring.find(id);
    if (subclass.isAny) {
      this.gathering.end();
      // It is the promise within that is waited for.
      if (subclass.await(id, this.runs.tick)) { ring.add(id, Flag.value, 0, ring.owners[slot], this.runs.clock); return; }
    }
    ring.flags[slot] = Flag.root | kindFlags(RootKind.value);
    ring.parents[slot] = 0;
    ring.stacks[slot] = found.stack;
    ring.made[slot] = this.runs.readClock();
  }

  /** Whether a promise that is pending, and awaited with nothing in between, is what code wraps in that has no call of its own, as a module's. */
  isOfBody(id: number): boolean {
    const { ring } = this;
    const slot = ring.find(id);
    if (slot < 0 || (ring.flags[slot] & (Flag.root | Flag.settled | Flag.value)) !== 0) return false;
    const body = ring.find(ring.parents[slot]);
    return body >= 0 && (ring.flags[body] & (Flag.root | Flag.settled)) === Flag.root && this.stacks.isBody(ring.stacks[body]) && !this.origins.isThen();
  }

  /** The running function, as a compiler wrote it, awaits a value: `await` of the language's own makes no root of it. @param owner that function's call @returns the same */
  compiled(id: number, owner: number): number {
    this.gathering.interrupt();
    // Whoever awaits calls no combinator any more: what is derived from this is no element of one.
    this.gathering.end();
    this.ring.add(id, Flag.value, 0, owner, this.runs.clock);
    return owner;
  }
}
