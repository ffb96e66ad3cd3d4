/**
 * How a backend goes on while nobody looks at new promises: of what it knows already, it hears by hooks of V8's that cost as little as
 * can be.
 */
import v8 from 'node:v8';
import type { Hooks } from '../hooks';

const { promiseHooks } = v8;

/** What is asked of a backend. */
export interface Looking {
  /** Begins to look at every promise. @returns what ends it */
  readonly begin: () => () => void;
  /** Whether a promise was looked at when it was made, or met later. */
  readonly isKnown: (promise: Promise<unknown>) => boolean;
  /** Whether it is to be heard of what becomes of a promise. */
  readonly isFollowed: (promise: Promise<unknown>) => boolean;
  /** What `begin` puts where V8 or Node tells of what settles: for `Guard.settledHook`. */
  readonly settledHook: (...args: never[]) => unknown;
  readonly settled: (promise: Promise<unknown>) => void;
  /** A reaction begins of a promise that is known, and ends. */
  readonly before: (promise: Promise<unknown>) => void;
  readonly after: (promise: Promise<unknown>) => void;
  /** It is looked at new promises again, in the midst of a reaction of one that nobody has looked at. */
  readonly comesBackIn: () => void;
}

export class SteppingBack {
  /** Whether there are promises that nobody has looked at. */
  areStrange = false;
  /** The one that settled last while nobody looked. */
  latestSettled: Promise<unknown> | undefined;
  /** While nobody looks, and a reaction of one of these runs: that one. */
  private strange: Promise<unknown> | undefined;
  private end: () => void;

  constructor(private readonly looking: Looking, private readonly hooks: Pick<Hooks, 'observer' | 'guard' | 'hot'>) {
    this.end = this.begin();
    hooks.hot.comesBack = () => { this.comeBack(); };
  }

  /** To be called where a reaction has ended. */
  stepBackIfDue(): void {
    const { guard, hot, observer } = this.hooks;
    if (!hot.isDue || !observer.isAtRest) return;
    this.areStrange = true;
    hot.stepBack();
    this.end();
    guard.settledHook = this.settled;
    this.end = promiseHooks.createHook({ settled: this.settled, before: this.before, after: this.after }) as () => void;
  }

  private comeBack(): void {
    if (!this.hooks.hot.isSteppedBack) return;
    this.strange = this.latestSettled = undefined;
    this.hooks.hot.comeBack();
    this.end();
    this.end = this.begin();
  }

  private begin(): () => void {
    this.hooks.guard.settledHook = this.looking.settledHook;
    return this.looking.begin();
  }

  private readonly settled = (promise: Promise<unknown>): void => {
    const { looking, strange } = this;
    this.latestSettled = promise;
    if (promise === strange || !looking.isFollowed(promise)) return;
    const { observer, guard } = this.hooks;
    try {
      if (strange) observer.beforeStrange();
      looking.settled(promise);
      if (strange) observer.after();
    } catch { guard.failures++; }
  };

  private readonly before = (promise: Promise<unknown>): void => {
    const { looking } = this;
    if (looking.isKnown(promise)) { looking.before(promise); return; }
    this.strange = promise;
    const { observer, guard, hot } = this.hooks;
    try {
      if (!hot.isCalmAfter()) return;
      this.comeBack();
      observer.beforeStrange();
      looking.comesBackIn();
    } catch { guard.failures++; }
  };

  private readonly after = (promise: Promise<unknown>): void => {
    if (promise === this.strange) this.strange = undefined;
    else this.looking.after(promise);
  };
}
