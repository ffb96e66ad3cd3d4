/** Hears of timers that the program sets, by an accessor on the prototype that all of them have. */
import type { CallbackPools } from './callback-pools';
import type { Wait } from './callback-put';
import { hiddenSymbol } from '../hidden';
import { IntervalJobs } from './interval-jobs';
import type { Guard } from '../hooks';
import { putAccessor, putValue } from '../intrinsics';

const { apply } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

const SETS_ONCE = 'setTimeout node:timers';
const SETS_AGAIN = 'setInterval node:timers';
/** As many arguments take about 2 kB of the stack: more than Node needs to set a timer with a hook beside it. */
const ROOM: readonly undefined[] = new Array<undefined>(256).fill(undefined);
const nothing = (): void => undefined;

/** Node's own. */
export interface Timer { readonly _onTimeout: unknown; readonly _destroyed: boolean; readonly _idleTimeout: number }

class TimerWait implements Wait {
  readonly isRequest = false;
  readonly endedAt = undefined;

  /** @param delay milliseconds until it is due @param start milliseconds of the thread's clock @param idOf Node's number of a timer */
  constructor(private readonly timer: WeakRef<Timer>, private readonly delay: number, private readonly start: number, private readonly idOf: (timer: Timer) => number) {}

  get isOver(): boolean { return this.timer.deref()?._destroyed !== false; }

  isCalledOff(now: number): boolean {
    const timer = this.timer.deref();
    // Node gives one that is cleared this delay.
    return timer?._destroyed === true && timer._idleTimeout < 0 && now < this.start + this.delay;
  }

  id(): number {
    const timer = this.timer.deref();
    return timer ? this.idOf(timer) : 0;
  }

  due(now: number): number | undefined { return this.start + (this.timer.deref()?._idleTimeout ?? now - this.start); }
}

/** @param timer any of Node's own: all of its kind are watched from now on */
export function watchTimers(timer: object, pools: CallbackPools, now: () => number, guard: Guard): void {
  const prototype: unknown = getPrototypeOf(timer);
  if (typeof prototype !== 'object' || prototype === null || getOwnPropertyDescriptor(prototype, '_onTimeout')) return;
  const idSymbol = hiddenSymbol(timer, 'asyncId');
  const idOf = (one: Timer): number => Number((idSymbol && (one as unknown as Partial<Record<symbol, unknown>>)[idSymbol]) ?? 0);
  const intervals = new IntervalJobs(pools, idOf);
  pools.contexts.timerPrototype = prototype;
  function isSet(one: Timer): void {
    if (pools.isOthersWork) return;
    const call = pools.look(set);
    if (call?.through.includes(SETS_ONCE) === true) pools.begins(one, new TimerWait(new WeakRef(one), one._idleTimeout, now(), idOf), call);
    else if (call?.through.includes(SETS_AGAIN) === true) intervals.isSet(one, call);
  }
  // Node's constructor assigns it: each timer gets it as a property of its own, as it always did.
  function set(this: object, value: unknown): void {
    // Where the stack is nearly used up it ends here, as it would have a moment later: behind this point Node has counted the
    // timer, and what ends between that and its being set leaves a process that never ends.
    apply(nothing, undefined, ROOM);
    putValue(this, '_onTimeout', value);
    try { isSet(this as Timer); } catch { guard.failures++; }
  }
  putAccessor(prototype, '_onTimeout', { set });
}
