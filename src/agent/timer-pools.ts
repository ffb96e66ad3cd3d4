/**
 * Pools that are made of callbacks alone, without a promise: `while (running < 3) job(queue.shift(), next)`. What can be
 * seen of them is timers. One that is set by a function, in the wake of a callback of a timer that the same function had
 * set, while others of them are still pending, is the next task of a pool: its function was called again because one was
 * through. Timers that put themselves off again do that too, but there is nobody in between who asks for the next.
 */
import asyncHooks from 'node:async_hooks';
import type { AdapterSink } from './adapters/sink';
import type { CallStacks, ProgramFrame } from './call-stacks';
import { hiddenSymbol } from './hidden';
import type { Guard } from './hooks';
import type { Observer } from './observer';
import { Purse } from './purse';

const { executionAsyncId, executionAsyncResource, triggerAsyncId } = asyncHooks;
const { apply } = Reflect;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
// Taken now: a program may replace them later.
const setTimer = setTimeout;
const nextTick = process.nextTick.bind(process);

/** Functions of the program between two timers of a pool: the job, who calls it, and who said that a job is through. */
const MIN_FUNCTIONS = 3;
const MIN_TASKS = 3;
/** A job may set timers one after the other. */
const MAX_STEPS = 16;
/** Of them, those whose number was not asked for yet. */
const MAX_UNNUMBERED = 256;
/** Timers remembered of what is no pool yet. */
const MAX_PENDING = 4096;
/** Jobs that are through and were one after the other, remembered of a pool to come. */
const MAX_THROUGH = 64;
/** Helpers that set timers for others. */
const HELPER = /^(?:sleep|delay|wait|pause|later|defer|after|setTimeout)$/i;
/** Main code of a module or a script. */
const MAIN = 1;
/** As many arguments take about 2 kB of the stack: more than Node needs to set a timer with a hook beside it. */
const ROOM: readonly undefined[] = new Array<undefined>(256).fill(undefined);
const nothing = (): void => undefined;

interface Timer { readonly _onTimeout: unknown; readonly _destroyed: boolean; readonly _idleTimeout: number }

/** Timers that one function set. */
interface Family {
  readonly job: ProgramFrame;
  /** Who calls it. */
  readonly caller: ProgramFrame;
  readonly owner: number;
  readonly pending: Set<Put>;
  /** What is through, as long as it is no pool yet. */
  readonly through: { readonly start: number; readonly end: number }[];
  /** Number of the group, once it is told for a pool. */
  group: number;
  count: number;
}

/** A timer from being set to the end of the job that set it. */
class Put {
  task = 0;
  /** The job that it is a step of. */
  outer: Put | undefined;
  readonly steps = new Set<Put>();
  isThrough = false;
  /** The number Node knows the timer by; 0 until it was asked for. */
  id = 0;

  /** @param cause in whose callback it was set */
  constructor(readonly family: Family, readonly timer: WeakRef<Timer>, readonly start: number, public cause: Put | undefined) {}

  /** Whether its callback ran, or never will. */
  get isOver(): boolean { return this.timer.deref()?._destroyed !== false; }
  /** Whether it, or a step of its job, is still to come. */
  get isRunning(): boolean { return !this.isOver || [...this.steps].some((step) => step.isRunning); }
}

export class TimerPools {
  private readonly families = new Map<number, Family>();
  private readonly byTimer = new WeakMap<object, Put>();
  private readonly looks = new Purse(1000, 1);
  private pending = 0;
  private readonly unfollowed: Put[] = [];
  private readonly unnumbered: Put[] = [];
  private readonly byId = new Map<number, Put>();
  private idSymbol: symbol | undefined;
  private prototype: unknown;

  constructor(
    private readonly sink: AdapterSink,
    private readonly observer: Observer,
    private readonly stacks: CallStacks,
    private readonly now: () => number,
    private readonly guard: Guard,
  ) {}

