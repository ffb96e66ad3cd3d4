/** How tasks and groups of every kind and state look. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { launchBrowser, skipWithoutBrowser } from './browser';
import { asRails, POOL, uniformDurations } from './experiment';
import { LanesPage } from './harness';
import { ignored, ScriptedRun } from './scripted-run';

const { fulfilled, rejected } = TaskState;

/** One rejects, the others run on and are ignored, one never settles; beside it a pool with failures, a race, a loop. */
function everyState(): ScriptedRun {
  const run = new ScriptedRun();
  const all = run.group({ kind: 'all', failed: true });
  const tasks: [number, TaskState][] = [[400, fulfilled], [900, rejected], [1300, ignored(fulfilled) as TaskState], [2100, ignored(fulfilled) as TaskState], [NaN, TaskState.pending], [1800, ignored(rejected) as TaskState]];
  tasks.forEach(([end, state], i) => run.task(all, { ordinal: i + 1, lane: i + 1, start: 0, end, state }));
  const pool = run.group(POOL);
  asRails(uniformDurations(20, 3).map((ms) => ms / 2), 4, 200).forEach((task, i) => run.task(pool, { ...task, queued: i > 3 ? 200 : NaN, state: i % 7 === 3 ? rejected : fulfilled }));
  const race = run.group({ kind: 'race', combinator: 'race' });
  [300, 900, 1400].forEach((ms, i) => run.task(race, { ordinal: i + 1, lane: i + 1, start: 4000, end: 4000 + ms, state: i > 0 ? ignored(fulfilled) as TaskState : fulfilled }));
  const loop = run.group({ kind: 'sequential', combinator: undefined });
  [0, 300, 800].forEach((start, i) => run.task(loop, { ordinal: i + 1, start: 4000 + start, end: 4250 + start }));
  run.now = 6000;
  return run.finish();
}

describe.skipIf(skipWithoutBrowser())('states and kinds', () => {
  let browser: Browser;
  let lanes: LanesPage;
  beforeAll(async () => {
    browser = await launchBrowser();
    lanes = await LanesPage.open(browser, { viewport: { width: 1100, height: 1000 } });
    await lanes.show(...everyState().frames());
    await lanes.picture('states');
  });
  afterAll(async () => { await browser.close(); });

  /** All colours along a bar of the first group, a quarter of the row above its middle. */
  async function shades(lane: number, from: number, to: number): Promise<Set<string>> {
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    const seen = new Set<string>();
    for (let x = from; x < to; x += 2) for (const dy of [-5, -2, 1, 5]) seen.add(await lanes.pixel(1, x, 27 + (6 - lane + 0.5) * height + dy));
    return seen;
  }

  it('a fulfilled bar is solid', async () => { expect(await shades(1, 50, 70)).toEqual(new Set([await lanes.color('fulfilled')])); });

  it('a rejected bar is striped', async () => {
    const seen = await shades(2, 50, 90);
    expect(seen).toContain(await lanes.color('rejected'));
    expect(seen).toContain(await lanes.color('rejected-line'));
  });

  it('an ignored bar is hollow and dotted', async () => {
    const seen = await shades(3, 50, 90);
    expect(seen).toContain(await lanes.color('ignored'));
    expect(seen).toContain(await lanes.color('ignored-line'));
  });

  it('a pending bar is light and ends in a point', async () => {
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    const fill = await lanes.color('pending');
    const frame = await lanes.box(lanes.group(1).locator('.frame rect'));
    const end = frame.x + frame.width;
    const middle = 27 + 1.5 * height;
    expect(await lanes.pixel(1, 60, middle - 6)).toBe(fill);
    expect(await lanes.pixel(1, end - 4, middle)).toBe(fill);
    expect(await lanes.pixel(1, end - 4, middle - height / 2 + 4)).not.toBe(fill);
  });

  it('failed and pending tasks are counted where there are any', async () => {
    expect(await lanes.group(1).locator('.figure-rejected dd').innerText()).toBe('2');
    expect(await lanes.group(1).locator('.figure-pending dd').innerText()).toBe('1');
    expect(await lanes.group(3).locator('.figure-rejected').isVisible()).toBe(false);
  });

  it('each kind of group says in words what it is', async () => {
    expect(await lanes.page.locator('.group h2').allTextContents()).toEqual(['Promise.all', 'Promise pool', 'Promise.race', 'One after another']);
    expect(await lanes.group(2).locator('.library').innerText()).toBe('@supercharge/promise-pool');
    expect(await lanes.group(2).locator('.frame .title').textContent()).toBe('4 rails');
  });

  it('the winner of a race is marked', async () => {
    const [winner] = await lanes.group(3).locator('.winner').evaluateAll((all) => all.map((mark) => mark.getAttribute('x')));
    expect(Number(winner)).toBeGreaterThan(44);
  });

  it('the legend names the looks that occur', async () => {
    expect(await lanes.page.locator('.legend li').allTextContents()).toEqual(['fulfilled', 'rejected', 'pending', 'ignored', 'idle', 'longest', 'winner']);
  });

  it('groups that do not make a pair stand by the wall clock', async () => {
    const start = async (group: number): Promise<number> => (await lanes.box(lanes.group(group).locator('.frame rect'))).x;
    expect(await start(1)).toBeLessThan(await start(2));
    expect(await start(2)).toBeLessThan(await start(3));
    expect(await lanes.page.locator('.axis-title').textContent()).toBe('time since the run began');
  });
});
