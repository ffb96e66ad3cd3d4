/** Measuring: an area by pointer and by keyboard, its table, marks. */
import { beforeEach, describe, expect, it } from 'vitest';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

describe.skipIf(skipWithoutBrowser())('measuring', () => {
  const pages = usePages();
  let lanes: LanesPage;
  beforeEach(async () => {
    lanes = await pages.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    place(run, asRails(FIGURE, 5, 20_000), POOL);
    await lanes.show(...run.finish().frames());
  });

  const cells = (): Promise<string[][]> => lanes.page.locator('.area tbody tr').evaluateAll((rows) => rows.map((row) => [...(row as unknown as { cells: Iterable<{ textContent: string }> }).cells].map((cell) => cell.textContent)));
  const lengths = (): Promise<(string | null)[]> => lanes.page.locator('.area-axis .length').evaluateAll((all) => all.map((each) => each.getAttribute('data-length')));
  /** Pixel of a second on the axis. */
  const x = (seconds: number): number => 44 + (seconds / (16.6 * 1.02)) * 1030;
  async function drag(group: number, from: [number, number], to: [number, number]): Promise<void> {
    const box = await lanes.group(group).locator('.plot').boundingBox();
    const height = Number(await lanes.group(group).getAttribute('data-row-height'));
    const at = ([seconds, lane]: [number, number]): [number, number] => [(box?.x ?? 0) + x(seconds), (box?.y ?? 0) + 27 + (5 - lane + 0.5) * height];
    await lanes.page.keyboard.down('Shift');
    await lanes.page.mouse.move(...at(from));
    await lanes.page.mouse.down();
    await lanes.page.mouse.move(...at([(from[0] + to[0]) / 2, to[1]]));
    await lanes.page.mouse.move(...at(to));
    await lanes.page.mouse.up();
    await lanes.page.keyboard.up('Shift');
    await lanes.settled();
  }

  it('draws an area with Shift and the pointer, its edges at the ends of bars, and tells its figures lane by lane', async () => {
    await drag(1, [8.25, 3], [2.03, 1]);
    expect(await lanes.page.locator('.area:not(.tasks-panel) .area-title').innerText()).toBe('6.30 s from 2.00 s to 8.30 s · Promise.all in chunks, 3 × slot');
    expect(await cells()).toEqual([
      ['all', '2', '12.3 s', '4.00 s', '6.15 s', '8.09 s', '8.30 s', '8.30 s', '10.6 s', '0.317'],
      ['1', '1', '8.30 s', '8.30 s', '8.30 s', '8.30 s', '8.30 s', '6.30 s', '0.00 ms', '0.159'],
      ['2', '1', '4.00 s', '4.00 s', '4.00 s', '4.00 s', '4.00 s', '2.00 s', '4.30 s', '0.159'],
      ['3', '0', '–', '–', '–', '–', '–', '0.00 ms', '6.30 s', '0'],
    ].map(([lane, ...rest]) => [lane, ...rest]).sort((a, b) => (a[0] === 'all' ? -1 : b[0] === 'all' ? 1 : Number(a[0]) - Number(b[0]))));
    await lanes.picture('area');
  });

  it('sorts its table by any column and copies it as CSV', async () => {
    await drag(1, [0.05, 1], [8.25, 5]);
    const order = async (): Promise<string> => (await cells()).map(([lane]) => lane).join(' ');
    expect(await order()).toBe('all 1 2 3 4 5');
    await lanes.page.getByRole('button', { name: 'longest' }).click();
    expect(await order()).toBe('all 1 5 4 2 3');
    await lanes.page.getByRole('button', { name: 'longest' }).click();
    expect(await order()).toBe('all 3 2 4 5 1');
    expect(await lanes.page.locator('.area [aria-sort="ascending"]').innerText()).toContain('longest');
    await lanes.page.locator('.area-actions vscode-button').first().click();
    await expect.poll(() => lanes.page.locator('.area-actions vscode-button').first().innerText()).toBe('Copied');
    const copied = await lanes.page.evaluate('navigator.clipboard.readText()') as string;
    expect(copied.trim().split(/\r?\n/)).toHaveLength(7);
    expect(copied.split(/\r?\n/)[2]).toBe('3,1,2000,2000,2000,2000,2000,2000,6300,0.120482');
    await lanes.page.getByRole('button', { name: 'Close (Esc)' }).click();
    await lanes.page.locator('.area:not(.tasks-panel)').waitFor({ state: 'hidden' });
  });

  it('measures by keyboard: a task, up to another, and with each edge from bar to bar', async () => {
    await lanes.group(2).locator('.plot').focus();
    const press = async (...keys: string[]): Promise<(string | null)[]> => { for (const key of keys) await lanes.page.keyboard.press(key); await lanes.settled(); return lengths(); };
    expect(await press('ArrowRight', 'ArrowUp', 'Space')).toEqual(['4.00 s']); // task 2
    expect(await press('BracketRight', 'Shift+Space')).toEqual(['6.00 s']); // up to task 7
    expect((await cells()).map((row) => row.slice(0, 2))).toEqual([['all', '2'], ['2', '2']]);
    const edge = lanes.page.locator('.area-edge[data-edge="end"]');
    await edge.focus();
    expect(await press('ArrowRight')).toEqual(['12.0 s']); // the end of task 10
    expect(await press('ArrowLeft', 'ArrowLeft')).toEqual(['4.00 s']);
    expect(await edge.getAttribute('aria-valuetext')).toBe('24.0 s');
    await lanes.group(2).locator('.plot').focus();
    await press('Escape', 'Escape');
    expect(await lengths()).toEqual([]);
    expect(await lanes.page.locator('.area:not(.tasks-panel)').isVisible()).toBe(false);
  });

  it('keeps what is measured as a mark through all diagrams, and drops it again', async () => {
    await drag(2, [12.05, 2], [14.25, 2]);
    expect(await lengths()).toEqual(['2.30 s']); // from the end of task 10 to the end of the pool
    await lanes.page.keyboard.press('m');
    await lanes.page.keyboard.press('Escape');
    await lanes.page.keyboard.press('Escape');
    await lanes.settled();
    expect(await lengths()).toEqual(['2.30 s']);
    expect(await lanes.page.locator('.mark-lines path').count()).toBe(2);
    await lanes.picture('mark');
    await lanes.group(1).locator('.plot').focus();
    await lanes.page.keyboard.press('ArrowRight');
    await lanes.page.keyboard.press('m');
    await lanes.settled();
    expect(await lengths()).toEqual(['2.30 s', '8.30 s']);
    await lanes.page.keyboard.press('m');
    await lanes.settled();
    expect(await lengths()).toEqual(['2.30 s']);
    await lanes.page.keyboard.press('Shift+M');
    await lanes.settled();
    expect(await lengths()).toEqual([]);
  });

  it('moves an edge by pointer, and stays with its bars when the view is zoomed', async () => {
    await drag(1, [0.05, 1], [8.25, 2]);
    const edge = await lanes.page.locator('.area-edge[data-edge="end"]').boundingBox();
    await lanes.page.mouse.move((edge?.x ?? 0) + 4, (edge?.y ?? 0) + 10);
    await lanes.page.mouse.down();
    await lanes.page.mouse.move(x(5), (edge?.y ?? 0) + 10);
    await lanes.page.mouse.move(x(4.02), (edge?.y ?? 0) + 10);
    await lanes.page.mouse.up();
    await lanes.settled();
    expect(await lengths()).toEqual(['4.00 s']);
    const before = await lanes.box(lanes.page.locator('.area-box'));
    await lanes.group(1).locator('.plot').focus();
    await lanes.page.keyboard.press('+');
    await lanes.settled();
    expect((await lanes.box(lanes.page.locator('.area-box'))).width).not.toBeCloseTo(before.width, 0);
    expect(await lengths()).toEqual(['4.00 s']);
  });
});
