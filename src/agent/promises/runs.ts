/** Runs of code: what a reaction, or a callback that Node calls, does from its begin to its end. And the clock, as read in the one that goes on. */
import asyncHooks from 'node:async_hooks';
import type { FactWriter } from '../fact-writer';
import type { CallStacks } from '../stacks/call-stacks';

const { AsyncResource, executionAsyncId, executionAsyncResource } = asyncHooks;
const { getOwnPropertyDescriptor } = Object;

/** Main code of a module or a script. */
export const MAIN = 1;
/** Instead of a callback's number: the next one by `process.nextTick`, which Node keeps as an object with its arguments. */
const DEFERRED = -1;

export class Runs {
  /** Which run it is, counted from 1. */
  tick = 1;
  /** The clock as last read: milliseconds as `now` gives them. */
  clock = 0;
  private clockTick = 0;
  /** The clock as first read in that run. */
  private firstRead = 0;
  /** Node's number of the callback that runs outside of any reaction. */
  private callback = 0;
  /** When the timer whose callback that is was started, as Node notes it: an interval's has the same number each time. */
  private timerStart: unknown;
  /** The run in which a message is handled. */
  private messageTick = -1;

  constructor(readonly now: () => number, private readonly writer: FactWriter, private readonly stacks: CallStacks) {}

  begin(): void { this.tick = (this.tick + 1) >>> 0; }

  /** The run that has just begun handles a message. @param isDeferred Node itself calls what does so only by `process.nextTick` */
  handlesMessage(isDeferred: boolean): void {
    this.callback = isDeferred ? DEFERRED : executionAsyncId();
    this.timerStart = undefined;
    this.messageTick = this.tick;
  }

  /** Outside of reactions, Node calls one callback after the other: each is a run of code of its own. @returns whether one has begun since this was asked last */
  hasCallbackBegun(): boolean {
    const callback = executionAsyncId();
    const timerStart = callback > MAIN ? getOwnPropertyDescriptor(executionAsyncResource(), '_idleStart')?.value as unknown : undefined;
    if (callback === this.callback && timerStart === this.timerStart) return false;
    this.timerStart = timerStart;
    // The program's own resources are entered by a call: most likely of whoever handles the message.
    if (this.messageTick === this.tick && executionAsyncResource() instanceof AsyncResource) return false;
    const goesOn = this.callback === DEFERRED && 'args' in executionAsyncResource();
    this.callback = callback;
    return !goesOn;
  }

  readClock(): number {
    this.clock = this.now();
    this.writer.flushIfDue(this.clock);
    if (this.clockTick !== this.tick) {
      this.stacks.budget.refill(this.clock);
      this.firstRead = this.clock;
    }
    this.clockTick = this.tick;
    return this.clock;
  }

  /** Whether a promise was made before this run of code. @param made milliseconds, as the clock was read then */
  isFromBefore(made: number): boolean { return this.clockTick !== this.tick || made < this.firstRead; }

  /** The clock as last read in this run: exact enough for what only tells the order. */
  lateClock(): number { return this.clockTick === this.tick ? this.clock : this.readClock(); }
}
