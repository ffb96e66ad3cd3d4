import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IGNORED, TaskState, type Group } from '../../../src/model/timeline';
import type { ChangeSet } from '../../../src/timeline/change-set';
import { Tally } from '../../../src/timeline/tally';
import { Timeline, type TaskFacts } from '../../../src/timeline/timeline';

/** Later than anything that happens here. */
const NOW = 1000;

const task = (group: number, start: number, end = NaN, rest: Partial<TaskFacts> = {}): TaskFacts => ({
  group, ordinal: 1, lane: 1, chunk: 0, queued: NaN, start, end,
  state: Number.isNaN(end) ? TaskState.pending : TaskState.fulfilled, ...rest,
});

/** What somebody knows who only ever hears of changes. */
class Reader {
  readonly groups = new Map<number, Group>();
  readonly tasks = new Map<number, TaskFacts>();
  readonly labels = new Map<number, string | undefined>();
  private readonly changes: ChangeSet;

  constructor(private readonly timeline: Timeline) { this.changes = timeline.track(); }

  read(limit = Infinity): void {
    for (const id of this.changes.takeGone()) this.groups.delete(id);
    for (const id of this.changes.takeGroups()) {
      const group = this.timeline.group(id, NOW);
      if (group) this.groups.set(id, group);
    }
    for (const id of this.changes.takeLabels()) this.labels.set(id, this.timeline.labelOf(id));
    for (const id of this.changes.takeTasks(limit)) {
      const facts = factsOf(this.timeline, id);
      if (facts.group > 0) this.tasks.set(id, facts); else this.tasks.delete(id);
    }
  }
}

function factsOf({ tasks }: Timeline, id: number): TaskFacts {
  const row = id - 1;
  return {
    group: tasks.group[row], ordinal: tasks.ordinal[row], lane: tasks.lane[row], chunk: tasks.chunk[row],
    queued: tasks.queued[row], start: tasks.start[row], end: tasks.end[row], state: tasks.state[row],
  };
}

interface Op {
  readonly op: 'group' | 'add' | 'replace' | 'settle' | 'remove' | 'label' | 'fail' | 'inside' | 'read';
  /** Which of those there are, counted round. */
  readonly pick: number;
  readonly group: number;
  readonly facts: TaskFacts;
}

const facts = fc.record({ start: fc.nat(50), length: fc.option(fc.nat(50)), lane: fc.integer({ min: 1, max: 4 }), chunk: fc.nat(3) })
  .map(({ start, length, lane, chunk }) => task(0, start, length === null ? NaN : start + length, { lane, chunk }));
const op: fc.Arbitrary<Op> = fc.record({
  op: fc.constantFrom<Op['op'][]>('add', 'add', 'add', 'replace', 'replace', 'settle', 'settle', 'group', 'remove', 'label', 'fail', 'inside', 'read', 'read'),
  pick: fc.nat(8), group: fc.nat(8), facts,
});

/** Does one thing to the timeline, as far as it is possible with what is there. */
function apply(timeline: Timeline, step: Op, read: (limit: number) => void): void {
  const groups = timeline.groupIds();
  const { length } = timeline.tasks;
  const groupAt = (n: number): number => groups[n % groups.length] ?? 0;
  const taskAt = (n: number): number => (n % length) + 1;
  switch (step.op) {
    case 'group': timeline.addGroup({ thread: 1, kind: 'chunk', parentTask: length > 0 ? taskAt(step.pick) : undefined }); break;
    case 'inside': if (length > 0) timeline.updateGroup(groupAt(step.group), { parentTask: taskAt(step.pick) }); break;
    case 'read': read(step.pick % 5); break;
    case 'remove': timeline.removeGroup(groupAt(step.pick)); break;
    case 'fail': timeline.updateGroup(groupAt(step.pick), { failed: true }); break;
    case 'add': case 'replace': {
      if (groups.length === 0) break;
      const changed = { ...step.facts, group: groupAt(step.group) };
      if (step.op === 'add' || length === 0) timeline.addTask(changed); else timeline.updateTask(taskAt(step.pick), changed);
      break;
    }
    case 'label': if (length > 0) timeline.labelTask(taskAt(step.pick), `task ${step.pick}`); break;
    case 'settle': {
      if (length === 0) break;
      const before = factsOf(timeline, taskAt(step.pick));
      if (before.group === 0 || !Number.isNaN(before.end)) break;
      timeline.updateTask(taskAt(step.pick), { ...before, end: before.start + (step.pick % 30), state: TaskState.rejected | IGNORED });
    }
  }
}