  /** @param timer any of Node's own: all of its kind are watched from now on */
  watch(timer: object): void {
    const prototype: unknown = getPrototypeOf(timer);
    this.idSymbol = hiddenSymbol(timer, 'asyncId');
    if (typeof prototype !== 'object' || prototype === null || getOwnPropertyDescriptor(prototype, '_onTimeout')) return;
    this.prototype = prototype;
    const isSet = (one: Timer): void => { this.isSet(one, set); };
    const { guard } = this;
    // Node's constructor assigns it: each timer gets it as a property of its own, as it always did.
    function set(this: object, value: unknown): void {
      // Where the stack is nearly used up it ends here, as it would have a moment later: behind this point Node has counted the
      // timer, and what ends between that and its being set leaves a process that never ends.
      apply(nothing, undefined, ROOM);
      defineProperty(this, '_onTimeout', { value, writable: true, enumerable: true, configurable: true });
      try { isSet(this as Timer); } catch { guard.failures++; }
    }
    defineProperty(prototype, '_onTimeout', { set, configurable: true, enumerable: false });
  }

  /** Forgets timers that are over and belong to no pool. */
  flush(): void {
    this.unnumbered.splice(0, this.unnumbered.length - MAX_UNNUMBERED);
    if (this.pending === 0) return;
    for (const family of this.families.values()) {
      if (family.group !== 0) continue;
      for (const put of family.pending) if (!put.isRunning) this.drop(put);
    }
  }

  /** The process ends. */
  end(): void {
    const time = this.now();
    for (const { group, pending } of this.families.values()) if (group !== 0) for (const put of pending) this.close(put, time);
  }

  private close(put: Put, time: number): void {
    for (const step of put.steps) this.close(step, time);
    if (put.isOver) this.finish(put, time);
  }

  private isSet(timer: Timer, above: (...args: never[]) => unknown): void {
    // In a reaction the promise tells all that is to be known.
    if (this.guard.busy || this.observer.isReacting) return;
    const time = this.now();
    this.looks.refill(time);
    if (this.pending >= MAX_PENDING || !this.looks.take()) return;
    const { frames, isDirect } = this.stacks.captureTimer(above);
    const at = frames.findIndex(({ name }) => !HELPER.test(name));
    if (at < 0) return;
    const job = frames[at];
    const { from, isTick } = this.context();
    const before = from && previous(from, job.fn);
    const others = frames.slice(at);
    // The innermost callback is the job's own.
    if (before && new Set((isTick ? others : others.slice(0, -1)).map(({ fn }) => fn)).size < MIN_FUNCTIONS) return;
    if (!isDirect) return;
    const family = this.familyOf(job, others, before !== undefined || executionAsyncId() > MAIN ? 0 : this.observer.running);
    if (before) {
      if (family.group === 0 && family.count + 1 >= MIN_TASKS && isJoined(before, from, family)) this.tell(family);
      this.complete(before, time);
    }
    const put = new Put(family, new WeakRef(timer), time, from);
    family.count++;
    family.pending.add(put);
    this.pending++;
    this.byTimer.set(timer, put);
    this.unnumbered.push(put);
    if (from && !before && !from.isThrough) { put.outer = from; from.steps.add(put); }
    if (family.group !== 0) this.begin(put);
    else if (isInPool(put)) this.follow(put);
  }

  /** In whose callback the program is. */
  private context(): { readonly from: Put | undefined; readonly isTick: boolean } {
    const resource = executionAsyncResource();
    const from = this.byTimer.get(resource);
    if (from || executionAsyncId() <= MAIN || !this.idSymbol || getPrototypeOf(resource) === this.prototype) return { from, isTick: false };
    // What a callback puts off to the end of the current operation knows it by its number only.
    for (const put of this.unnumbered.splice(0)) {
      put.id = idOf(put.timer.deref(), this.idSymbol);
      if (put.family.pending.has(put)) this.byId.set(put.id, put);
    }
    return { from: this.byId.get(triggerAsyncId()), isTick: true };
  }

