import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { panelFigures } from './figures';
import { useVsCode } from './vscode';
import { PANEL, type Workbench } from './workbench';
import { FIGURE, NEVER_ENDS, UNTIL_ENOUGH, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };

async function visualize(folder: string, script: string, phase: string): Promise<Workbench> {
  const window = await code.open(folder, { file: join(folder, script) });
  await window.run('Async Lanes: Visualize Pool Run');
  await window.phase(phase);
  return window;
}

const chunksOf = async (window: Workbench): Promise<number> => Number(await window.panel().locator('.figure-chunks dd').innerText());
/** Processes that run a script of this folder. */
const processesIn = (folder: string): string[] =>
  execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(join(folder, '')) && !line.includes('launcher.js'));

describe('the panel', () => {
  it('shows all there is when it comes back from being hidden, and draws on', async () => {
    const folder = workspace({ 'live.mjs': UNTIL_ENOUGH, 'other.mjs': '// nothing' });
    const window = await visualize(folder, 'live.mjs', 'running');
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(1);
    const before = await chunksOf(window);

    await window.focusTab('live.mjs: running');
    const marked = await window.panel().locator('.page').elementHandle();
    await window.openFile('other.mjs');
    await expect.poll(() => window.page.locator(PANEL).count(), soon).toBe(0);
    await window.focusTab('live.mjs: running');
    await window.phase('running');
    // The very page that was hidden: nothing of it had to be made again.
    expect(await marked?.evaluate((page) => (page as unknown as { readonly isConnected: boolean }).isConnected)).toBe(true);
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(before);

    await window.focusTab('other.mjs');
    writeFileSync(join(folder, 'enough'), '');
    await window.editorTab('live.mjs: finished').waitFor();
    await window.focusTab('live.mjs: finished');
    await window.phase('finished');
    const counted = Number(/chunks (\d+)/.exec(await window.terminalText())?.[1]);
    await expect.poll(() => chunksOf(window), soon).toBe(counted);
  });

  it('keeps its picture when it is moved to another group, and when the window is reloaded', async () => {
    const window = await visualize(workspace({ 'figure.mjs': FIGURE, 'other.mjs': '// nothing' }), 'figure.mjs', 'finished');
    const figures = await panelFigures(window.panel());
    await window.reload();
    await window.phase('finished');
    await expect.poll(() => panelFigures(window.panel()), soon).toEqual(figures);
    await window.picture('panel 1 after a reload');
    await window.panel().locator('.run-again').click();
    await window.phase('running');
    await window.phase('finished');

    // Where a group comes from is one press away.
    await window.focusTab('figure.mjs', true);
    await window.openFile('other.mjs');
    await window.panel().locator('button.place', { hasText: 'figure.mjs:12' }).click();
    await window.page.locator('.statusbar-item', { hasText: 'Ln 12, Col' }).waitFor();
    expect(await window.page.locator('.editor-group-container').first().locator('.tab.active').getAttribute('data-resource-name')).toBe('figure.mjs');

    const again = await panelFigures(window.panel());
    await window.focusTab('figure.mjs: finished');
    await window.run('View: Move Editor into Previous Group');
    await expect.poll(() => window.page.locator('.editor-group-container').count(), soon).toBe(1);
    await window.phase('finished');
    await expect.poll(() => panelFigures(window.panel()), soon).toEqual(again);
  });

  it('follows a run that outlives a reload, and can stop it', async () => {
    const folder = workspace({ 'live.mjs': NEVER_ENDS });
    const window = await visualize(folder, 'live.mjs', 'running');
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(1);
    await window.reload();
    await window.phase('running');
    const before = await chunksOf(window);
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(before);

    // Nobody looks at it any more; the list of runs knows that it goes on.
    await window.focusTab('live.mjs: running');
    await window.run('View: Close Editor');
    await window.reload();
    await window.page.locator('.activitybar').getByRole('tab', { name: 'Async Lanes' }).click();
    await window.viewRow('Runs', 'running, not followed in this window').click();
    await window.phase('running');
    await window.panel().locator('.stop').click();
    await window.phase('stopped');
    await window.viewRow('Runs', /live\.mjs.*stopped/).waitFor();
    await expect.poll(() => processesIn(folder), soon).toEqual([]);
  });

  it('stops a script that never ends, and one that will not', async () => {
    const folder = workspace({ 'live.mjs': NEVER_ENDS, 'stubborn.mjs': `process.on('SIGTERM', () => console.log('no'));\n${NEVER_ENDS}` });
    const window = await visualize(folder, 'live.mjs', 'running');
    await window.panel().locator('.stop').click();
    await window.phase('stopped');
    await window.editorTab('live.mjs: stopped').waitFor();
    await window.picture('panel 2 stopped');
    await window.focusTab('live.mjs', true);
    await window.openFile('stubborn.mjs');
    await window.run('Async Lanes: Visualize Pool Run');
    await window.editorTab('stubborn.mjs: running').waitFor();
    await window.run('Async Lanes: Stop Run');
    await window.editorTab('stubborn.mjs: stopped').waitFor();
    await expect.poll(() => processesIn(folder), soon).toEqual([]);
  });

  it('runs again in the same panel and the same terminal', async () => {
    const window = await visualize(workspace({ 'figure.mjs': FIGURE }), 'figure.mjs', 'finished');
    await window.panel().locator('.run-again').click();
    await window.phase('running');
    await window.phase('finished');
    await window.run('Async Lanes: Run Again');
    await window.phase('running');
    await window.phase('finished');
    expect(await window.editorTab(/figure\.mjs: /).count()).toBe(1);
    expect(await window.page.locator('.terminal-wrapper').count()).toBe(1);
    expect((await panelFigures(window.panel())).map(({ tasks }) => tasks)).toEqual(['10', '10']);
  });

  it('asks before a second run while the first one lasts, and says that its terminal ended it', async () => {
    const window = await visualize(workspace({ 'live.mjs': NEVER_ENDS }), 'live.mjs', 'running');
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(20);
    await window.run('Async Lanes: Visualize Pool Run');
    await window.message('live.mjs is still running').getByText('Stop and Run Again').click();
    await expect.poll(() => chunksOf(window), soon).toBeLessThan(20);
    await window.phase('running');
    await window.run('Terminal: Kill the Active Terminal Instance');
    await window.phase('killed');
    await window.editorTab(/live\.mjs: killed/).waitFor();
  });
});