describe('whatever is done to a timeline, in whatever order', () => {
  test('the figures of each group are those of the tasks that are in it now', () => {
    fc.assert(fc.property(fc.array(op, { maxLength: 60, size: 'max' }), (steps) => {
      const timeline = new Timeline();
      timeline.addGroup({ thread: 1, kind: 'chunk' });
      for (const step of steps) {
        apply(timeline, step, () => undefined);
        for (const id of timeline.groupIds()) {
          const rows = Array.from({ length: timeline.tasks.length }, (_, row) => row).filter((row) => timeline.tasks.group[row] === id);
          const expected = Tally.over(timeline.tasks, rows);
          const { taskCount, fulfilled, rejected, pending, lanes, peak, chunks, end } = expected;
          expect(timeline.rowsOf(id).sort((a, b) => a - b)).toEqual(rows);
          expect(timeline.group(id, NOW)).toMatchObject({ taskCount, fulfilled, rejected, pending, lanes, peak, chunks, end,
            metrics: expected.metrics('chunk', NOW) });
        }
      }
    }), { numRuns: 300 });
  });

  test('whoever follows its changes from any moment on, in portions, knows all of it', () => {
    fc.assert(fc.property(fc.array(op, { maxLength: 60, size: 'max' }), fc.nat(60), (steps, opensAt) => {
      const timeline = new Timeline();
      timeline.addGroup({ thread: 1, kind: 'chunk' });
      const readers = [new Reader(timeline)];
      steps.forEach((step, i) => {
        if (i === opensAt) readers.push(new Reader(timeline));
        apply(timeline, step, (limit) => readers[0].read(limit));
      });
      for (const reader of readers) {
        reader.read();
        const ids = Array.from({ length: timeline.tasks.length }, (_, row) => row + 1);
        expect(reader.groups).toEqual(new Map(timeline.groupIds().map((id) => [id, timeline.group(id, NOW)])));
        expect(reader.tasks).toEqual(new Map(ids.map((id) => [id, factsOf(timeline, id)] as const).filter(([, { group }]) => group > 0)));
        expect(reader.labels).toEqual(new Map(ids.filter((id) => timeline.labelOf(id) !== undefined).map((id) => [id, timeline.labelOf(id)])));
      }
    }), { numRuns: 300 });
  });
});

test('a table that outgrows its columns keeps every row', () => {
  const timeline = new Timeline();
  const group = timeline.addGroup({ thread: 1, kind: 'pool' });
  for (let i = 1; i <= 5000; i++) expect(timeline.addTask(task(group, i, NaN, { ordinal: i, lane: (i % 7) + 1 }))).toBe(i);
  for (const id of [1, 1024, 1025, 5000]) expect(factsOf(timeline, id)).toEqual(task(group, id, NaN, { ordinal: id, lane: (id % 7) + 1 }));
  expect(timeline.group(group, 5000)).toMatchObject({ taskCount: 5000, pending: 5000, peak: 5000, lanes: 7 });
});

test('a group is rejected once its combinator has, whatever its tasks still do', () => {
  const timeline = new Timeline();
  const group = timeline.addGroup({ thread: 1, kind: 'all', combinator: 'all' });
  const first = timeline.addTask(task(group, 0));
  expect(timeline.group(group, NOW)?.status).toBe('pending');
  timeline.updateGroup(group, { failed: true });
  expect(timeline.group(group, NOW)?.status).toBe('rejected');
  timeline.updateTask(first, task(group, 0, 5));
  expect(timeline.group(group, NOW)).toMatchObject({ status: 'rejected', end: 5 });
});

test('threads are numbered from 1 in order of appearance', () => {
  const timeline = new Timeline();
  expect(timeline.addThread({ pid: 42, threadId: 0, name: 'main', requests: false }).id).toBe(1);
  expect(timeline.addThread({ pid: 42, threadId: 1, name: 'worker', requests: false }).id).toBe(2);
  expect(timeline.threads.map(({ name }) => name)).toEqual(['main', 'worker']);
});
