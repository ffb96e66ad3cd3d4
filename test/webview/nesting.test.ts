/** Groups that ran inside a task; the outline of all groups; the card of a task; from a task to its source and back. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Delta } from '../../src/model/protocol';
import { skipWithoutBrowser } from './browser';
import { asRails, FIGURE, place, POOL } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun, SITE, TASK_SITE } from './scripted-run';
import { usePages } from './use-pages';

/** A pool of five rails; task 2 ran a Promise.all of three, of which the second ran a race. */
function nested(): ScriptedRun {
  const run = new ScriptedRun();
  place(run, asRails(FIGURE, 5, 1000), POOL);
  const inner = run.group({ kind: 'all', parentTask: 2, site: { ...SITE, line: 30, function: 'fetchUser' }, taskSite: { ...TASK_SITE, line: 40, function: 'page' } });
  const tasks = [1, 2, 3].map((lane) => run.task(inner, { ordinal: lane, lane, start: 1500, end: 1500 + 800 * lane }));
  const race = run.group({ kind: 'race', combinator: 'race', parentTask: tasks[1] });
  for (const lane of [1, 2]) run.task(race, { ordinal: lane, lane, start: 1600, end: 1600 + 300 * lane });
  return run.finish();
}

describe.skipIf(skipWithoutBrowser())('groups inside tasks', () => {
  const pages = usePages();
  let lanes: LanesPage;
  beforeEach(async () => {
    lanes = await pages.open();
    await lanes.show(...nested().frames());
  });

  const titles = async (): Promise<string[]> => { await lanes.settled(); return lanes.page.locator('.group h2').allTextContents(); };
  const press = async (...keys: string[]): Promise<void> => { for (const key of keys) await lanes.page.keyboard.press(key); };

  it('open in place, below the task they ran in and on its time, and stay open', async () => {
    expect(await titles()).toEqual(['Promise pool']);
    await lanes.group(1).locator('.plot').focus();
    await press('ArrowRight', 'ArrowUp', 'o');
    expect(await titles()).toEqual(['Promise pool', 'Promise.all']);
    expect(await lanes.group(2).getAttribute('data-depth')).toBe('1');
    // It starts half a second after the pool, and stands there.
    const [outer, inner] = [await lanes.box(lanes.group(1).locator('.frame rect')), await lanes.box(lanes.group(2).locator('.frame rect'))];
    const second = (outer.width + 2) / 14.3;
    expect(inner.x - outer.x).toBeCloseTo(second / 2, 0);
    await lanes.picture('nested');
    await lanes.page.reload();
    await lanes.show(...nested().frames());
    expect(await titles()).toEqual(['Promise pool', 'Promise.all']);
    await lanes.group(2).getByText('inside its tasks 1 more: open').click();
    expect(await titles()).toEqual(['Promise pool', 'Promise.all', 'Promise.race']);
    await lanes.group(1).getByText('inside its tasks 1 more: close').click();
    expect(await titles()).toEqual(['Promise pool']);
  });

  it('stand in the outline with their numbers, fold, and come into sight when chosen', async () => {
    await press('g');
    const rows = lanes.page.locator('.outline-row');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().innerText()).toMatch(/Promise pool[\s\S]*main · lookup.mjs:20[\s\S]*14\.3 s · 10 tasks · 69 %/u);
    await rows.first().focus();
    await press('ArrowRight', 'ArrowDown', 'ArrowRight');
    expect(await rows.evaluateAll((all) => all.map((row) => `${row.getAttribute('aria-level')} ${row.getAttribute('aria-expanded')}`))).toEqual(['1 true', '2 true', '3 null']);
    await lanes.picture('outline');
    await press('ArrowDown', 'Enter');
    expect(await titles()).toEqual(['Promise pool', 'Promise.all', 'Promise.race']);
    await expect.poll(() => lanes.group(3).locator('.plot').evaluate((plot) => plot === plot.ownerDocument.activeElement)).toBe(true);
    await press('g');
    await expect.poll(() => lanes.page.locator('.outline').isVisible()).toBe(false);
  });

  it('are found by a search that finds nothing elsewhere', async () => {
    await press('/');
    await lanes.page.keyboard.type('at:lookup.mjs:40');
    await press('Enter');
    expect(await titles()).toEqual(['Promise pool', 'Promise.all']);
    expect(await lanes.page.locator('.spoken').textContent()).toBe('lane 1, task 1, fulfilled, 800 ms');
  });

  it('a click pins a task’s card, which offers what the task ran and its source; Escape puts it away', async () => {
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    await lanes.group(1).locator('.plot').click({ position: { x: 100, y: 27 + 3.5 * height } });
    const card = lanes.page.locator('.pinned');
    expect(await card.innerText()).toContain('Task 2');
    await lanes.page.mouse.move(400, 27 + 300);
    expect(await card.isVisible()).toBe(true);
    await lanes.picture('pinned');
    await card.getByText('Go to source').click();
    await card.getByText('Open Promise.all, 3 tasks').click();
    expect(await titles()).toEqual(['Promise pool', 'Promise.all']);
    expect((await lanes.sent()).at(-1)).toEqual({ type: 'openSource', group: 1, what: 'task' });
    await lanes.group(1).locator('.plot').click({ position: { x: 100, y: 27 + 3.5 * Number(await lanes.group(1).getAttribute('data-row-height')) } });
    await expect.poll(() => card.isVisible()).toBe(true);
    await press('Escape');
    expect(await card.isVisible()).toBe(false);
  });

  it('Enter and a double click go to the source of a task', async () => {
    const opened = async (): Promise<number> => (await lanes.sent()).filter(({ type }) => type === 'openSource').length;
    await lanes.group(1).locator('.plot').focus();
    await press('ArrowRight', 'Enter');
    await expect.poll(opened).toBe(1);
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    await lanes.group(1).locator('.plot').dblclick({ position: { x: 100, y: 27 + 3.5 * height } });
    await expect.poll(opened).toBe(2);
  });

  it('T lists the tasks as a table a screen reader can walk, of a search those that match', async () => {
    await lanes.group(1).locator('.plot').focus();
    await press('t');
    const rows = lanes.page.locator('.tasks-panel tbody tr');
    await expect.poll(() => rows.count()).toBe(10);
    expect(await lanes.page.locator('.tasks-panel th[scope="col"]').allTextContents()).toEqual(['task', 'rail', 'start', 'end', 'duration', 'outcome']);
    expect(await rows.nth(1).locator('th, td').allTextContents()).toEqual(['Task 2', '2', '0.00 ms', '4.00 s', '4.00 s', 'fulfilled']);
    await lanes.picture('table');
    await rows.nth(8).locator('button').click();
    expect(await lanes.page.locator('.spoken').textContent()).toBe('rail 5, task 9, fulfilled, 8.30 s');
    await press('/');
    await lanes.page.keyboard.type('lane:2');
    await expect.poll(() => rows.count()).toBe(3);
    await press('Escape', 't');
    expect(await lanes.page.locator('.tasks-panel').isVisible()).toBe(false);
  });

  it('a host shows the tasks of a line', async () => {
    const run = nested();
    await lanes.show(...run.frames());
    const change: Partial<Delta> = { place: { file: SITE.file, line: 30 } };
    await lanes.show(run.delta(change));
    expect(await lanes.page.locator('.search-count').innerText()).toBe('3 of 15 tasks');
    expect(await lanes.page.locator('.spoken').textContent()).toBe('lane 1, task 1, fulfilled, 800 ms');
    expect(await titles()).toEqual(['Promise pool', 'Promise.all']);
  });
});
