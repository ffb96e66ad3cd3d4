/** Tells of jobs of callbacks, once it is known what they are, those that are through included. */
import type { AdapterSink } from '../adapters/sink';
import { poolAt } from './callback-families';
import type { Family, Put, Through } from './callback-put';
import type { ProgramFrame } from '../stacks/program-calls';

export class Tellings {
  /** @param begin tells of a job that has not ended, which began at a time */
  constructor(private readonly sink: AdapterSink, private readonly begin: (put: Put, start: number) => void) {}

  /** @param others who called for the next one this time, innermost first */
  pool(family: Family, others: readonly ProgramFrame[]): void {
    const { isLanes } = family;
    const { caller, job, teller, library } = poolAt(family, others);
    family.teller = teller;
    family.pool = caller.fn;
    family.group = this.sink.writeCallbackGroup(caller, job, family.owner, 'pool', library);
    for (const { start, since, end, isRenewed } of family.through.splice(0)) {
      if (isLanes || !isRenewed) this.sink.writeEndAt(this.sink.writeTaskSince(family.group, isLanes ? start : since), false, end);
    }
    for (const put of family.pending) if (!put.isFurtherStep) this.begin(put, isLanes ? put.start : put.since);
  }

  /** What came one after the other is told in that order, which says what it is: more of it may be at work at once later on. @param others as for `pool` */
  series(family: Family, others: readonly ProgramFrame[]): void {
    const { caller, job, teller, library } = poolAt(family, others);
    family.teller = teller;
    family.pool = caller.fn;
    family.group = this.sink.writeCallbackGroup(caller, job, family.owner, 'loose', library);
    for (const { start, end } of family.through.splice(0)) this.sink.writeEndAt(this.sink.writeTaskSince(family.group, start), false, end);
    for (const put of family.pending) if (!put.isFurtherStep) this.begin(put, put.start);
  }

  /** What came in rounds is told in the order in which it happened, which says what it is. */
  rounds(family: Family): void {
    const { job, callers } = family;
    family.rounds.isTold = true;
    family.group = this.sink.writeCallbackGroup(callers.find(({ fn }) => fn !== job.fn) ?? job, job, family.owner, 'loose');
    const through = family.through.splice(0);
    const ends = [...through].sort((a, b) => a.end - b.end);
    const tasks = new Map<Through, number>();
    for (const one of through.sort((a, b) => a.start - b.start)) {
      while (ends.length > 0 && ends[0].end <= one.start) this.endThrough(ends, tasks);
      tasks.set(one, this.sink.writeTaskSince(family.group, one.start));
    }
    while (ends.length > 0) this.endThrough(ends, tasks);
    for (const put of family.pending) if (!put.isFurtherStep) this.begin(put, put.start);
  }

  private endThrough(ends: Through[], tasks: ReadonlyMap<Through, number>): void {
    const one = ends.shift();
    if (one) this.sink.writeEndAt(tasks.get(one) ?? 0, false, one.end);
  }
}
