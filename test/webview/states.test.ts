/** How tasks and groups of every kind and state look. */
import { beforeAll, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asRails, POOL, uniformDurations } from './experiment';
import { LanesPage } from './harness';
import { ignored, ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

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
  const pages = usePages();
  let lanes: LanesPage;
  beforeAll(async () => {
    lanes = await pages.open({ viewport: { width: 1100, height: 1000 } });
    await lanes.show(...everyState().frames());
    await lanes.picture('states');
  });

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

  it.each([['goes on, and ends in a point', 'pending', false], ['never settled before the run ended, and ends torn off', 'unsettled', true]] as const)('a bar that %s, is light', async (_how, name, isOver) => {
    const other = await pages.open({ viewport: { width: 1100, height: 1000 } });
    const run = everyState();
    if (!isOver) run.state = { ...run.state, phase: 'running', exitCode: undefined };
    await other.send(...run.frames());
    await other.group(1).locator('.frame rect').waitFor();
    const height = Number(await other.group(1).getAttribute('data-row-height'));
    const fill = await other.color(name);
    const middle = 27 + 1.5 * height;
    await expect.poll(() => other.pixel(1, 60, middle - 6)).toBe(fill);
    if (isOver) {
      const frame = await other.box(other.group(1).locator('.frame rect'));
      const end = frame.x + frame.width;
      // Of a torn end two teeth stand out, and the gap between them is no deeper than a tooth.
      expect(await other.pixel(1, end - 3, middle - height / 4 + 1)).not.toBe(fill);
      expect(await other.pixel(1, end - 10, middle)).toBe(fill);
      expect(await other.page.locator('.legend').innerText()).toContain('never settled');
    } else expect(await other.page.locator('.legend .sample-pending').count()).toBe(1);
    await other.picture(`states-${name}`);
  });

  it('a task that waited with its lane free has a thin line before its bar', async () => {
    const other = await pages.open();
    const run = new ScriptedRun();
    const pool = run.group(POOL);
    run.task(pool, { ordinal: 1, lane: 1, start: 0, end: 1000 });
    run.task(pool, { ordinal: 2, lane: 1, queued: 500, start: 3000, end: 5000 });
    run.now = 5000;
    await other.show(...run.finish().frames());
    const middle = 27 + Number(await other.group(1).getAttribute('data-row-height')) / 2;
    const frame = await other.box(other.group(1).locator('.frame rect'));
    const x = 44 + (2000 / 5000) * frame.width;
    await expect.poll(() => other.pixel(1, x, middle)).toBe(await other.color('pending-line'));
    expect(await other.pixel(1, x, middle - 6)).not.toBe(await other.color('pending-line'));
    expect(await other.page.locator('.legend .sample-queued').count()).toBe(1);
    await other.picture('states-queued');
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
    expect(await lanes.page.locator('.legend li').allTextContents()).toEqual(['fulfilled', 'rejected', 'never settled', 'ignored', 'queued', 'idle', 'longest', 'winner']);
  });

  it('groups that do not make a pair stand by the wall clock', async () => {
    const start = async (group: number): Promise<number> => (await lanes.box(lanes.group(group).locator('.frame rect'))).x;
    expect(await start(1)).toBeLessThan(await start(2));
    expect(await start(2)).toBeLessThan(await start(3));
    expect(await lanes.page.locator('.axis-title').textContent()).toBe('time since the run began');
  });
});
