/** What threads went through besides tasks: stretches in which one was blocked, collected garbage or was too fast to be watched, and its requests in libuv's pool. */
import { ActivityKind, type ActivityColumns } from '../../src/model/activity';
import type { Thread } from '../../src/model/run';
import { isSoundActivity } from './parse';

/** What is drawn as bands over the lanes. */
export type Band = 'blocked' | 'gc' | 'unwatched';

const BAND_OF: Readonly<Record<number, Band | undefined>> = { [ActivityKind.blocked]: 'blocked', [ActivityKind.gc]: 'gc', [ActivityKind.unwatched]: 'unwatched' };

/** Pieces of one stretch are told to the microsecond. */
const ADJOINING_MS = 0.01;

/** Stretches of one thread and kind, one after the other. Milliseconds after `timeOrigin`. */
export class Stretches {
  length = 0;
  start = new Float64Array(16);
  end = new Float64Array(16);
  /** `Activity.count` and `Activity.most`. */
  count = new Uint32Array(16);
  most = new Uint32Array(16);

  add(start: number, end: number, count: number, most: number): void {
    if (this.length === this.start.length) this.grow();
    const at = this.length++;
    this.start[at] = start;
    // They follow one another: a search by end finds its way.
    this.end[at] = at > 0 ? Math.max(end, this.end[at - 1]) : end;
    this.count[at] = count;
    this.most[at] = most;
  }

  /** @returns the first index that ends after `time`, `length` where none does */
  firstEndingAfter(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end[middle] > time) high = middle; else low = middle + 1;
    }
    return low;
  }

  /** As `add`, of what may go on where the latest one ends. */
  extend(start: number, end: number, count: number): void {
    const at = this.length - 1;
    if (at < 0 || start > this.end[at] + ADJOINING_MS) { this.add(start, end, count, 0); return; }
    this.end[at] = Math.max(end, this.end[at]);
    this.count[at] += count;
  }

  private grow(): void {
    const capacity = this.length * 2;
    const start = new Float64Array(capacity);
    const end = new Float64Array(capacity);
    const count = new Uint32Array(capacity);
    const most = new Uint32Array(capacity);
    start.set(this.start);
    end.set(this.end);
    count.set(this.count);
    most.set(this.most);
    Object.assign(this, { start, end, count, most });
  }
}

export class ThreadActivity {
  /** Grows with every change. */
  version = 0;
  private readonly threads = new Map<number, Thread>();
  /** By thread. */
  private readonly bands: Readonly<Record<Band, Map<number, Stretches>>> = { blocked: new Map(), gc: new Map(), unwatched: new Map() };
  private readonly requestsOf = new Map<number, Stretches>();
  /** Threads of libuv's pool, by thread. */
  private readonly limits = new Map<number, number>();

  know(threads: readonly Thread[]): void {
    for (const thread of threads) this.threads.set(thread.id, thread);
    this.version++;
  }

  /** @returns how many rows made no sense and were left out */
  take(rows: ActivityColumns): number {
    let refused = 0;
    for (let i = 0; i < rows.length; i++) {
      if (!isSoundActivity(rows, i)) {
        refused++;
        continue;
      }
      const thread = rows.thread[i];
      const band = BAND_OF[rows.kind[i]];
      const of = band ? this.bands[band] : this.requestsOf;
      let stretches = of.get(thread);
      if (!stretches) of.set(thread, (stretches = new Stretches()));
      if (band === 'unwatched') stretches.extend(rows.start[i], rows.end[i], rows.count[i]);
      else stretches.add(rows.start[i], rows.end[i], rows.count[i], rows.most[i]);
      if (of === this.requestsOf) this.limits.set(thread, rows.limit[i]);
    }
    if (rows.length > 0) this.version++;
    return refused;
  }

  stretches(band: Band, thread: number): Stretches | undefined { return this.bands[band].get(thread); }

  /** Requests of all threads of a thread's process, which share one pool; undefined where none are known. */
  requests(thread: number): { readonly limit: number; readonly threads: readonly Stretches[] } | undefined {
    const pid = this.threads.get(thread)?.pid;
    const mates = [...this.threads.values()].filter((mate) => mate.pid === pid && this.requestsOf.has(mate.id));
    if (mates.length === 0) return undefined;
    return { limit: Math.max(...mates.map(({ id }) => this.limits.get(id) ?? 0)), threads: mates.flatMap(({ id }) => this.requestsOf.get(id) ?? []) };
  }

  has(band: Band): boolean { return this.bands[band].size > 0; }
}
