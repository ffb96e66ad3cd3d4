import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../src/model/frames';
import { IGNORED, TaskState } from '../../../src/model/timeline';
import { Traffic } from '../../../webview/store/traffic';
import { GroupTasks } from '../../../webview/store/group-tasks';
import { TaskTable } from '../../../webview/store/task-table';
import { RunStore } from '../../../webview/store/run-store';
import { ScriptedRun } from '../../webview/scripted-run';
import { makeGroup } from './group';

const task = fc.record({ start: fc.integer({ min: 0, max: 5000 }), length: fc.integer({ min: 1, max: 3000 }), failed: fc.boolean(), pending: fc.boolean() });

describe('how much went on', () => {
  it('is exact at the borders of cells, whatever came in which order and was taken back', () => {
    fc.assert(fc.property(fc.array(task, { maxLength: 30 }), fc.array(task, { maxLength: 5 }), (tasks, mistaken) => {
      const traffic = new Traffic(0);
      for (const each of [...tasks, ...mistaken]) {
        traffic.begin(each.start);
        if (!each.pending) traffic.finish(each.start + each.length, each.failed);
      }
      for (const each of mistaken) {
        traffic.begin(each.start, -1);
        if (!each.pending) traffic.finish(each.start + each.length, each.failed, -1);
      }
      for (let time = 0; time < 9000; time += Math.ceil(1111 / traffic.width) * traffic.width) {
        const sums = traffic.upTo(time);
        const ended = tasks.filter((each) => !each.pending && each.start + each.length < time);
        const flight = tasks.reduce((sum, each) => sum + Math.max(0, Math.min(time, each.pending ? Infinity : each.start + each.length) - each.start), 0);
        expect(sums.flight).toBeCloseTo(flight, 3);
        expect([sums.ended, sums.failed]).toEqual([ended.length, ended.filter((each) => each.failed).length]);
      }
    }), { numRuns: 40 });
  });

  it('says between which two numbers the most at once was, and exactly where no cell holds both starts and ends', () => {
    fc.assert(fc.property(fc.array(task, { minLength: 1, maxLength: 40 }), (tasks) => {
      const traffic = new Traffic(0);
      const steps = tasks.flatMap(({ start, length }) => [{ at: start, by: 1 }, { at: start + length, by: -1 }]).sort((a, b) => a.at - b.at || a.by - b.by);
      for (const { at, by } of steps) if (by > 0) traffic.begin(at); else traffic.finish(at, false);
      let [flight, most] = [0, 0];
      for (const { by } of steps) most = Math.max(most, flight += by);
      const { peak } = traffic;
      expect(peak.least).toBeLessThanOrEqual(most);
      expect(peak.most).toBeGreaterThanOrEqual(most);
    }), { numRuns: 100 });
    const handedInAtOnce = new Traffic(0);
    for (let i = 1; i <= 1000; i++) {
      handedInAtOnce.begin(0);
      handedInAtOnce.finish(i * 10, false);
    }
    expect(handedInAtOnce.peak).toEqual({ least: 1000, most: 1000 });
  });

  it('counts what waited in a group, anew where a wait turns out to be another one or goes to another group', () => {
    const store = new RunStore();
    const run = new ScriptedRun();
    const [first, second] = [run.group({ kind: 'pool' }), run.group({ kind: 'pool' })];
    const waits = { group: first, ordinal: 1, lane: 1, chunk: 0, queued: 0, start: 100, end: 200, state: TaskState.fulfilled };
    const [id] = [waits, { ...waits, ordinal: 2, lane: 2 }].map((each) => run.timeline.addTask(each));
    const take = (): [number | undefined, number | undefined] => {
      const frame = decodeFrame(run.delta());
      if (frame.type === 'delta') store.apply(frame, 0);
      return [store.groups.get(first)?.waiting.upTo(1000).flight, store.groups.get(second)?.waiting.upTo(1000).flight];
    };
    expect(take()).toEqual([200, 0]);
    run.timeline.updateTask(id, { ...waits, queued: 50 });
    expect(take()).toEqual([150, 0]);
    run.timeline.updateTask(id, { ...waits, queued: 50, group: second });
    expect(take()).toEqual([100, 50]);
  });

  it('goes on beyond the last cell for what is still in flight', () => {
    const traffic = new Traffic(100);
    traffic.begin(100);
    traffic.begin(200);
    traffic.finish(300, false);
    expect(traffic.upTo(1_000_000).flight).toBeCloseTo(1_000_000 - 100 + 100, 3);
  });

  it('follows a group through tasks that end, change and leave', () => {
    const run = new Traffic(0);
    const group = new GroupTasks(1, new TaskTable(), undefined, run);
    group.setInfo(makeGroup({ start: 0 }));
    const row = { id: 1, lane: 1, chunk: 0, start: 0, end: NaN, state: TaskState.pending };
    group.insert(row);
    group.insert({ ...row, id: 2, lane: 2, start: 10, end: 20, state: TaskState.rejected });
    const own = group.traffic;
    group.replace({ ...row, end: 50, state: TaskState.fulfilled }, 0);
    group.replace({ ...row, end: 40, state: TaskState.fulfilled | IGNORED }, 0);
    for (const traffic of [run, own]) expect(traffic.upTo(1000)).toMatchObject({ ended: 2, failed: 1 });
    expect(own.upTo(1000).flight).toBeCloseTo(50, 1);
    group.remove(2, 2);
    for (const traffic of [run, group.traffic]) expect(traffic.upTo(1000)).toMatchObject({ ended: 1, failed: 0 });
    group.withdraw();
    expect(run.upTo(1000).flight).toBeCloseTo(0, 3);
  });
});
