/** The page and its host: buttons, places, notices, and data that is not as it should be. */
import { beforeEach, describe, expect, it } from 'vitest';
import { skipWithoutBrowser } from './browser';
import { asChunks, FIGURE, place } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

const MARKUP = '<img src=x onerror="window.pwned=1"><b>bold</b>';

describe.skipIf(skipWithoutBrowser())('the page and its host', () => {
  const pages = usePages();
  let lanes: LanesPage;
  let run: ScriptedRun;
  beforeEach(async () => {
    run = new ScriptedRun();
    lanes = await pages.open({ panel: 'abc123' });
  });

  const said = async (): Promise<(readonly [string | null, string])[]> =>
    lanes.page.locator('.notice').evaluateAll((all) => all.map((item) => [item.getAttribute('data-code'), item.textContent ?? ''] as const));
  const lastSent = async (): Promise<unknown> => (await lanes.sent()).at(-1);

  it('stops and runs again by buttons, each shown only when it can do something', async () => {
    place(run, asChunks(FIGURE, 5), {});
    await lanes.send(...run.frames());
    await lanes.page.locator('.stop').click();
    expect(await lastSent()).toEqual({ type: 'stop' });
    expect(await lanes.page.locator('.run-again').isVisible()).toBe(false);
    await lanes.show(run.finish().delta());
    expect(await lanes.page.locator('.stop').isVisible()).toBe(false);
    await lanes.page.locator('.run-again').click();
    expect(await lastSent()).toEqual({ type: 'runAgain' });
  });

  it('shows no button for what its host cannot do', async () => {
    place(run, asChunks(FIGURE, 5), {});
    await lanes.show(...run.finish().frames({ capabilities: { stop: false, runAgain: false, openSource: false } }));
    expect(await lanes.page.locator('.actions vscode-button:visible').count()).toBe(0);
    expect(await lanes.page.locator('button.place').count()).toBe(0);
    expect(await lanes.page.locator('.place').first().innerText()).toBe('main · lookup.mjs:20');
  });

  it('asks for the place of a group and of its tasks', async () => {
    place(run, asChunks(FIGURE, 5), {});
    await lanes.show(...run.finish().frames());
    await lanes.page.getByText('main · lookup.mjs:20').click();
    expect(await lastSent()).toEqual({ type: 'openSource', group: 1, what: 'group' });
    await lanes.page.getByText('task: fetchUser · lookup.mjs:7').click();
    expect(await lastSent()).toEqual({ type: 'openSource', group: 1, what: 'task' });
  });

  it('lists the host’s notices and what is missing from the recording', async () => {
    run.now = 100;
    run.state = { ...run.state, complete: false, dropped: 12, sampledMs: 250, notices: [{ severity: 'error', code: 'no-source-map', text: 'The map of a.ts cannot be read.' }] };
    await lanes.show(...run.finish(1).frames());
    expect(await said()).toEqual([
      ['no-source-map', 'Error The map of a.ts cannot be read.'],
      ['dropped', 'Warning 12 facts could not be recorded: what is shown may lack tasks.'],
      ['incomplete', 'Warning The recording is incomplete: the last moments before the end may be missing.'],
      ['sampled', 'Note For 250 ms the recording stepped back from a stretch with very many promises: tasks of that time may be missing.'],
    ]);
  });

  it('says what a log lacks in the reader’s language', async () => {
    run.state = { ...run.state, notices: [{ severity: 'warning', code: 'log-lines', text: '1 of 7 lines were left out.', values: { wrong: 1, lines: 7, pattern: '{time} {thread}' } }] };
    await lanes.show(...run.finish(1).frames({ locale: 'ko' }));
    expect(await said()).toEqual([['log-lines', '경고 7줄 중 1줄은 {time} {thread} 형식이 아니어서 제외했습니다.']]);
  });

  it('answers a frame it cannot read with a notice and asks for the picture anew', async () => {
    place(run, asChunks(FIGURE, 5), {});
    await lanes.show(...run.finish().frames());
    await lanes.show(new TextEncoder().encode('not a frame at all').buffer);
    expect((await said()).map(([code]) => code)).toEqual(['bad-frame']);
    expect(await lastSent()).toEqual({ type: 'ready' });
    expect(await lanes.group(1).locator('.frame').count()).toBe(2);
  });

  it('notices that a delta went missing', async () => {
    const group = run.group();
    run.task(group, { start: 0, end: 5, chunk: 1 });
    const [hello, first, , third] = [run.hello(), run.delta(), run.delta(), run.delta()];
    await lanes.show(hello, first, third);
    expect(await lastSent()).toEqual({ type: 'ready' });
  });

  it('gives up asking a host that sends nothing but rubbish, and keeps what was drawn', async () => {
    place(run, asChunks(FIGURE, 5), {});
    await lanes.show(...run.finish().frames());
    const [valid] = run.frames();
    const rubbish = [new ArrayBuffer(0), new ArrayBuffer(4096), valid.slice(0, valid.byteLength - 8), ...Array.from({ length: 20 }, (_, i) => Uint8Array.from({ length: 99 }, (__, k) => (i * 37 + k * 11) & 255).buffer)];
    await lanes.show(...rubbish);
    expect((await lanes.sent()).filter((message) => message.type === 'ready')).toHaveLength(4);
    expect((await said())[0][1]).toContain('What was drawn stays');
    expect(await lanes.group(1).locator('.frame').count()).toBe(2);
    expect(lanes.complaints).toEqual([]);
  });

  it('takes what makes sense of a delta and counts the rest', async () => {
    const group = run.group();
    run.task(group, { start: 0, end: 5, chunk: 1 });
    const foreign = { kind: 'spiral', id: 7, start: 0 } as never;
    await lanes.show(run.hello(), run.delta(), run.delta({ groups: [foreign, null as never], removed: ['x' as never], labels: [[1, 'fine'], ['1' as never, 2 as never]] }));
    expect((await said()).map(([code, text]) => [code, text.match(/\d+/)?.[0]])).toEqual([['refused', '4']]);
    expect(await lanes.page.locator('.group').count()).toBe(1);
  });

  it('says that page and host are of different versions', async () => {
    await lanes.send(run.hello({ protocol: 99 }), run.delta());
    await expect.poll(async () => (await said()).map(([code]) => code)).toEqual(['other-version']);
  });

  it('shows names out of the user’s program as text and never as markup', async () => {
    const site = { file: `/x/${MARKUP}.mjs`, line: 1, column: 1, function: MARKUP };
    const group = run.group({ ...{ kind: 'pool', library: MARKUP }, site, taskSite: site });
    const task = run.task(group, { start: 0, end: 1000, queued: 0 });
    run.timeline.labelTask(task, MARKUP);
    run.now = 1000;
    run.state = { ...run.state, notices: [{ severity: 'info', code: MARKUP, text: MARKUP }] };
    await lanes.show(...run.finish().frames({ run: { title: MARKUP, command: [MARKUP], cwd: MARKUP, node: MARKUP } }));
    await lanes.group(group).locator('.plot').hover({ position: { x: 300, y: 42 } });
    expect(await lanes.page.locator('.task-label').innerText()).toBe(MARKUP);
    expect(await lanes.page.locator('h1').innerText()).toBe(MARKUP);
    expect(await lanes.page.locator('img, b').count()).toBe(0);
    expect(await lanes.page.evaluate('window.pwned')).toBeUndefined();
    expect(lanes.complaints).toEqual([]);
  });

  it('shows another run in place of the one before', async () => {
    place(run, asChunks(FIGURE, 5), {});
    await lanes.show(...run.finish().frames());
    const next = new ScriptedRun();
    next.task(next.group({ kind: 'all' }), { start: 0, end: 10 });
    next.now = 10;
    await lanes.show(...next.finish().frames({ run: { title: 'other.mjs', timeOrigin: 1795183999999 } }));
    expect(await lanes.page.locator('h1').innerText()).toBe('other.mjs');
    expect(await lanes.page.locator('.group h2').allTextContents()).toEqual(['Promise.all']);
    expect(await lanes.page.locator('.page').count()).toBe(1);
  });

  it('keeps the name its host knows it by in its state', async () => {
    expect(await lanes.page.evaluate('acquireVsCodeApi().getState()')).toMatchObject({ panel: 'abc123' });
  });

  it('cuts a label of a million letters', async () => {
    const group = run.group();
    const task = run.task(group, { start: 0, end: 5, chunk: 1 });
    run.timeline.labelTask(task, 'x'.repeat(1_000_000));
    await lanes.show(...run.frames());
    await lanes.group(group).locator('.plot').hover({ position: { x: 300, y: 42 } });
    expect((await lanes.page.locator('.task-label').innerText()).length).toBeLessThan(5000);
  });
});
