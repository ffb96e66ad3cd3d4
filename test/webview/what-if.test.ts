/** The same tasks under another plan: chunks shown as rails, rails as chunks, the longest first; marked as a prediction. */
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, uniformDurations } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

/** Milliseconds that the tasks before one take, one after another. */
const before = (i: number): number => FIGURE.slice(0, i).reduce((sum, ms) => sum + ms, 0);

describe.skipIf(skipWithoutBrowser())('what if', () => {
  const pages = usePages();
  let lanes: LanesPage;
  beforeEach(async () => { lanes = await pages.open(); });

  const view = (): Locator => lanes.group(1);
  const result = (): Promise<string> => view().locator('.what-if-words').innerText();
  async function show(kind: 'chunks' | 'pool'): Promise<void> {
    const run = new ScriptedRun();
    if (kind === 'chunks') place(run, asChunks(FIGURE, 5), {}); else place(run, asRails(FIGURE, 5), POOL);
    await lanes.show(...run.finish().frames());
    await view().locator('.what-if-toggle').click();
  }
  async function choose(plan: string): Promise<void> {
    await view().locator(`vscode-radio[value="${plan}"]`).click();
    await lanes.settled();
  }
  async function slideTo(value: number): Promise<void> {
    await view().locator('.slider').fill(String(value));
    await lanes.settled();
  }

  it('the document’s chunks had been rails: its own rail diagram, bracketed against what happened', async () => {
    await show('chunks');
    await choose('rails');
    await expect.poll(result).toContain('14.3 s instead of 16.6 s (2.30 s less, −14 %)');
    expect(await result()).toContain('idle 31 % instead of 41 %');
    expect(await result()).toMatch(/^Prediction/);
    expect(await view().getAttribute('data-predicted')).toBe('true');
    expect(await view().locator('.frame .title').allTextContents()).toEqual(['5 rails']);
    expect(await view().locator('.longest, .callout').count()).toBe(0);
    expect(await view().locator('.saving').getAttribute('data-text')).toBe('2.30 s less, −14 %');
    // Task 7 on rail 2, as drawn in the document.
    const axis = async (ms: number): Promise<number> => Number(/\((.+),/.exec(await lanes.page.locator(`.axis [data-time="${ms}"]`).getAttribute('transform') ?? '')?.[1]);
    const height = Number(await view().getAttribute('data-row-height'));
    const [from, to] = [await axis(4000), await axis(6000)];
    await view().locator('.plot').hover({ position: { x: (from + to) / 2, y: 27 + 3.5 * height } });
    expect((await lanes.page.locator('.tooltip').innerText()).split('\n').filter(Boolean)).toEqual(
      ['Task 7', 'rail', '2', 'start', '4.00 s', 'end', '6.00 s', 'duration', '2.00 s', 'outcome', 'fulfilled']);
    // The figures above stay those of the run.
    expect(await view().locator('.figure-elapsed dd').innerText()).toBe('16.6 s');
    await lanes.page.mouse.move(5, 5);
    await lanes.picture('what-if-rails');
  });

  it('a pool had been chunks: two frames, each as long as its longest task, and the time lost', async () => {
    await show('pool');
    await choose('chunks');
    await expect.poll(result).toContain('16.6 s instead of 14.3 s (2.30 s more, +16 %)');
    expect(await view().locator('.frame .title').allTextContents()).toEqual(['Chunk 1', 'Chunk 2']);
    expect(await view().locator('.longest').evaluateAll((all) => all.map((mark) => mark.getAttribute('data-task')))).toEqual(['1', '9']);
    expect(await view().locator('.saving').count()).toBe(0);
    expect(await view().locator('.guide text').textContent()).toBe('14.3 s');
    await lanes.picture('what-if-chunks');
  });

  it('the longest had gone first', async () => {
    await show('pool');
    await choose('longestFirst');
    await expect.poll(result).toContain('10.3 s instead of 14.3 s (4.00 s less, −28 %)');
    await lanes.picture('what-if-longest-first');
  });

  it('there had been more rails, or fewer, as the slider says', async () => {
    await show('chunks');
    await choose('rails');
    await slideTo(2);
    await expect.poll(result).toContain('24.7 s instead of 16.6 s');
    expect(await view().locator('.frame .title').allTextContents()).toEqual(['2 rails']);
    await slideTo(10);
    await expect.poll(result).toContain('8.30 s instead of 16.6 s (8.30 s less, −50 %)');
    expect(await view().locator('.slider-holder output').innerText()).toBe('10');
  });

  it('is taken back by choosing what happened', async () => {
    await show('chunks');
    const before = await view().locator('.frame rect').evaluateAll((all) => all.map((frame) => frame.outerHTML));
    await choose('rails');
    await expect.poll(() => view().locator('.frame').count()).toBe(1);
    await choose('happened');
    await expect.poll(() => view().locator('.frame').count()).toBe(2);
    expect(await view().locator('.frame rect').evaluateAll((all) => all.map((frame) => frame.outerHTML))).toEqual(before);
    expect(await view().getAttribute('data-predicted')).toBe('false');
    expect(await view().locator('.longest').count()).toBe(2);
  });

  it.each([
    ['one call of all its tasks', { kind: 'all' }, (i: number) => ({ lane: i + 1, start: 0, end: FIGURE[i] })],
    ['one after another', { kind: 'sequential', combinator: undefined }, (i: number) => ({ lane: 1, start: before(i), end: before(i) + FIGURE[i] })],
  ] as const)('%s had been rails, with as many as the document to begin with', async (_name, facts, at) => {
    const run = new ScriptedRun();
    const group = run.group(facts);
    FIGURE.forEach((_, i) => run.task(group, { ordinal: i + 1, ...at(i) }));
    run.now = before(FIGURE.length);
    await lanes.show(...run.finish().frames());
    await view().locator('.what-if-toggle').click();
    expect(await view().locator('.what-if-note').isVisible()).toBe(false);
    await choose('rails');
    await expect.poll(result).toMatch(/14.3 s instead of (8.30|49.3) s/);
    expect(await view().locator('.frame .title').allTextContents()).toEqual(['5 rails']);
    expect((await view().locator('.what-if-note').innerText()).includes('no task needs what the one before it gave')).toBe(facts.kind === 'sequential');
    await choose('chunks');
    await expect.poll(result).toContain('16.6 s');
    await choose('longestFirst');
    await expect.poll(result).toContain('10.3 s');
    await slideTo(2);
    await expect.poll(result).toContain('25.0 s');
  });

  it('is not asked of a group with a task still pending, nor of a race', async () => {
    const run = new ScriptedRun();
    const chunk = run.group();
    run.task(chunk, { start: 0, end: 5, lane: 1, chunk: 1 });
    run.task(chunk, { start: 0, lane: 2, chunk: 1 });
    const race = run.group({ kind: 'race', combinator: 'race' });
    for (const lane of [1, 2]) run.task(race, { start: 0, end: 5, lane });
    run.now = 10;
    await lanes.show(...run.finish().frames());
    expect(await lanes.page.locator('.what-if-toggle:visible').count()).toBe(0);
  });
});

describe.skipIf(skipWithoutBrowser())('bars on their way from one plan to another', () => {
  const pages = usePages();

  it.each([['few', 200, 10], ['many', 20_000, 50]])('move, %s of them, and then stand', async (name, count, size) => {
    const lanes = await pages.open({ reducedMotion: 'no-preference' });
    const run = new ScriptedRun();
    place(run, asChunks(uniformDurations(count), size), {});
    await lanes.show(...run.finish().frames());
    await lanes.group(1).locator('.what-if-toggle').click();
    const canvas = (): Promise<string> => lanes.group(1).locator('.plot canvas').evaluate((element) => (element as unknown as { toDataURL(): string }).toDataURL());
    const seen = new Set([await canvas()]);
    await lanes.group(1).locator('vscode-radio[value="rails"]').click();
    await expect.poll(async () => seen.add(await canvas()).size).toBeGreaterThan(2);
    await lanes.picture(`what-if-moving-${name}`);
    await expect.poll(() => lanes.group(1).locator('.saving').count()).toBe(1);
    await lanes.settled();
    const stands = await canvas();
    await lanes.page.waitForTimeout(100);
    expect(await canvas()).toBe(stands);
  });
});
