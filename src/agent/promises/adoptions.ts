/** How a promise that was resolved with another one, or with a thenable, adopts the result of that: V8 takes it in a reaction of the outer one's own. */
import { Fact } from '../../model/facts';
import type { FactWriter } from '../fact-writer';
import { Flag, type PromiseRing } from './promise-ring';
import type { Reactions } from './reactions';
import type { Teller } from './teller';

export class Adoptions {
  /** What was derived in the reaction that runs to take the result of `taken`, which is behind it; 0 for none. */
  private taking = 0;
  private taken = 0;

  constructor(private readonly ring: PromiseRing, private readonly reactions: Reactions, private readonly teller: Teller, private readonly writer: FactWriter) {}

  /** Whether something was taken in the reaction that runs. */
  get isOpen(): boolean { return this.taking !== 0; }

  /**
   * The result of a promise is taken. What has a `then` of its own may derive others first (`return this.parse().then(resolve, reject)`): it is the last that takes.
   * @param id of what was derived for that @param parent the promise that is taken @returns the owner of what was derived
   */
  take(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    const { reactions: { owner }, ring } = this;
    const slot = this.isOpen ? ring.find(this.taking) : -1;
    if (slot >= 0) {
      ring.flags[slot] &= ~Flag.inner;
      this.teller.tellTaken(this.taken, ring.owners[slot], this.taking);
    }
    this.taking = id;
    this.taken = parent;
    this.teller.consumed(parent, parentPromise);
    ring.add(id, Flag.inner, parent, owner, 0);
    return owner;
  }

  /** The reaction in which something was taken goes no further. */
  end(): void {
    const { taken, ring, reactions } = this;
    this.taking = 0;
    const wrapping = ring.wrappingOf(reactions.promise);
    const slot = ring.find(taken);
    // TypeScript before 3.6 wraps whatever a function awaits: it is the promise within that it waits for.
    if (wrapping >= 0) this.teller.tellTaken(taken, ring.owners[wrapping], ring.calls[wrapping]);
    // What goes on inside Node's own call is nobody's task.
    else if (slot < 0 || (ring.flags[slot] & Flag.nodes) === 0) this.tell(reactions.promise, taken);
  }

  tell(outer: number, inner: number): void {
    this.teller.tell(inner);
    this.teller.tell(outer);
    this.writer.record(Fact.adopted, 0, outer, inner, 0, 0, 0, 0);
  }
}
