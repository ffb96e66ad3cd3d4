/** Rubbish from a host or out of a trace: said clearly, drawn nowhere, and no reason to hang. */
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeFrame } from '../../src/model/frames';
import { createTaskColumns, TaskState, type Group } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, FIGURE, place, POOL } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

describe.skipIf(skipWithoutBrowser())('rubbish', () => {
  const pages = usePages();
  let lanes: LanesPage;
  let run: ScriptedRun;
  beforeEach(async () => {
    run = new ScriptedRun();
    lanes = await pages.open();
  });
  const notice = (code: string): Promise<string> => lanes.page.locator(`.notice[data-code="${code}"]`).innerText();

  it('in times and lanes leaves those tasks out, draws the rest, and says how many it was', async () => {
    const group = run.group(POOL);
    run.task(group, { ordinal: 1, start: 0, end: 1000 });
    run.now = 1000;
    const bad = [{ start: NaN, end: 5 }, { start: 10, end: 5 }, { start: 0, end: Infinity }, { start: -1e300, end: 5 }, { lane: 2 ** 31 }, { lane: 0 }, { state: 7 }, { id: 2 ** 31 }];
    const tasks = createTaskColumns(bad.length);
    tasks.length = bad.length;
    bad.forEach((row, i) => {
      const { id = i + 2, lane = 1, start = 2000, end = 3000, state = TaskState.fulfilled } = row as { id?: number; lane?: number; start?: number; end?: number; state?: number };
      tasks.id[i] = id; tasks.group[i] = group; tasks.ordinal[i] = i + 2; tasks.lane[i] = lane; tasks.queued[i] = NaN; tasks.start[i] = start; tasks.end[i] = end; tasks.state[i] = state;
    });
    await lanes.show(run.hello(), run.delta(), run.finish().delta({ tasks }));
    expect(await notice('refused')).toContain(`${bad.length} entries`);
    expect(await lanes.group(group).locator('.frame').count()).toBe(1);
    expect(await lanes.page.locator('.axis .ticks text').last().textContent()).toBe('1.0 s');
  });

  it('of another shape is answered with a notice, and what was drawn stays', async () => {
    place(run, asChunks(FIGURE, 5), {});
    await lanes.show(...run.finish().frames());
    const shapes = [{ type: 'delta', seq: 3 }, { type: 'delta', seq: '3', now: 0, state: {}, groups: [], removed: [], labels: [] }, { type: 'delta', seq: 3, now: 0, state: [], groups: {}, removed: 1, labels: 'x' }];
    for (const shape of shapes) await lanes.show(encodeFrame({ ...shape, tasks: createTaskColumns(0) } as never));
    expect(await notice('bad-frame')).toContain('another shape');
    expect(await lanes.group(1).locator('.frame').count()).toBe(2);
  });

  it('of a hundred thousand groups lists as many as it can, and says so', async () => {
    await lanes.send(run.hello());
    const count = 100_000;
    const tasks = createTaskColumns(1);
    tasks.length = 0;
    const group: Group = {
      id: 0, thread: 1, kind: 'chunk', peak: 1, lanes: 1, chunks: 1, start: 0, end: 10, status: 'fulfilled', taskCount: 2, fulfilled: 2, rejected: 0, pending: 0,
      metrics: { makespanMs: 10, busyMs: 10, idleMs: 0, utilization: 1 },
    };
    run.now = 10;
    run.finish();
    for (let from = 0; from < count; from += 10_000) {
      await lanes.send(run.delta({ tasks, groups: Array.from({ length: 10_000 }, (_, i) => ({ ...group, id: from + i + 1, kind: i % 2 === 0 ? 'chunk' as const : 'pool' as const, start: (from + i) / 1000 })) }));
    }
    await lanes.settled();
    expect(await notice('too-many-groups')).toContain('65\u202f536');
    expect(await lanes.page.locator('.group').count()).toBe(100);
  });

  it('in a label of ten million letters, with markup in it, is cut and stays text', async () => {
    const group = run.group(POOL);
    const task = run.task(group, { start: 0, end: 1000 });
    run.now = 1000;
    const label = `<img src=x onerror="window.pwned=1">${'x'.repeat(10_000_000)}`;
    await lanes.show(run.hello(), run.finish().delta({ labels: [[task, label]] }));
    await lanes.group(group).locator('.plot').hover({ position: { x: 300, y: 42 } });
    const shown = await lanes.page.locator('.task-label').innerText();
    expect(shown).toContain('<img src=x');
    expect(shown.length).toBeLessThanOrEqual(2000);
    expect(await lanes.page.locator('img').count()).toBe(0);
    expect(await lanes.page.evaluate('window.pwned')).toBeUndefined();
  });

  it('of ten thousand notices shows the first of them', async () => {
    run.task(run.group(POOL), { start: 0, end: 1000 });
    run.state = { ...run.state, notices: Array.from({ length: 10_000 }, (_, i) => ({ severity: 'info' as const, code: `n${i}`, text: `note ${i}` })) };
    await lanes.show(...run.frames());
    expect(await lanes.page.locator('.notice').count()).toBe(1000);
  });
});
