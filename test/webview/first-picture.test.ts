/** The picture comes first, what stands around it after: nothing jumps when that arrives, and no press of a key before it is lost. */
import { describe, expect, it } from 'vitest';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, uniformDurations } from './experiment';
import type { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

/** A page that never comes to rest: what stands around the picture comes only where somebody reaches for it. */
const RESTLESS = 'window.requestIdleCallback = () => 0; const wait = window.setTimeout; window.setTimeout = (then, ms, ...rest) => (ms === 500 ? 0 : wait(then, ms, ...rest));';

describe.skipIf(skipWithoutBrowser())('the first picture', () => {
  const pages = usePages();

  const frames = (): ArrayBuffer[] => {
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    place(run, asRails(uniformDurations(400), 50, 20_000), POOL);
    return run.finish().frames();
  };
  const draw = async (lanes: LanesPage, sent: readonly ArrayBuffer[]): Promise<void> => {
    await lanes.send(...sent);
    for (const group of [1, 2]) await lanes.group(group).and(lanes.page.locator('[data-detail]')).waitFor();
    await lanes.page.evaluate('new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))); })');
  };
  /** Where everything of the picture stands: left, top and height of plots, titles and axis. */
  const positions = (lanes: LanesPage): Promise<unknown> => lanes.page.evaluate(`[...document.querySelectorAll('.plot, .heading h2, .figures, .axis')].map((each) => {
    const { left, top, height } = each.getBoundingClientRect();
    return [each.className.baseVal ?? each.className, left, top, height];
  })`);
  const tools = (lanes: LanesPage): Promise<number> => lanes.page.locator('.tool-group').count();

  it('needs nothing that stands around it', async () => {
    const lanes = await pages.open({ before: RESTLESS });
    await draw(lanes, frames());
    expect(await tools(lanes)).toBe(0);
    expect(await lanes.group(1).locator('h2').innerText()).toContain('hunk');
    expect(await lanes.page.locator('.axis .ticks g').count()).toBeGreaterThan(2);
    await lanes.picture('first-picture');
  });

  it.each([1100, 300])('stands where it stood when the rest arrives, %d pixels wide', async (width) => {
    const lanes = await pages.open({ before: RESTLESS, viewport: { width, height: 720 } });
    const sent = frames();
    await draw(lanes, sent);
    await lanes.page.keyboard.press('Shift');
    await lanes.settled();
    // A narrow page has bars of several lines; how many, it knows from the second time on.
    await lanes.page.reload();
    await draw(lanes, sent);
    expect(await tools(lanes)).toBe(0);
    const before = await positions(lanes);
    await lanes.picture(`first-picture-${width}-before`);
    await lanes.page.keyboard.press('Shift');
    await lanes.settled();
    expect(await tools(lanes)).toBe(1);
    await lanes.picture(`first-picture-${width}-after`);
    expect(await positions(lanes)).toEqual(before);
  });

  it('stands where it stood when the rest arrives for the first time in a page of usual width', async () => {
    const lanes = await pages.open({ before: RESTLESS, viewport: { width: 1400, height: 900 } });
    await draw(lanes, frames());
    const before = await positions(lanes);
    await lanes.page.keyboard.press('Shift');
    await lanes.settled();
    expect(await positions(lanes)).toEqual(before);
  });

  it('loses no key, press or turn of the wheel that comes before the rest', async () => {
    const lanes = await pages.open({ before: RESTLESS });
    const { page } = lanes;
    const sent = frames();
    await draw(lanes, sent);
    expect(await tools(lanes)).toBe(0);
    await page.keyboard.type('/lane:1');
    expect(await page.locator('.search-field').inputValue()).toBe('lane:1');
    await lanes.settled();
    const again = async (): Promise<void> => {
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await draw(lanes, sent);
      expect(await tools(lanes)).toBe(0);
    };
    const range = (): Promise<string[]> => page.locator('.axis .ticks text').allInnerTexts();
    await again();
    const whole = await range();
    const box = await lanes.group(1).locator('.plot').boundingBox();
    if (!box) throw new Error('no plot');
    await page.mouse.move(box.x + 400, box.y + 60);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    await expect.poll(range).not.toEqual(whole);
    await again();
    await page.mouse.click(box.x + 120, box.y + 60);
    await page.locator('.pinned').waitFor();
  });

  it.each(['light', 'dark', 'high contrast'] as const)('is followed by controls in the colours of the theme: %s', async (theme) => {
    const lanes = await pages.open({ before: RESTLESS, theme });
    await draw(lanes, frames());
    await lanes.page.keyboard.press('Shift');
    await lanes.settled();
    const colors = (): Promise<string[]> => lanes.page.evaluate("['.tool-group vscode-button', '.tool-group vscode-radio', 'body'].map((name) => getComputedStyle(document.querySelector(name)).color)");
    const [button, radio, body] = await colors();
    expect([button, radio]).toEqual([body, body]);
    await lanes.dress(theme === 'light' ? 'dark' : 'light');
    const other = theme === 'light' ? 'rgb(204, 204, 204)' : 'rgb(59, 59, 59)';
    await expect.poll(colors).toEqual([other, other, other]);
  });

  it('shows what is searched for from the start', async () => {
    const lanes = await pages.open({ before: RESTLESS });
    const sent = frames();
    await draw(lanes, sent);
    await lanes.page.keyboard.type('/lane:1');
    await lanes.settled();
    const dimmed = await lanes.pixel(1, 130, 60);
    await lanes.page.reload();
    await draw(lanes, sent);
    expect(await lanes.page.locator('.search-field').inputValue()).toBe('lane:1');
    expect(await lanes.pixel(1, 130, 60)).toBe(dimmed);
  });
});

describe.skipIf(skipWithoutBrowser())('a page that nobody can see', () => {
  const pages = usePages();
  /** Ten minutes are over at once. */
  const LONG_AGO = 'const wait = window.setTimeout; window.setTimeout = (then, ms, ...rest) => wait(then, ms === 600000 ? 0 : ms, ...rest);';
  const rest = (lanes: LanesPage, isResting: boolean): Promise<unknown> => lanes.page.evaluate(`window.dispatchEvent(new MessageEvent('message', { data: { type: 'rest', isResting: ${isResting} } }))`);
  const live = (): { run: ScriptedRun; group: number } => {
    const run = new ScriptedRun();
    const group = run.group(POOL);
    run.task(group, { start: 0, end: 500 });
    run.now = 1000;
    return { run, group };
  };
  const tasks = (lanes: LanesPage, group: number): Promise<string> => lanes.group(group).locator('.figure-tasks dd').innerText();

  it('draws nothing, takes in what comes, and shows it when it is seen again', async () => {
    const lanes = await pages.open();
    const { run, group } = live();
    await lanes.send(...run.frames());
    await expect.poll(() => tasks(lanes, group)).toBe('1');
    await lanes.page.locator('.tool-group').waitFor({ state: 'attached' });
    await rest(lanes, true);
    const asked = (): Promise<number> => lanes.page.evaluate('window.asked = 0; new Promise((done) => setTimeout(() => done(window.asked), 300))');
    await lanes.page.evaluate('const ask = window.requestAnimationFrame; window.requestAnimationFrame = (then) => { window.asked++; return ask(then); }');
    run.task(group, { ordinal: 2, start: 1000, end: 1500 });
    run.now = 2000;
    await lanes.send(run.delta());
    expect(await asked()).toBe(0);
    expect(await tasks(lanes, group)).toBe('1');
    expect(await lanes.sent()).toContainEqual({ type: 'ack', seq: 3 });
    await rest(lanes, false);
    await expect.poll(() => tasks(lanes, group)).toBe('2');
    expect(await asked()).toBeGreaterThan(0);
  });

  it('gives its memory back after ten minutes, and asks for all of it when it is seen again', async () => {
    const lanes = await pages.open({ before: LONG_AGO });
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    const sent = run.finish().frames();
    await lanes.show(...sent);
    const asks = async (): Promise<number> => (await lanes.sent()).filter(({ type }) => type === 'ready').length;
    expect(await asks()).toBe(1);
    await rest(lanes, true);
    await lanes.group(1).waitFor({ state: 'detached' });
    expect(await asks()).toBe(1);
    await rest(lanes, false);
    expect(await asks()).toBe(2);
    await lanes.show(...sent);
    expect(await lanes.group(1).locator('.figure-tasks dd').innerText()).toBe('10');
  });
});
