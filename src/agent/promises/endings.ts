/** How the promises that the host has heard of come to their ends: by a timer, by code outside of any reaction, or with what another one led to. */
import { RootKind } from '../../model/facts';
import type { CallStacks } from '../stacks/call-stacks';
import type { Guard } from '../hooks';
import type { Outcomes } from './outcomes';
import { Flag, kindOf, type PromiseRing } from './promise-ring';
import type { Reactions } from './reactions';
import type { Runs } from './runs';
import type { Teller } from './teller';

export class Endings {
  /** The latest promise that was settled outside of any reaction, and in which tick. */
  private byHand = 0;
  private byHandTick = 0;
  /** The latest plain promise that was settled, wherever that was done. */
  private plain = 0;

  constructor(
    private readonly ring: PromiseRing,
    private readonly teller: Teller,
    private readonly outcomes: Outcomes,
    private readonly stacks: CallStacks,
    private readonly guard: Guard,
    private readonly reactions: Reactions,
    private readonly runs: Runs,
  ) {}

  /**
   * A promise has settled that the host has heard of.
   * @param time milliseconds of the thread's clock @param running the async function that settled it @param promise undefined where it is not known any more
   */
  tell(id: number, slot: number, time: number, running: number, promise: Promise<unknown> | undefined): void {
    const { ring, reactions, teller } = this;
    const flags = ring.flags[slot];
    const isPlain = kindOf(flags) === RootKind.other;
    const isByHand = !reactions.isAny && isPlain;
    const byTimer = isByHand && this.stacks.isSettledByTimer(ring.stacks[slot], this.guard.settledHook);
    if (isPlain) this.plain = id;
    if (isByHand) {
      this.byHand = id;
      this.byHandTick = this.runs.tick;
      // What goes on behind it may hang on whether what came before had failed.
      this.outcomes.ask();
    }
    // `work().then((value) => { resolve(value); … })`: what settles it tells whose result it is.
    else if (isPlain && (flags & Flag.nodes) === 0) teller.tell(reactions.promise);
    teller.tellSettled(id, time, running, byTimer);
    if (promise === undefined) return;
    if ((flags & Flag.held) !== 0) this.outcomes.addElement(ring.calls[slot], id, promise);
    else if ((flags & Flag.consumed) !== 0) teller.ask(id, flags, promise);
  }

  /** The promise that code outside of any reaction has settled in the run that goes on; 0 for none. It is said once. */
  takeByHand(): number {
    const id = this.byHandTick === this.runs.tick ? this.byHand : 0;
    this.byHand = 0;
    return id;
  }

  /** The plain promise that was settled last since this was asked; 0 for none. */
  takePlain(): number {
    const id = this.plain;
    this.plain = 0;
    return id;
  }
}
