/**
 * What a thread goes through besides promises: stretches in which its event loop was held up, and pauses for garbage collection.
 * The first is read off a timer we have anyway: that it comes late, and how long the loop had been idle before.
 */
import perfHooks from 'node:perf_hooks';
import { Fact } from '../../model/facts';
import type { FactWriter } from '../fact-writer';

// Taken now: a program may replace them later.
const { PerformanceObserver } = perfHooks;
const { nodeTiming } = perfHooks.performance;

/** Shorter than that it is nobody's trouble, and could be many short runs of code in a row. */
const BLOCKED_MS = 40;
const MICROSECONDS = 1000;

interface CollectionEntry { readonly startTime: number; readonly duration: number; readonly detail?: { readonly kind?: number } }

export class LoopWatch {
  /** Milliseconds of the thread's clock, and of them those the loop was idle. */
  private looked: number;
  private idle = 0;

  constructor(private readonly writer: FactWriter, now: number) { this.looked = now; }

  /** To be called by a timer of the given interval, and at the end. @param now milliseconds of the thread's clock */
  look(now: number, interval: number): void {
    const { idleTime } = nodeTiming;
    const passed = now - this.looked;
    const busy = Math.min(passed, passed - (idleTime - this.idle));
    this.looked = now;
    this.idle = idleTime;
    if (busy >= BLOCKED_MS && passed - interval >= BLOCKED_MS - interval) this.writer.record(Fact.blocked, 0, 0, 0, 0, now, busy * MICROSECONDS, 0);
  }
}

/** Tells of pauses for garbage collection. Node hands them over once the loop has its turn, and holds nothing up for it. */
export function watchCollections(writer: FactWriter, failed: () => void): void {
  new PerformanceObserver((list) => {
    try {
      for (const { startTime, duration, detail } of list.getEntriesByType('gc') as CollectionEntry[]) {
        writer.record(Fact.collected, detail?.kind ?? 0, 0, 0, 0, startTime + duration, duration * MICROSECONDS, 0);
      }
    } catch { failed(); }
  }).observe({ type: 'gc' });
}
