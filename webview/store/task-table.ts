/**
 * What a lane's columns do not hold of a task, found by its id (which counts from 1 without holes): 8 bytes, and 4 more
 * where it has a chunk or has waited.
 */
import { PagedColumn } from './paged-column';

/** What everybody who draws a task asks of it besides its times. */
export interface TaskDetails {
  /** 1-based; 0 where the group is no chunk group. */
  chunkOf(id: number): number;
  ordinalOf(id: number): number;
  /** Milliseconds a task waited for its start; NaN where it is not known to have waited. */
  waitOf(id: number): number;
}

const words = (length: number): Uint32Array => new Uint32Array(length);

export class TaskTable implements TaskDetails {
  private readonly rail = new PagedColumn(words);
  private readonly ordinal = new PagedColumn(words);
  private readonly chunk = new PagedColumn(words);
  /** Milliseconds from queued to start; −1 for a wait of none, as 0 means that nothing is known. */
  private readonly waited = new PagedColumn((length) => new Float32Array(length));
  /** Group and 1-based lane of each rail; rail 0 is nowhere. */
  private readonly rails: { readonly group: number; readonly lane: number }[] = [{ group: 0, lane: 0 }];

  /** @returns the number of a new rail: one lane of one group */
  addRail(group: number, lane: number): number { return this.rails.push({ group, lane }) - 1; }

  /** No task has a higher id. */
  highestId = 0;

  /** Under which rail a task stands in its group's columns. */
  place(id: number, rail: number): void {
    this.rail.set(id, rail);
    if (id > this.highestId) this.highestId = id;
  }

  /** 0: nowhere. */
  groupOf(id: number): number { return this.rails[this.rail.get(id)].group; }
  laneOf(id: number): number { return this.rails[this.rail.get(id)].lane; }

  chunkOf(id: number): number { return this.chunk.get(id); }
  setChunk(id: number, chunk: number): void { this.chunk.set(id, chunk); }
  ordinalOf(id: number): number { return this.ordinal.get(id); }
  setOrdinal(id: number, ordinal: number): void { this.ordinal.set(id, ordinal); }

  waitOf(id: number): number {
    const waited = this.waited.get(id);
    return waited === 0 ? NaN : Math.max(0, waited);
  }

  /** @param wait milliseconds; NaN where it did not wait */
  setWait(id: number, wait: number): void { this.waited.set(id, Number.isNaN(wait) ? 0 : wait > 0 ? wait : -1); }
}
