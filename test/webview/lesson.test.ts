/** The lesson of a demo beside its runs, and the ten tasks drawn by hand. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Demo, DemoRun, DemoTable } from '../../src/model/demos';
import { encodeFrame } from '../../src/model/frames';
import type { Lesson } from '../../src/model/protocol';
import { launchBrowser, skipWithoutBrowser } from './browser';
import { asChunks, place, uniformDurations } from './experiment';
import { LanesPage, type OpenOptions } from './harness';
import { ScriptedRun } from './scripted-run';

const DEMO: Demo = {
  name: 'chunk-vs-rail', about: 'The same sleeps, both ways',
  parameters: {
    tasks: { is: 'uniform', of: ['uniform', 'figure', 'similar', 'heavy'], about: 'how long tasks take' },
    count: { is: 1000, from: 1, to: 100_000, about: 'tasks in all' },
    size: { is: 50, from: 1, to: 1000, about: 'tasks in a chunk, and rails of the pool' },
    min: { is: 500, from: 0, to: 60_000, atMost: 'max', about: 'the shortest sleep, ms' },
    max: { is: 2000, from: 0, to: 60_000, about: 'the longest sleep, ms' },
    scale: { is: 0.1, from: 0.001, to: 10, step: 0.001, about: 'every time is multiplied by this' },
  },
};
const OWN = Object.fromEntries(Object.entries(DEMO.parameters).map(([name, { is }]) => [name, is]));
const run = (chunks: number, rails: number, values = {}): DemoRun => ({
  values: { ...OWN, ...values }, why: 'timers fire late.', tables: [],
  rows: [
    { figure: 'chunks', label: 'chunks of 50', unit: 's', measured: chunks, documented: 39.4, expected: 39.41 },
    { figure: 'rails', label: '50 rails', unit: 's', measured: rails, documented: 26.455, expected: 24.9, atLeast: true },
    { figure: 'less', label: 'less on rails, by', unit: '%', measured: (1 - rails / chunks) * 100, documented: 33 },
  ],
});
const lesson = (more: Partial<Lesson> = {}): ArrayBuffer =>
  encodeFrame({ type: 'lesson', locale: 'en', demo: DEMO, values: OWN, runs: [], isRunning: false, ...more });

describe.skipIf(skipWithoutBrowser())('a lesson', () => {
  let browser: Browser;
  let lanes: LanesPage;
  beforeAll(async () => { browser = await launchBrowser(); });
  afterAll(async () => { await browser.close(); });
  const open = async (options: OpenOptions = {}): Promise<void> => { lanes = await LanesPage.open(browser, { viewport: { width: 1400, height: 900 }, ...options }); };
  beforeEach(() => open());
  afterEach(async () => {
    expect(lanes.complaints).toEqual([]);
    await lanes.close();
  });
  const text = (): Promise<string> => lanes.page.locator('.lesson-text').innerText();
  const press = (name: string): Promise<void> => lanes.page.locator('vscode-button', { hasText: name }).first().click();
  const field = (name: string) => lanes.page.locator(`#parameter-${name}`);

  it('goes from step to step, and a step runs with its own values', async () => {
    await lanes.send(lesson());
    expect(await text()).toContain('pool of 50 connections');
    for (let i = 0; i < 2; i++) await press('Next');
    expect(await text()).toContain('16.6');
    expect(await field('tasks').inputValue()).toBe('figure');
    await press('Run with these values');
    expect((await lanes.sent()).at(-1)).toEqual({ type: 'runDemo', values: { ...OWN, tasks: 'figure', size: 5, scale: 0.2 } });
    await press('Back');
    expect(await text()).toContain('Draw it first');
    expect(await lanes.page.locator('.drawing').isVisible()).toBe(true);
  });

  it.each([['count', '0', 'It goes from 1 to 100000.'], ['count', 'many', 'A number from 1 to 100000.'], ['size', '2.5', 'A whole number from 1 to 1000.'],
    ['min', '-5', 'It goes from 0 to 60000.'], ['min', '3000', 'It cannot be more than max, which is 2000.'], ['count', '1000000000', 'It goes from 1 to 100000.'], ['scale', '', 'A number from 0.001 to 10.']])(
    'says at the field what is wrong with %s %j, and does not run', async (name, typed, sentence) => {
      await lanes.send(lesson());
      await field(name).fill(typed);
      expect(await lanes.page.locator(`#parameter-${name}-problem`).innerText()).toBe(sentence);
      expect(await field(name).getAttribute('aria-invalid')).toBe('true');
      await lanes.page.locator('.lesson-run').click();
      expect((await lanes.sent()).filter(({ type }) => type === 'runDemo')).toEqual([]);
    });

  it('turns a parameter by its slider, and tells what the time scale means', async () => {
    await lanes.send(lesson());
    const slider = lanes.page.locator('.parameter', { has: field('size') }).locator('.slider');
    await slider.focus();
    await lanes.page.keyboard.press('End');
    expect(await field('size').inputValue()).toBe('1000');
    await lanes.page.keyboard.press('Home');
    expect(await field('size').inputValue()).toBe('1');
    expect(await lanes.page.locator('.lesson-scale').innerText()).toBe('Time scale 0.1: a minute of the document takes 6.00 s here.');
  });

  it('builds a table of its runs, the document’s figures beside them', async () => {
    const group = new ScriptedRun();
    place(group, asChunks(uniformDurations(40), 10), {});
    await lanes.send(lesson({ runs: [run(39.51, 25.95), run(41.2, 26.1, { size: 40 })] }));
    await lanes.show(...group.finish().frames());
    const rows = await lanes.page.locator('.lesson-table tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\t|\n/).map((cell) => cell.trim()).filter((cell) => cell !== ''))).toEqual([
      ['figure', 'the document', 'theory', 'run 1', 'run 2'], ['chunks of 50 (s)', '39.40', '39.41', '39.51', '41.20'],
      ['50 rails (s)', '26.45', '≥ 24.90', '25.95', '26.10'], ['less on rails, by (%)', '33', '–', '34.32', '36.65'],
    ]);
    expect(await lanes.page.locator('.lesson-runs li').allInnerTexts()).toEqual(['Run 1 with the script’s own values', 'Run 2 with size 40']);
    expect(await lanes.page.locator('.lesson-why').innerText()).toContain('timers fire late');
    await lanes.picture('lesson');
  });

  it('tells the tables of the last run below its figures', async () => {
    const table = (cell: string): DemoTable => ({ table: 'stages', subject: 'Topic', title: 'stage by stage', columns: [{ column: 'stage', label: 'stage' }, { column: 'busy', label: 'works' }], rows: [['start', cell]] });
    await lanes.send(lesson({ demo: { ...DEMO, name: 'pipeline' }, runs: [{ ...run(1, 1), tables: [table('1 %')] }, { ...run(1, 1), tables: [table('2 %')] }] }));
    const told = lanes.page.locator('.lesson-told');
    await told.locator('summary').click();
    expect((await told.innerText()).split(/\s*[\t\n]\s*/)).toEqual(['Topic: stage by stage', 'stage', 'works', 'start', '2 %']);
  });

  it('is told in Korean', async () => {
    await lanes.send(lesson({ locale: 'ko', runs: [run(39.51, 25.95)] }));
    expect(await text()).toContain('커넥션 풀');
    expect(await lanes.page.locator('.lesson').innerText()).not.toMatch(/tasks in all|less on rails|timers fire/);
    await press('먼저 그려 보기');
    await lanes.picture('lesson-korean');
  });

  it('cannot be run twice at once', async () => {
    await lanes.send(lesson({ isRunning: true }));
    expect(await lanes.page.locator('.lesson-run').getAttribute('disabled')).not.toBeNull();
    await press('Stop');
    expect((await lanes.sent()).at(-1)).toEqual({ type: 'stop' });
  });

  it('of the thread pool predicts what its executor is going to do, whatever is turned', async () => {
    const number = (is: number, to = 1000) => ({ is, from: 0, to, about: '' });
    const parameters = {
      tasks: number(10), takes: number(1000, 60_000), core: { ...number(2), atMost: 'max' }, max: number(4), queue: number(2), keepAlive: number(500),
      rejection: { is: 'all', of: ['all', 'callerRuns', 'abort', 'discard', 'discardOldest'], about: '' },
    };
    await lanes.send(lesson({ demo: { name: 'thread-pool', about: '', parameters }, values: {} }));
    await press('Next');
    const words = lanes.page.locator('.drawing-result');
    // The caller is busy with 7 until 1.6 s; 8 and 9 find two threads that wait, 10 queues until 3 ends at 2.2 s, and takes 1.9 s.
    expect(await words.innerText()).toBe('callerRuns: 10 of 10 done in 4.10 s · the caller ran 7');
    await lanes.picture('lesson-executor');
    await field('rejection').selectOption('abort');
    expect(await words.innerText()).toMatch(/^abort: 6 of 10 done in .+ · rejected: 7 8 9 10$/);
    await field('queue').fill('10');
    expect(await words.innerText()).toMatch(/^abort: 10 of 10 done/);
    await field('core').fill('5');
    expect(await lanes.page.locator('#parameter-core-problem').innerText()).toBe('It cannot be more than max, which is 4.');
    expect(await words.innerText()).toMatch(/^abort: 10 of 10 done/);
  });

  describe('draw it first', () => {
    const titles = (): Promise<string[]> => lanes.page.locator('.drawing-title').allTextContents();
    const task = (picture: number, number: number) => lanes.page.locator('.drawing-picture').nth(picture).locator(`[data-task="${number - 1}"]`);
    beforeEach(async () => {
      await lanes.send(lesson());
      await press('Draw it first');
    });

    it('begins with the document’s ten tasks and their totals', async () => {
      expect(await titles()).toEqual(['As chunks: 16.6', 'On rails: 14.3']);
      expect(await lanes.page.locator('.drawing-result').innerText()).toBe('Rails take 2.3 less, −14 %');
      expect(await lanes.page.locator('.drawing-bar.longest').count()).toBe(2);
      await lanes.picture('lesson-drawing');
    });

    it('lays chunks and rails out anew while the end of a bar is dragged', async () => {
      const box = await task(0, 1).locator('.drawing-handle').boundingBox();
      if (!box) throw new Error('no handle');
      const unit = ((await lanes.page.locator('.drawing-picture').first().boundingBox())?.width ?? 0) / 18;
      await lanes.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await lanes.page.mouse.down();
      // Task 1 becomes as short as task 5, the longest of its chunk then.
      await lanes.page.mouse.move(box.x + box.width / 2 - 4 * unit, box.y + box.height / 2, { steps: 4 });
      await lanes.page.mouse.up();
      expect((await titles())[0]).toBe('As chunks: 14.3');
      await press('The document’s ten tasks');
      expect(await titles()).toEqual(['As chunks: 16.6', 'On rails: 14.3']);
    });

    it('is drawn by keys as well, keeps the focus on its bar, and says where that goes', async () => {
      expect(await task(0, 7).getAttribute('aria-valuetext')).toBe('2.0 long, in chunk 2, from 8.3 to 10.3');
      expect(await task(1, 7).getAttribute('aria-valuetext')).toBe('2.0 long, on rail 2, from 4.0 to 6.0');
      await task(1, 1).focus();
      for (let i = 0; i < 3; i++) await lanes.page.keyboard.press('ArrowRight');
      expect(await task(1, 1).getAttribute('aria-valuenow')).toBe('8.6');
      expect((await titles())[0]).toBe('As chunks: 16.9');
      await lanes.page.keyboard.press('ArrowDown');
      expect(await lanes.page.locator('.drawing-picture').first().locator('.drawing-frame').count()).toBe(3);
    });
  });
});
