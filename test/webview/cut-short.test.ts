/** Tasks that were called off or took too long: told from what failed of itself by shape and pattern, wherever bars are drawn. */
import { describe, expect, it } from 'vitest';
import { ABORTED, TaskState, TIMED_OUT } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { POOL } from './experiment';
import type { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

const STATES = [TaskState.fulfilled, TaskState.rejected, (TaskState.rejected | TIMED_OUT) as TaskState, (TaskState.rejected | ABORTED) as TaskState];
const END = 4000;

/** One task a lane, from the bottom: fulfilled, rejected, timed out, aborted. */
function run(): ScriptedRun {
  const scripted = new ScriptedRun();
  const group = scripted.group({ kind: 'all' });
  STATES.forEach((state, i) => scripted.task(group, { ordinal: i + 1, lane: i + 1, start: 0, end: END, state }));
  scripted.now = END;
  return scripted.finish();
}

describe.skipIf(skipWithoutBrowser())('what an error says', () => {
  const pages = usePages();

  it('stands in the card, the table and the CSV of the task, is searched, and is never markup', async () => {
    const lanes = await pages.open();
    const scripted = run();
    scripted.timeline.tellError(2, 'NoSeat: <b>seat 4</b> is taken');
    await lanes.show(...scripted.frames());
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    await lanes.group(1).locator('.plot').hover({ position: { x: 300, y: 27 + 2.5 * height } });
    expect((await lanes.page.locator('.tooltip').innerText()).split('\n').filter(Boolean).slice(-4)).toEqual(['outcome', 'rejected', 'error', 'NoSeat: <b>seat 4</b> is taken']);
    await lanes.picture('error-card');
    await lanes.group(1).locator('.plot').focus();
    await lanes.page.keyboard.press('t');
    expect(await lanes.page.locator('.tasks-panel tbody tr').nth(1).locator('td').last().innerText()).toBe('NoSeat: <b>seat 4</b> is taken');
    await lanes.picture('error-table');
    await lanes.page.keyboard.press('/');
    await lanes.page.keyboard.type('noseat');
    await lanes.settled();
    expect(await lanes.page.locator('.search-count').innerText()).toBe('1 of 4 tasks');
    expect(await lanes.page.locator('b').count()).toBe(0);
  });
});

describe.skipIf(skipWithoutBrowser())('tasks cut short', () => {
  const pages = usePages();
  /** Colour of a bar of the first group. @param part 0: its top edge; 1: its bottom edge @param fromEnd pixels left of the bar's end */
  async function at(lanes: LanesPage, lane: number, part: number, fromEnd: number): Promise<string> {
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    const bar = height - 4;
    const frame = await lanes.box(lanes.group(1).locator('.frame rect'));
    return lanes.pixel(1, Math.round(frame.x + frame.width - fromEnd), Math.round(27 + (STATES.length - lane) * height + 2 + part * (bar - 1)));
  }

  it.each(['light', 'dark', 'high contrast', 'high contrast light'] as const)('have an end and a pattern of their own (%s)', async (theme) => {
    const lanes = await pages.open({ theme });
    await lanes.show(...run().frames());
    await lanes.picture(`cut-short-${theme.replaceAll(' ', '-')}`);
    // The end of a bar that was called off is cut off aslant: there above, gone below.
    expect(await at(lanes, 4, 0.1, 5)).not.toBe('');
    expect(await at(lanes, 4, 0.9, 5)).toBe('');
    // One that timed out is notched: there above and below, gone between.
    expect(await at(lanes, 3, 0.1, 5)).not.toBe('');
    expect(await at(lanes, 3, 0.5, 5)).toBe('');
    expect(await at(lanes, 3, 0.9, 5)).not.toBe('');
    // What failed of itself ends straight.
    for (const part of [0.15, 0.5, 0.85]) expect(await at(lanes, 2, part, 5)).not.toBe('');
    for (const [lane, name] of [[3, 'timedOut'], [4, 'aborted']] as const) {
      const seen = new Set<string>();
      for (let x = 60; x < 67; x++) for (const part of [0.3, 0.4, 0.5, 0.6]) seen.add(await at(lanes, lane, part, x));
      expect(seen).toContain(await lanes.color(name));
      expect(seen).toContain(await lanes.color(`${name}-line`));
    }
  });

  it('are named by the legend, which finds them', async () => {
    const lanes = await pages.open();
    await lanes.show(...run().frames());
    expect((await lanes.page.locator('.legend li').allTextContents()).slice(0, 4)).toEqual(['fulfilled', 'rejected', 'timed out', 'aborted']);
    await lanes.page.locator('.sample-timedOut button').click();
    await lanes.settled();
    expect(await lanes.page.locator('.search-count').innerText()).toBe('1 of 4 tasks');
    expect(await lanes.page.locator('.search-field').inputValue()).toBe('status:timedout');
    await lanes.page.locator('.sample-aborted button').click();
    expect(await lanes.page.locator('.search-field').inputValue()).toBe('status:aborted');
  });

  it('are seen in their own colours among a hundred thousand', async () => {
    const lanes = await pages.open();
    const scripted = new ScriptedRun();
    const group = scripted.group(POOL);
    const count = 100_000;
    const rails = 4;
    const cut: Readonly<Record<number, TaskState>> = { 20_000: STATES[1], 50_001: STATES[2], 80_002: STATES[3] };
    for (let i = 0; i < count; i++) scripted.task(group, { ordinal: i + 1, lane: (i % rails) + 1, start: Math.floor(i / rails), end: Math.floor(i / rails) + 1, state: cut[i] ?? TaskState.fulfilled });
    scripted.now = count / rails;
    await lanes.show(...scripted.finish().frames());
    expect(await lanes.group(group).getAttribute('data-detail')).toBe('density');
    const height = Number(await lanes.group(group).getAttribute('data-row-height'));
    const frame = await lanes.box(lanes.group(group).locator('.frame rect'));
    for (const [i, color] of [[20_000, 'rejected'], [50_001, 'timedOut'], [80_002, 'aborted-line']] as const) {
      const x = frame.x + (Math.floor(i / rails) / (count / rails)) * frame.width;
      expect(await lanes.pixel(group, x, 27 + (rails - (i % rails) - 0.5) * height), color).toBe(await lanes.color(color));
    }
    await lanes.picture('cut-short-100000');
  });

  it('keep their shapes and patterns in an SVG', async () => {
    const lanes = await pages.open();
    await lanes.show(...run().frames());
    await lanes.page.getByLabel('Save or copy what is shown').first().click();
    await lanes.page.locator('.menu-item', { hasText: 'SVG' }).click();
    const file = async (): Promise<string> => {
      const last = (await lanes.sent()).at(-1);
      return last?.type === 'saveFile' ? lanes.page.evaluate(() => new TextDecoder().decode((globalThis as unknown as { host: { sent: { data: Uint8Array }[] } }).host.sent.at(-1)?.data)) : '';
    };
    await expect.poll(file).toContain('<svg');
    const svg = await file();
    for (const name of ['aborted', 'timedOut']) {
      expect(svg).toMatch(new RegExp(`<path class="bar ${name}"[^>]* d="M[^"]+Z"`));
      expect(svg).toContain(`class="${name}-hatching" fill="url(#${name})"`);
      expect(svg).toContain(`<pattern id="${name}"`);
    }
  });
});
