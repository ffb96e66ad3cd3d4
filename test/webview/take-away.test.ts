/** Taking the picture and its tasks away: SVG, PNG, CSV, the clipboard. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ActivityKind } from '../../src/model/activity';
import { TaskState } from '../../src/model/timeline';
import { activityRows } from './activity-rows';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, uniformDurations } from './experiment';
import { LanesPage, type Theme } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

const OUT = join(import.meta.dirname, '../../test-output/webview');

function figure(): ScriptedRun {
  const run = new ScriptedRun();
  place(run, asChunks(FIGURE, 5), {});
  place(run, asRails(FIGURE, 5, 20_000), POOL);
  run.timeline.labelTask(3, '=1+1, "x"');
  return run.finish();
}

describe.skipIf(skipWithoutBrowser())('what is taken away', () => {
  const pages = usePages();
  let lanes: LanesPage;
  beforeEach(async () => { lanes = await pages.open(); });

  async function choose(item: string): Promise<void> {
    await lanes.page.locator('.menu vscode-button').click();
    await lanes.page.getByRole('menuitem', { name: item }).click();
  }

  /** The file the page gave its host to save, as text of the given encoding. */
  async function saved(item: string, encoding: BufferEncoding = 'utf8'): Promise<{ name: string; text: string }> {
    const count = async (): Promise<number> => (await lanes.sent()).filter(({ type }) => type === 'saveFile').length;
    const before = await count();
    await choose(item);
    const last = () => lanes.page.evaluate(() => {
      const { sent } = (globalThis as unknown as { host: { sent: { type: string; name: string; data: Uint8Array }[] } }).host;
      const file = sent.findLast(({ type }) => type === 'saveFile');
      let bytes = '';
      for (const byte of file?.data ?? []) bytes += String.fromCharCode(byte);
      return file && { name: file.name, base64: btoa(bytes) };
    });
    await expect.poll(count, { timeout: 10_000 }).toBe(before + 1);
    const file = await last();
    return { name: file?.name ?? '', text: Buffer.from(file?.base64 ?? '', 'base64').toString(encoding) };
  }

  /** Draws an SVG alone on a page, as a slide program would. */
  async function drawn(svg: string, picture: string): Promise<Record<string, number>> {
    const page = await pages.browser.newPage({ viewport: { width: 1120, height: 640 } });
    mkdirSync(OUT, { recursive: true });
    writeFileSync(join(OUT, `${picture}.svg`), svg);
    await page.goto(`file://${join(OUT, `${picture}.svg`)}`);
    await page.screenshot({ path: join(OUT, `${picture}.png`) });
    const counts = await page.evaluate(() => {
      const document = (globalThis as unknown as { document: { querySelectorAll(of: string): { length: number } } }).document;
      return Object.fromEntries(['.frame', '.bar', '.longest', '.idle', '.numeral', '.callout', '.tick', 'image', 'script', 'parsererror'].map((of) => [of, document.querySelectorAll(of).length]));
    });
    await page.close();
    return counts;
  }

  it('as SVG holds the queue of a group and the requests in libuv’s pool, as they stand below it', async () => {
    const run = new ScriptedRun();
    place(run, asRails(FIGURE, 5).map((task) => ({ ...task, queued: task.start > 0 ? 0 : NaN })), POOL);
    run.finish();
    const thread = { id: 1, pid: 100, threadId: 0, name: 'main', requests: true };
    await lanes.show(run.hello(), run.delta({ threads: [thread], activity: activityRows({ kind: ActivityKind.requests, start: 0, end: 1000, count: 6, limit: 4 }, { kind: ActivityKind.requests, start: 1000, end: 3000, count: 0, limit: 4 }) }));
    const { text } = await saved('SVG picture');
    expect(text).toContain('queue: up to 5 tasks waited at once</text>');
    expect(text).toMatch(/class="queue-queued" fill="url\(#idle\)" d="M 44 /);
    expect(text).toContain('up to 4 in work on 4 threads, up to 2 queued</text>');
    for (const part of ['queue-edge', 'requests-working', 'requests-queued', 'requests-limit']) expect(text).toContain(`class="${part}"`);
    expect((await drawn(text, 'strips')).parsererror).toBe(0);
  });

  it.each(['light', 'dark', 'high contrast'] as const)('as SVG is the document’s figure, vector throughout, in %s', async (theme: Theme) => {
    lanes = await pages.open({ theme });
    await lanes.show(...figure().frames());
    const { name, text } = await saved('SVG picture');
    expect(name).toBe('lookup.mjs.svg');
    const counts = await drawn(text, `take-away-${theme.replaceAll(' ', '-')}`);
    expect(counts).toMatchObject({ '.frame': 3, '.bar': 20, '.longest': 2, '.numeral': 20, 'image': 0, 'script': 0, 'parsererror': 0 });
    expect(counts['.idle']).toBeGreaterThan(8);
    for (const words of ['Chunk 1', 'Chunk 2', '5 rails', 'the longest promise’s time is the chunk’s time', '2.30 s less', '16.6 s', 'time since each group’s first task']) expect(text).toContain(words);
    expect(text).toContain(await lanes.color('longest'));
  });

  it('holds names as text, never as markup', async () => {
    const run = new ScriptedRun();
    const evil = '<script>alert(1)</script>&"';
    const group = run.group({ kind: 'all', site: { file: `/work/${evil}.mjs`, line: 1, column: 1, function: evil } });
    for (const lane of [1, 2]) run.task(group, { ordinal: lane, lane, start: 0, end: 5 });
    run.now = 6;
    await lanes.show(...run.finish().frames({ run: { title: evil } }));
    const { name, text } = await saved('SVG picture');
    expect(name).not.toMatch(/[<>/\\:"]/u);
    expect(await drawn(text, 'take-away-markup')).toMatchObject({ 'script': 0, 'parsererror': 0, '.bar': 2 });
  });

  it('is the part in view, after a zoom', async () => {
    await lanes.show(...figure().frames());
    await lanes.group(1).locator('.plot').focus();
    for (const key of ['ArrowRight', 'f']) await lanes.page.keyboard.press(key);
    for (const key of ['+', '+', '+', '+']) await lanes.page.keyboard.press(key);
    await lanes.settled();
    expect((await drawn((await saved('SVG picture')).text, 'take-away-zoomed'))['.bar']).toBeLessThan(20);
  });

  it('ends where a run that is played again has come to', async () => {
    const run = figure();
    const thread = { id: 1, pid: 100, threadId: 0, name: 'main', requests: false };
    const activity = activityRows({ kind: ActivityKind.blocked, start: 1000, end: 2000 }, { kind: ActivityKind.gc, start: 4000, end: 9000 }, { kind: ActivityKind.blocked, start: 12_000, end: 13_000 });
    await lanes.show(run.hello(), run.delta({ threads: [thread], activity }));
    expect((await saved('SVG picture')).text.match(/class="blocked"/gu)).toHaveLength(2 * 2);
    await lanes.page.getByRole('button', { name: 'Play what happened again (P)' }).click();
    await lanes.page.getByRole('button', { name: 'Pause drawing (P)' }).click();
    await lanes.page.locator('.scrubber').fill(String(Math.round((5 / 16.6) * 10_000)));
    await lanes.settled();
    const { text } = await saved('SVG picture');
    expect((await drawn(text, 'take-away-replay'))).toMatchObject({ '.bar': 12, '.longest': 0, 'parsererror': 0 });
    expect(text.match(/class="bar pending"/gu)).toHaveLength(8);
    expect(text.match(/class="blocked"/gu)).toHaveLength(2);
    expect(text).toContain('class="playhead"');
    for (const words of ['tasks 5', 'tasks 7']) expect(text).toContain(words);
    const head = Number(/class="playhead"[^>]* d="M ([\d.]+)/u.exec(text)?.[1]);
    for (const [, x, width] of text.matchAll(/<rect class="(?:bar|idle|gc)[^"]*"[^>]* x="([\d.]+)"[^>]* width="([\d.]+)"/gu)) expect(Number(x) + Number(width)).toBeLessThanOrEqual(head + 0.1);
    const png = Buffer.from((await saved('PNG picture', 'latin1')).text, 'latin1');
    writeFileSync(join(OUT, 'take-away-replay-png.png'), png);
  });

  it('is no SVG where no slide program would open it, with a sentence, but a PNG', async () => {
    const run = new ScriptedRun();
    const group = run.group(POOL);
    asRails(uniformDurations(30_000), 20).forEach((task, i) => run.task(group, { ...task, state: i === 999 ? TaskState.rejected : TaskState.fulfilled }));
    run.now = 2_000_000;
    await lanes.show(...run.finish().frames());
    await choose('SVG picture');
    await expect.poll(() => lanes.page.locator('[data-code="take-away"]').innerText()).toContain('No SVG of 30\u202f000 bars');
    const { name, text } = await saved('PNG picture', 'latin1');
    expect(name).toBe('lookup.mjs.png');
    expect(text.slice(1, 4)).toBe('PNG');
    writeFileSync(join(OUT, 'take-away-dense.png'), Buffer.from(text, 'latin1'));
    await expect.poll(() => lanes.page.locator('[data-code="take-away"]').count()).toBe(0);
    // Twice as fine as on the screen.
    expect(Buffer.from(text, 'latin1').readUInt32BE(16)).toBe(2 * 1100);
  });

  it('as CSV has a row a task, of a search those that match', async () => {
    await lanes.show(...figure().frames());
    const { name, text } = await saved('CSV of the tasks');
    expect(name).toBe('lookup.mjs.csv');
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('group,kind,place,task,ordinal,lane,chunk,queued,start,end,duration,status,ignored,label,error');
    expect(lines).toHaveLength(22);
    expect(lines[3]).toBe(`1,chunk,/work/app/lookup.mjs:20,3,3,3,1,,0.000,2000.000,2000.000,fulfilled,false,"'=1+1, ""x""",`);
    await lanes.page.keyboard.press('/');
    await lanes.page.keyboard.type('chunk:2');
    await lanes.settled();
    await expect.poll(async () => (await saved('CSV of the tasks')).text.split('\r\n').length).toBe(7);
  });

  it('goes to the clipboard as a picture', async () => {
    await lanes.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await lanes.show(...figure().frames());
    // The page of the test comes from no secure place, as a webview does: the browser offers it no clipboard.
    await lanes.page.evaluate(() => {
      const page = globalThis as unknown as { navigator: object; taken: string[]; ClipboardItem: unknown };
      page.taken = [];
      page.ClipboardItem = class { constructor(readonly items: Record<string, Promise<{ type: string; size: number }>>) {} };
      Object.defineProperty(page.navigator, 'clipboard', { value: { write: async ([{ items }]: { items: Record<string, Promise<{ type: string; size: number }>> }[]) => { for (const [type, blob] of Object.entries(items)) page.taken.push(type, (await blob).type); } } });
    });
    await choose('Copy picture');
    await expect.poll(() => lanes.page.evaluate(() => (globalThis as unknown as { taken: string[] }).taken), { timeout: 10_000 }).toEqual(['image/png', 'image/png']);
  });

  it('goes through the browser’s downloads where no host saves files', async () => {
    await lanes.show(...figure().frames({ capabilities: { saveFile: false } }));
    const coming = lanes.page.waitForEvent('download');
    await choose('SVG picture');
    expect((await coming).suggestedFilename()).toBe('lookup.mjs.svg');
  });
});
