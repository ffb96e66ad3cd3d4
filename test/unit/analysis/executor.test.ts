import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REJECTIONS, scheduleExecutor, type ExecutorSchedule, type ExecutorSettings, type TaskOutcome } from '../../../src/analysis/executor';
import { scheduleRails } from '../../../src/analysis/schedule';
import { RECORDINGS, type Recording } from './executor-recordings';

interface Load { readonly submitAt: number[]; readonly durations: number[]; readonly settings: ExecutorSettings }

const loads: fc.Arbitrary<Load> = fc.record({
  tasks: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 20 })), { maxLength: 60 }),
  core: fc.integer({ min: 0, max: 4 }), beyond: fc.integer({ min: 0, max: 4 }),
  keepAlive: fc.integer({ min: 0, max: 30 }), queue: fc.integer({ min: 0, max: 6 }), rejection: fc.constantFrom(...REJECTIONS),
}).map(({ tasks, core, beyond, keepAlive, queue, rejection }) => {
  let at = 0;
  return {
    submitAt: tasks.map(([gap]) => (at += gap)), durations: tasks.map(([, duration]) => duration),
    settings: { core, max: Math.max(1, core + beyond), keepAlive, queue: rejection === 'discardOldest' ? Math.max(1, queue) : queue, rejection },
  };
});
const scheduleOf = ({ submitAt, durations, settings }: Load): ExecutorSchedule => scheduleExecutor(submitAt, durations, settings);
const count = ({ tasks }: ExecutorSchedule, ...outcomes: TaskOutcome[]): number => tasks.filter(({ outcome }) => outcomes.includes(outcome)).length;

/** As the replay on the JVM prints it. */
const decisionsOf = ({ submitAt, durations, settings }: Recording): { outcome: string; thread: number; start: number }[] =>
  scheduleExecutor(submitAt, durations, settings).tasks.map(({ outcome, thread, start }) => ({ outcome, thread, start: Number.isNaN(start) ? -1 : start }));
const recorded = ({ decisions }: Recording): { outcome: string; thread: number; start: unknown }[] => decisions.split(' ').map((each) => {
  const [outcome, thread, start] = each.split(',');
  return { outcome, thread: Number(thread), start: expect.closeTo(Number(start), 5) as unknown };
});

describe('the schedule of an executor', () => {
  it.each(RECORDINGS.map((recording) => [recording.settings, recording] as const))('decides as the JVM did: %j', (_, recording) => {
    expect(decisionsOf(recording)).toEqual(recorded(recording));
  });

  it('does all ten of the document’s tasks where the caller runs what is rejected, else as many as max and queue', () => {
    const done = (rejection: ExecutorSettings['rejection'], queue: number): number =>
      count(scheduleExecutor(new Array<number>(10).fill(0), new Array<number>(10).fill(1), { core: 2, max: 4, keepAlive: 60, queue, rejection }), 'ran', 'callerRan');
    expect(REJECTIONS.map((rejection) => done(rejection, 2))).toEqual([10, 6, 6, 6]);
    expect(REJECTIONS.map((rejection) => done(rejection, 10))).toEqual([10, 10, 10, 10]);
  });

  it('never has more threads than max at work nor more tasks in line than the queue holds, and runs one task a thread', () => {
    fc.assert(fc.property(loads, (load) => {
      const { tasks, queue, threads } = scheduleOf(load);
      expect(Math.max(0, ...queue.map(({ length }) => length))).toBeLessThanOrEqual(load.settings.queue);
      const onThreads = tasks.filter(({ outcome }) => outcome === 'ran');
      for (const { start } of onThreads) {
        expect(onThreads.filter((other) => other.start <= start && start < other.end).length).toBeLessThanOrEqual(load.settings.max);
      }
      for (let thread = 1; thread <= threads.length; thread++) {
        const own = onThreads.filter((task) => task.thread === thread).sort((a, b) => a.start - b.start || a.end - b.end);
        for (let i = 1; i < own.length; i++) expect(own[i].start).toBeGreaterThanOrEqual(own[i - 1].end);
        const { from, to = Infinity } = threads[thread - 1];
        for (const { start, end } of own) expect(start >= from && end <= to).toBe(true);
      }
    }));
  });

  it('loses no task where the caller runs what is rejected, and tells of each rejected one where it aborts', () => {
    fc.assert(fc.property(loads, (load) => {
      const schedule = scheduleOf(load);
      if (load.settings.rejection === 'callerRuns') expect(count(schedule, 'ran', 'callerRan')).toBe(load.durations.length);
      if (load.settings.rejection === 'abort') expect(count(schedule, 'ran', 'rejected')).toBe(load.durations.length);
      for (const [row, { submitted, start, end, outcome }] of schedule.tasks.entries()) {
        expect(submitted).toBeGreaterThanOrEqual(load.submitAt[row]);
        if (outcome === 'ran' || outcome === 'callerRan') expect([start >= submitted, end - start]).toEqual([true, load.durations[row]]);
        else expect([start, end]).toEqual([NaN, NaN]);
      }
    }));
  });

  it('keeps as many threads as core, and lets those beyond go', () => {
    fc.assert(fc.property(loads, (load) => {
      const { threads } = scheduleOf(load);
      const staying = threads.filter(({ to }) => to === undefined).length;
      expect(staying).toBeLessThanOrEqual(load.settings.core);
      expect(staying).toBe(Math.min(load.settings.core, threads.length));
    }));
  });

  it('with a queue for all is the schedule of as many rails', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (durations, core) => {
      const { tasks, makespan } = scheduleExecutor(durations.map(() => 0), durations, { core, max: core, keepAlive: 0, queue: durations.length, rejection: 'abort' });
      const rails = scheduleRails(durations, core);
      expect(tasks.map(({ start }) => start)).toEqual([...rails.start]);
      expect(makespan).toBe(rails.makespan);
    }));
  });

  it.each<[Partial<ExecutorSettings>, string]>([
    [{ core: 5, max: 4 }, 'core has to be no more than max, which is 4'],
    [{ core: -1 }, 'core has to be a whole number from 0'],
    [{ max: 0, core: 0 }, 'max has to be a whole number from 1'],
    [{ queue: 1.5 }, 'the queue has to be a whole number from 0'],
    [{ keepAlive: -1 }, 'keepAlive has to be a number from 0'],
    [{ queue: 0, rejection: 'discardOldest' }, 'DiscardOldest needs a queue of at least 1'],
  ])('refuses %j', (wrong, sentence) => {
    expect(() => scheduleExecutor([0], [1], { core: 1, max: 4, keepAlive: 1, queue: 1, rejection: 'abort', ...wrong })).toThrow(sentence);
  });
});
