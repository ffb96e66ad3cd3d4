/**
 * Jobs that are an interval each: `const timer = setInterval(() => { if (++seen === parts) { clearInterval(timer); done(); } }, 20)`. Most intervals are
 * none. They are once the callback of one that was cleared leads to the next one of the same function's.
 */
import asyncHooks from 'node:async_hooks';
import { isNoHelper, type CallbackPools, type Moment } from './callback-pools';
import type { Wait } from './callback-put';
import type { ProgramCall } from '../stacks/program-calls';
import type { Timer } from './timer-waits';

const { executionAsyncResource } = asyncHooks;

/** Remembered of one function's, of what may be jobs. */
const MAX_OPEN = 64;
const MAX_FUNCTIONS = 256;

class IntervalWait implements Wait {
  readonly isRequest = false;
  readonly endedAt = undefined;

  constructor(private readonly timer: WeakRef<Timer>, private readonly idOf: (timer: Timer) => number) {}

  get isOver(): boolean { return this.timer.deref()?._destroyed !== false; }
  isCalledOff(): boolean { return false; }
  id(): number {
    const timer = this.timer.deref();
    return timer ? this.idOf(timer) : 0;
  }
  due(now: number): number { return now + (this.timer.deref()?._idleTimeout ?? 0); }
}

/** One of which it is open whether it is a job. */
interface Open { readonly timer: WeakRef<Timer>; readonly call: ProgramCall; readonly moment: Moment }

export class IntervalJobs {
  /** By the number of the function that set them, in the order in which they were set. */
  private readonly open = new Map<number, Open[]>();
  /** Numbers of functions whose intervals are jobs. */
  private readonly known = new Set<number>();

  /** @param idOf Node's number of a timer */
  constructor(private readonly pools: CallbackPools, private readonly idOf: (timer: Timer) => number) {}

  isSet(timer: Timer, call: ProgramCall): void {
    const fn = call.frames.find(isNoHelper)?.fn;
    if (fn === undefined) return;
    if (!this.known.has(fn) && !this.isNext(fn)) { this.keep(fn, { timer: new WeakRef(timer), call, moment: this.pools.moment() }); return; }
    this.known.add(fn);
    const running = executionAsyncResource();
    for (const before of this.open.get(fn) ?? []) {
      const one = before.timer.deref();
      if (one && (!one._destroyed || one === running)) this.begin(one, before.call, before.moment);
    }
    this.open.delete(fn);
    // In whose wake it comes is known by now.
    this.begin(timer, call);
  }

  /** Whether the running code is the callback of an interval of the same function's that was cleared. */
  private isNext(fn: number): boolean {
    const running = executionAsyncResource();
    return this.open.get(fn)?.some(({ timer }) => timer.deref() === running && (running as Timer)._destroyed) === true;
  }

  private begin(timer: Timer, call: ProgramCall, moment?: Moment): void { this.pools.begins(timer, new IntervalWait(new WeakRef(timer), this.idOf), call, false, moment); }

  private keep(fn: number, one: Open): void {
    const open = this.open.get(fn) ?? [];
    if (open.length === 0 && this.open.size === MAX_FUNCTIONS) return;
    open.push(one);
    if (open.length > MAX_OPEN) open.shift();
    this.open.set(fn, open);
  }
}
