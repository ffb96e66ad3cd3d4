/** A run that is going on: what grows, what comes in, what is said at its end. */
import { beforeEach, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, uniformDurations } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

describe.skipIf(skipWithoutBrowser())('a live run', () => {
  const pages = usePages();
  let lanes: LanesPage;
  let run: ScriptedRun;
  beforeEach(async () => {
    run = new ScriptedRun();
    lanes = await pages.open({ viewport: { width: 1200, height: 900 } });
  });

  it('grows a pending task by itself, between two messages of its host', async () => {
    const group = run.group({ kind: 'all' });
    run.task(group, { start: 0 });
    run.now = 3000;
    await lanes.send(...run.frames());
    const frame = lanes.group(group).locator('.frame rect');
    const width = async (): Promise<number> => Number(await frame.getAttribute('width'));
    await frame.waitFor({ state: 'attached' });
    const before = await width();
    await expect.poll(width).toBeGreaterThan(before + 5);
    await lanes.picture('live-pending');
  });

  it('draws tasks as they come in, and acknowledges each delta', async () => {
    const group = run.group({ kind: 'pool' });
    run.task(group, { ordinal: 1, lane: 1, start: 0, end: 1000 });
    run.now = 1000;
    await lanes.send(run.hello(), run.delta());
    await expect.poll(() => lanes.group(group).locator('.figure-tasks dd').innerText()).toBe('1');
    run.task(group, { ordinal: 2, lane: 2, start: 500, end: 1500 });
    run.now = 1500;
    await lanes.send(run.delta());
    await expect.poll(() => lanes.group(group).locator('.figure-tasks dd').innerText()).toBe('2');
    expect(await lanes.group(group).locator('.frame .title').textContent()).toBe('2 rails');
    expect(await lanes.sent()).toEqual([{ type: 'ready' }, { type: 'ack', seq: 1 }, { type: 'ack', seq: 2 }]);
  });

  it('outlines the longest bar of a chunk only once the chunk has ended', async () => {
    const group = run.group();
    const long = run.task(group, { ordinal: 1, lane: 1, chunk: 1, start: 0 });
    run.task(group, { ordinal: 2, lane: 2, chunk: 1, start: 0, end: 800 });
    run.now = 1000;
    await lanes.send(...run.frames());
    await lanes.group(group).locator('.frame').waitFor({ state: 'attached' });
    expect(await lanes.group(group).locator('.longest').count()).toBe(0);
    run.now = 2000;
    run.timeline.updateTask(long, { group, ordinal: 1, lane: 1, chunk: 1, queued: NaN, start: 0, end: 1900, state: TaskState.fulfilled });
    await lanes.send(run.delta());
    await expect.poll(() => lanes.group(group).locator('.longest').getAttribute('data-task')).toBe(String(long));
  });

  it('runs the second of a compared pair against the end of the first, then brackets what it saved', async () => {
    place(run, asChunks(FIGURE, 5), {});
    const pool = run.group(POOL);
    const rails = asRails(FIGURE, 5, 16_700);
    run.now = 16_700 + 7000;
    const ids = rails.filter((task) => task.start < run.now).map((task) => run.task(pool, { ...task, end: task.end <= run.now ? task.end : NaN }));
    await lanes.send(...run.frames());
    await expect.poll(() => lanes.group(pool).locator('.guide text').textContent()).toBe('16.6 s');
    expect(await lanes.group(pool).locator('.saving').count()).toBe(0);
    await lanes.picture('live-compared');
    run.now = 31_000;
    rails.forEach((task, i) => {
      if (ids[i]) run.timeline.updateTask(ids[i], { group: pool, queued: NaN, ...task, state: TaskState.fulfilled });
      else run.task(pool, task);
    });
    await lanes.show(run.finish().delta());
    expect(await lanes.group(pool).locator('.saving').getAttribute('data-text')).toBe('2.30 s less, −14 %');
    expect(await lanes.group(pool).locator('.guide').count()).toBe(0);
  });

  it('shows the document’s experiment: 1,000 tasks as 20 chunks of 50 and on 50 rails', async () => {
    const durations = uniformDurations(1000);
    place(run, asChunks(durations, 50), {});
    place(run, asRails(durations, 50, 40_000), POOL);
    await lanes.show(...run.finish().frames());
    const seconds = async (group: number): Promise<number> => parseFloat(await lanes.group(group).locator('.figure-elapsed dd').innerText());
    const [chunks, rails] = [await seconds(1), await seconds(2)];
    const saving = await lanes.group(2).locator('.saving').getAttribute('data-text');
    expect(saving).toMatch(/^1\d\.\d s less, −3\d %$/);
    expect(parseFloat(saving ?? '')).toBeCloseTo(chunks - rails, 0);
    expect(await lanes.group(1).locator('.frame').count()).toBe(20);
    expect(await lanes.group(1).locator('.longest').count()).toBe(20);
    expect(await lanes.page.locator('.callout').count()).toBe(1);
    // Both stand in the panel at once, without scrolling.
    expect(await lanes.page.locator('.scroller').evaluate((scroller) => scroller.scrollHeight <= scroller.clientHeight)).toBe(true);
    await lanes.picture('experiment');
  });

  it('says how the run stands, in words', async () => {
    const words = (): Promise<string> => lanes.page.locator('.run-state').innerText();
    await lanes.show(run.hello(), run.delta({ state: { ...run.state, phase: 'starting' } }));
    expect(await words()).toBe('starting…');
    run.now = 1234;
    await lanes.send(run.delta());
    await expect.poll(words).toMatch(/^running…\s*1\.\d\d s$/);
    const endings = [
      [{ phase: 'finished', exitCode: 3 }, 'finished with exit code 3'], [{ phase: 'crashed', exitCode: 1 }, 'crashed with exit code 1'],
      [{ phase: 'killed', signal: 'SIGKILL' }, 'killed by SIGKILL'], [{ phase: 'stopped' }, 'stopped'],
    ] as const;
    for (const [ending, said] of endings) {
      await lanes.show(run.delta({ state: { ...run.state, elapsedMs: 2000, ...ending } }));
      expect(await words()).toMatch(new RegExp(`^${said}\\s*2\\.00 s$`));
    }
  });

  it('says what it waits for while there is nothing to draw', async () => {
    const sentence = lanes.page.locator('.empty-sentence');
    expect(await sentence.innerText()).toBe('Waiting for the run…');
    await lanes.show(run.hello(), run.delta({ state: { ...run.state, phase: 'starting' } }));
    expect(await sentence.innerText()).toBe('Starting lookup.mjs…');
    await lanes.send(run.delta());
    await expect.poll(() => sentence.innerText()).toContain('No concurrent promises seen yet');
    await lanes.show(run.finish().delta());
    expect(await sentence.innerText()).toBe('No concurrency was found in this run.');
    expect(await lanes.page.locator('.empty li').count()).toBe(4);
    expect(await lanes.page.locator('.axis').isVisible()).toBe(false);
    await lanes.picture('empty');
  });
});
