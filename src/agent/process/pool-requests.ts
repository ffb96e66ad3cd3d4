/**
 * Requests in libuv's thread pool: from Node's handing one over to its answer's arrival. Which of them the pool's threads
 * work on, nobody tells. Not seen: zlib, whose requests have no name of their own, and native addons.
 */
import asyncHooks from 'node:async_hooks';
import { Fact } from '../../model/facts';
import type { FactWriter } from '../fact-writer';
import type { Guard } from '../hooks';

const { createHook } = asyncHooks;

/** Their object stands for one request in the pool. */
const isRequest = (type: string): boolean => type === 'FSREQPROMISE' || type === 'FSREQCALLBACK' || type === 'FILEHANDLECLOSEREQ'
  || type === 'GETADDRINFOREQWRAP' || type === 'GETNAMEINFOREQWRAP';
/** How jobs of node:crypto end. There are two kinds: those for `…Sync` never get to the pool. */
const JOB = 'REQUEST';
/** Milliseconds: the number of requests is told no more often than that, nor than one time in 20,000 of what has passed. */
const GAP_MS = 4;
const MAX_RECORDS = 20_000;
const SIZE = 1 << 16;
const MASK = SIZE - 1;
const DEFAULT_THREADS = 4;
const MAX_THREADS = 1024;

export class PoolRequests {
  /** Ids of those that wait for their answer, where `id & MASK` says; what would share a place with another is not counted. */
  private readonly open = new Float64Array(SIZE);
  private count = 0;
  /** A job that may turn out to have been done on the spot. */
  private job: { readonly id: number; readonly time: number; readonly resource: object } | undefined;
  private threads = 0;
  /** What was not told yet: since when, up to when, and the most. */
  private isUntold = false;
  private since = 0;
  private until = 0;
  private most = 0;

  constructor(private readonly writer: FactWriter, private readonly now: () => number, private readonly guard: Guard) {}

  begin(id: number, type: string, resource: object): void {
    if (this.job) this.settleJob();
    if (isRequest(type)) this.enter(id, this.now());
    else if (type.endsWith(JOB)) this.job = { id, time: this.now(), resource };
  }

  /** The answer to a request arrived. @param id of any resource */
  end(id: number): void {
    if (this.job) this.settleJob();
    const at = id & MASK;
    if (this.open[at] !== id) return;
    this.open[at] = 0;
    this.change(-1, this.now());
  }

  flush(): void {
    if (this.job) this.settleJob();
    if (this.isUntold) this.tell();
  }

  /** For a while nobody will hear of answers: those that are waited for now are counted no more. */
  lose(): void {
    this.job = undefined;
    if (this.count === 0) return;
    this.open.fill(0);
    this.change(-this.count, this.now());
  }

  /** By now the one who made it has said who is to hear of its end; where nobody is, it was done on the spot. */
  private settleJob(): void {
    const { job, guard } = this;
    this.job = undefined;
    if (!job) return;
    const { busy } = guard;
    guard.busy = true;
    const { ondone } = job.resource as { ondone?: unknown };
    guard.busy = busy;
    if (typeof ondone === 'function') this.enter(job.id, job.time);
  }

  private enter(id: number, time: number): void {
    const at = id & MASK;
    if (this.open[at] !== 0) return;
    this.open[at] = id;
    this.change(1, time);
  }

  private change(by: number, time: number): void {
    const gap = Math.max(GAP_MS, time / MAX_RECORDS);
    if (this.isUntold && time - this.until >= gap) this.tell();
    if (!this.isUntold) {
      this.isUntold = true;
      this.since = time;
      this.most = this.count;
    }
    this.count += by;
    if (time > this.until) this.until = time;
    if (this.count > this.most) this.most = this.count;
    if (this.until - this.since >= gap) this.tell();
  }

  private tell(): void {
    this.threads ||= threadsOf(process.env.UV_THREADPOOL_SIZE);
    this.writer.record(Fact.requests, 0, 0, this.count, this.most, this.until, (this.until - this.since) * 1000, this.threads);
    this.isUntold = false;
  }
}

/** As libuv reads it: https://docs.libuv.org/en/v1.x/threadpool.html */
function threadsOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_THREADS;
  return Math.min(MAX_THREADS, Math.max(1, Number.parseInt(value, 10) || 1));
}

/**
 * Watches them beside `v8.promiseHooks`. Only where a hook can be had that leaves promises alone (Node 24.21, 26): elsewhere
 * it would cost more than all the rest, and show on every promise. Not by `before`, which comes a moment earlier: Node would call
 * every callback through a function that stands in error stacks.
 */
export function watchRequests(requests: PoolRequests, failed: () => void): void {
  if (!canLeavePromises()) return;
  createHook({
    init(id, type, _trigger, resource) { try { requests.begin(id, type, resource); } catch { failed(); } },
    destroy(id) { try { requests.end(id); } catch { failed(); } },
    trackPromises: false,
  } as Parameters<typeof createHook>[0]).enable();
}

/** Whether Node has hooks of I/O that leave promises alone: one that knows the option refuses what is no boolean. */
export function canLeavePromises(): boolean {
  try {
    createHook({ trackPromises: 0 } as Parameters<typeof createHook>[0]);
    return false;
  } catch {
    return true;
  }
}
