/** D1's figure: ten tasks of given durations, as chunks of five and as five rails, drawn exactly. */
import { beforeAll, describe, expect, it } from 'vitest';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, type Placed } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

/** The document's own drawing: task → rail. */
const RAILS = [1, 2, 3, 4, 5, 3, 2, 4, 5, 2];
const LEFT = 44;
const SECOND = 1000;

describe.skipIf(skipWithoutBrowser())('the ten-task figure', () => {
  const pages = usePages();
  let lanes: LanesPage;
  const chunks = asChunks(FIGURE, 5);
  const rails = asRails(FIGURE, 5, 20 * SECOND);

  beforeAll(async () => {
    lanes = await pages.open();
    const run = new ScriptedRun();
    place(run, chunks, {});
    place(run, rails, POOL);
    await lanes.show(...run.finish().frames());
    await lanes.picture('figure');
  });

  /** Pixels of a moment, read off the axis itself. */
  async function scale(): Promise<(ms: number) => number> {
    const at = async (ms: number): Promise<number> => Number((await lanes.page.locator(`.axis [data-time="${ms}"]`).getAttribute('transform'))?.match(/\((.+),/)?.[1]);
    const [zero, ten] = [await at(0), await at(10 * SECOND)];
    return (ms) => zero + ((ten - zero) * ms) / (10 * SECOND);
  }

  async function expectBars(group: number, tasks: readonly Placed[], origin: number): Promise<void> {
    const x = await scale();
    const fill = await lanes.color('fulfilled');
    const height = Number(await lanes.group(group).getAttribute('data-row-height'));
    const middle = (lane: number): number => 27 + (5 - lane) * height + height / 2;
    for (const { lane, start, end } of tasks) {
      // A quarter of the row above the middle: beside the numeral, inside the bar.
      const y = middle(lane) - height / 4;
      expect(await lanes.pixel(group, x(start - origin) + 4, y), `start of the bar ${start}–${end}`).toBe(fill);
      expect(await lanes.pixel(group, x(end - origin) - 4, y), `end of the bar ${start}–${end}`).toBe(fill);
      if (tasks.some((other) => other.lane === lane && other.start === end)) continue;
      expect(await lanes.pixel(group, x(end - origin) + 3, y), `behind the bar ${start}–${end}`).not.toBe(fill);
    }
  }

  it('lays the tasks out as the document drew them', () => {
    expect(rails.map((task) => task.lane)).toEqual(RAILS);
    expect(Math.max(...chunks.map((task) => task.end))).toBeCloseTo(16.6 * SECOND);
    expect(Math.max(...rails.map((task) => task.end))).toBeCloseTo(34.3 * SECOND);
  });

  it('draws each bar of the chunks from its start to its end on its slot', () => expectBars(1, chunks, 0));
  it('draws each bar of the rails from its start to its end on its rail', () => expectBars(2, rails, 20 * SECOND));

  it('frames each chunk from its first start to its longest bar’s end', async () => {
    const x = await scale();
    const frames = lanes.group(1).locator('.frame');
    expect(await frames.locator('.title').allTextContents()).toEqual(['Chunk 1', 'Chunk 2']);
    const boxes = [await lanes.box(frames.nth(0).locator('rect')), await lanes.box(frames.nth(1).locator('rect'))];
    expect(boxes[0].x).toBeCloseTo(LEFT + 0.5, 0);
    expect(boxes[0].x + boxes[0].width).toBeCloseTo(x(8.3 * SECOND) - 1.5, 0);
    expect(boxes[1].x).toBeCloseTo(x(8.3 * SECOND) + 0.5, 0);
    expect(boxes[1].x + boxes[1].width).toBeCloseTo(x(16.6 * SECOND) - 1.5, 0);
  });

  it('outlines the longest bar of each chunk: tasks 1 and 9', async () => {
    const x = await scale();
    const marks = lanes.group(1).locator('.longest');
    expect(await marks.evaluateAll((all) => all.map((mark) => mark.getAttribute('data-task')))).toEqual(['1', '9']);
    const [first, second] = [await lanes.box(marks.nth(0)), await lanes.box(marks.nth(1))];
    expect(first.x).toBeCloseTo(LEFT, 0);
    expect(first.y).toBeGreaterThan(second.y); // row 1 is the lowest
    expect(second.x).toBeCloseTo(x(8.3 * SECOND), 0);
    expect(second.width).toBeCloseTo(x(8.3 * SECOND) - LEFT - 1, 0);
    expect(await lanes.group(2).locator('.longest').count()).toBe(0);
  });

  it('says once that the longest promise’s time is the chunk’s time', async () => {
    expect(await lanes.page.locator('.callout text').allTextContents()).toEqual(['the longest promise’s time is the chunk’s time']);
  });

  it('hatches the idle time behind a bar up to the end of its frame, and nothing else', async () => {
    const x = await scale();
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    const shades = async (group: number, from: number, to: number, y: number): Promise<Set<string>> => {
      const seen = new Set<string>();
      for (let px = x(from) + 4; px < x(to) - 4; px++) seen.add(await lanes.pixel(group, px, y));
      return seen;
    };
    // Task 3 ends at 2 s on slot 3; its chunk at 8.3 s.
    expect((await shades(1, 2 * SECOND, 3 * SECOND, 27 + 2.5 * height)).size).toBeGreaterThan(1);
    // Right of the rails' frame nothing stands.
    expect(await shades(2, 14.6 * SECOND, 15.6 * SECOND, 27 + 4.5 * height)).toEqual(new Set(['']));
  });

  it('brackets the time saved between the ends of the two', async () => {
    const x = await scale();
    const saving = lanes.group(2).locator('.saving');
    expect(await saving.getAttribute('data-text')).toBe('2.30 s less, −14 %');
    const box = await lanes.box(saving.locator('rect'));
    expect(box.x).toBeCloseTo(x(14.3 * SECOND), 0);
    expect(box.x + box.width).toBeCloseTo(x(16.6 * SECOND), 0);
    expect(await lanes.group(1).locator('.saving').count()).toBe(0);
  });

  it('writes the figures beside each diagram', async () => {
    const figures = async (group: number): Promise<string> => (await lanes.group(group).locator('.figure:visible').allInnerTexts()).join(' ').replace(/\s+/g, ' ');
    expect(await figures(1)).toBe('elapsed 16.6 s tasks 10 slots 5 chunks 2 busy 49.3 s idle 33.7 s utilization 59 %');
    expect(await figures(2)).toBe('elapsed 14.3 s tasks 10 rails 5 busy 49.3 s idle 22.2 s utilization 69 %');
  });

  it('breaks no rule of the page’s security policy', () => { expect(lanes.complaints).toEqual([]); });
});