  private familyOf(job: ProgramFrame, frames: readonly ProgramFrame[], owner: number): Family {
    let family = this.families.get(job.fn);
    if (!family) {
      // What has no name and only hands the call on is no pool.
      const callers = frames.filter(({ fn }) => fn !== job.fn);
      const caller = callers.find(({ name }) => name !== '') ?? callers[0] ?? job;
      this.families.set(job.fn, (family = { job, caller, owner, pending: new Set(), through: [], group: 0, count: 0 }));
    }
    return family;
  }

  private tell(family: Family): void {
    family.group = this.sink.writeCallbackGroup(family.caller, family.job, family.owner);
    for (const { start, end } of family.through.splice(0)) this.sink.writeEnd(this.sink.writeCallbackTask(family.group, start), false, end);
    for (const put of family.pending) this.begin(put);
  }

  private begin(put: Put): void {
    put.task = this.sink.writeCallbackTask(put.family.group, put.start);
    this.follow(put);
    for (const step of put.steps) this.follow(step);
  }

  /** Will see when its callback ran, once the program has set the timer: by now it has only made it. */
  private follow(put: Put): void {
    if (this.unfollowed.push(put) > 1) return;
    nextTick(() => {
      try { for (const one of this.unfollowed.splice(0)) this.followNow(one); } catch { this.guard.failures++; }
    });
  }

  /** Sets a timer of our own behind the program's, which keeps nothing alive. */
  private followNow(put: Put): void {
    const timer = put.timer.deref();
    if (!timer || put.isThrough) return;
    const { guard } = this;
    guard.busy = true;
    try {
      setTimer(() => {
        try { if (put.isOver) this.finish(put, this.now()); else this.follow(put); } catch { guard.failures++; }
      }, Math.max(1, Math.ceil(put.start + timer._idleTimeout - this.now()))).unref();
    } finally {
      guard.busy = false;
    }
  }

  /** Its callback ran, and asked for nothing more. */
  private finish(put: Put, time: number): void {
    if (put.steps.size > 0 || put.isThrough) return;
    this.complete(put, time);
  }

  private complete(put: Put, time: number): void {
    if (put.isThrough) return;
    put.isThrough = true;
    put.cause = undefined;
    const { group, through } = put.family;
    if (put.task !== 0) this.sink.writeEnd(put.task, false, time);
    else if (group === 0 && through.push({ start: put.start, end: time }) > MAX_THROUGH) through.shift();
    this.drop(put);
    for (const step of put.steps) this.drop(step);
    const { outer } = put;
    if (!outer) return;
    outer.steps.delete(put);
    if (outer.isOver) this.finish(outer, time);
  }

  private drop(put: Put): void {
    if (put.family.pending.delete(put)) this.pending--;
    this.byId.delete(put.id);
  }
}

/** @param symbol under which Node keeps a timer's number */
const idOf = (timer: Timer | undefined, symbol: symbol): number => Number((timer as Partial<Record<symbol, unknown>> | undefined)?.[symbol] ?? 0);

/** The job whose end the program tells of in a timer's callback, if it is one of the function's. */
function previous(from: Put, fn: number): Put | undefined {
  let at: Put | undefined = from;
  for (let steps = 0; at && steps < MAX_STEPS; steps++, at = at.outer) if (at.family.job.fn === fn) return at;
  return undefined;
}

/** Whether others of the family are pending where one is through, which were not set in its wake. */
const isJoined = (through: Put, from: Put | undefined, { pending }: Family): boolean =>
  [...pending].some((put) => put !== through && put.isRunning && put.cause !== from);

/** Whether a timer is a step of some pool's job. */
function isInPool(put: Put): boolean {
  let at = put.outer;
  for (let steps = 0; at && steps < MAX_STEPS; steps++, at = at.outer) if (at.task !== 0) return true;
  return false;
}
