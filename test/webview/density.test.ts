/** Many tasks: drawn as density, as bars once zoomed in, as numbered bars further in; nothing that matters is lost on the way. */
import { beforeAll, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { POOL } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

const LANES = 20;
const EACH = 12_000;
/** Milliseconds. */
const LENGTH = 4;
const FAILED = { lane: 7, index: 5000 };

describe.skipIf(skipWithoutBrowser())('240,000 tasks', () => {
  const pages = usePages();
  let lanes: LanesPage;

  beforeAll(async () => {
    lanes = await pages.open();
    const run = new ScriptedRun();
    const group = run.group(POOL);
    for (let index = 0; index < EACH; index++) {
      for (let lane = 1; lane <= LANES; lane++) {
        const start = index * LENGTH;
        // Lane 3 works a quarter of its time; lane 5 rests in the second half.
        if (lane === 5 && index >= EACH / 2) continue;
        const failed = lane === FAILED.lane && index === FAILED.index;
        run.task(group, { ordinal: index * LANES + lane, lane, start, end: start + (lane === 3 ? 1 : LENGTH), state: failed ? TaskState.rejected : TaskState.fulfilled });
      }
    }
    run.task(group, { ordinal: EACH * LANES + 1, lane: 5, start: EACH * LENGTH * 0.9 });
    run.now = EACH * LENGTH;
    await lanes.show(...run.finish().frames());
    await lanes.picture('density');
  });

  const view = (): ReturnType<LanesPage['group']> => lanes.group(1);
  async function middleOf(lane: number): Promise<number> {
    const height = Number(await view().getAttribute('data-row-height'));
    return 27 + (LANES - lane) * height + height / 2;
  }
  const range = async (): Promise<{ x: number; width: number }> => { const { x, width } = await lanes.box(view().locator('.frame rect')); return { x, width }; };
  const at = async (share: number): Promise<number> => { const { x, width } = await range(); return x + width * share; };

  it('are drawn as density, fully busy lanes in full colour', async () => {
    expect(await view().getAttribute('data-detail')).toBe('density');
    expect(await lanes.pixel(1, await at(0.3), await middleOf(10))).toBe(await lanes.color('fulfilled'));
  });

  it('show a quarter of the time busy as a fainter shade', async () => {
    const alpha = async (lane: number): Promise<number> => {
      const x = await at(0.3);
      const y = await middleOf(lane);
      return lanes.page.evaluate(([px, py]) => (globalThis as unknown as { host: { pixel(group: number, x: number, y: number): number[] } }).host.pixel(1, px, py)[3], [x, y] as const);
    };
    expect(await alpha(3)).toBeGreaterThan(60);
    expect(await alpha(3)).toBeLessThan(140);
    expect(await alpha(10)).toBe(255);
  });

  it('still show the one that failed', async () => {
    const x = await at(FAILED.index / EACH);
    const y = await middleOf(FAILED.lane);
    const near = await Promise.all([-2, -1, 0, 1, 2].map((step) => lanes.pixel(1, x + step, y)));
    expect(near).toContain(await lanes.color('rejected'));
    expect(await lanes.pixel(1, x + 8, y)).toBe(await lanes.color('fulfilled'));
  });

  it('leave idle time hatched, and a task that never settled lasts to the end', async () => {
    const y = await middleOf(5);
    const from = await at(0.6);
    const seen = new Set(await Promise.all(Array.from({ length: 16 }, (_, i) => lanes.pixel(1, from + i, y))));
    expect(seen.has('')).toBe(true);
    expect(seen.size).toBe(2);
    expect(await lanes.pixel(1, await at(0.95), y)).toBe(await lanes.color('unsettled'));
  });

  it('turn into bars, and are found one by one, when zoomed in', async () => {
    await view().locator('.plot').focus();
    for (let i = 0; i < 17; i++) await lanes.page.keyboard.press('+');
    await lanes.settled();
    expect(await view().getAttribute('data-detail')).toBe('bars');
    await view().locator('.plot').hover({ position: { x: 560, y: await middleOf(10) } });
    expect(await lanes.page.locator('.tooltip').innerText()).toMatch(/^Task \d+/);
    await lanes.picture('density-near');
  });

  it('breaks no rule of the page’s security policy', () => { expect(lanes.complaints).toEqual([]); });
});
