import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/model/report';
import { lastRecording, panelFigures, shownFigures } from './figures';
import { useVsCode } from './vscode';
import { ROOT } from './vsix';
import { FIGURE, UNTIL_ENOUGH, useWorkspaces } from './workspace';

const CLI = join(ROOT, 'dist', 'cli.js');
const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };

/** What must be the same each time this script runs. */
const shapeOf = (report: Report): unknown => report.groups.map((group) => ({
  kind: group.kind, combinator: group.combinator, library: group.library, lanes: group.lanes, chunks: group.chunks, peak: group.peak,
  taskCount: group.taskCount, fulfilled: group.fulfilled, rejected: group.rejected, pending: group.pending, line: group.site?.line,
  tasks: group.tasks.map(({ ordinal, lane, chunk }) => ({ ordinal, lane, chunk })),
}));

describe('visualizing a run', () => {
  it('draws while the script still runs', async () => {
    const folder = workspace({ 'live.mjs': UNTIL_ENOUGH });
    const window = await code.open(folder, { file: join(folder, 'live.mjs') });
    await window.run('Async Lanes: Visualize Pool Run');

    const panel = window.panel();
    await panel.locator('.top-bar[data-phase=running]').waitFor();
    const chunks = panel.locator('.figure-chunks dd');
    await expect.poll(async () => Number(await chunks.innerText()), soon).toBeGreaterThan(2);
    const before = Number(await chunks.innerText());
    await expect.poll(async () => Number(await chunks.innerText()), soon).toBeGreaterThan(before);
    expect(await panel.locator('.top-bar').getAttribute('data-phase')).toBe('running');
    await window.editorTab('live.mjs: running').waitFor();
    await window.picture('run 1 while it runs');

    writeFileSync(join(folder, 'enough'), '');
    await panel.locator('.top-bar[data-phase=finished]').waitFor();
    await window.editorTab('live.mjs: finished').waitFor();
    await expect.poll(() => window.terminalText(), soon).toMatch(/chunks \d+/);
    const counted = Number(/chunks (\d+)/.exec(await window.terminalText())?.[1]);
    await expect.poll(async () => Number(await chunks.innerText()), soon).toBe(counted);
  });

  it('ends with the figures that the command line reports of the same script', async () => {
    const folder = workspace({ 'figure.mjs': FIGURE });
    const window = await code.open(folder, { file: join(folder, 'figure.mjs') });
    await window.run('Async Lanes: Visualize Pool Run');
    await window.panel().locator('.top-bar[data-phase=finished]').waitFor();
    await window.panel().locator('.page[data-settled=true]').waitFor();
    await window.picture('run 2 the figure of D1');

    const own = JSON.parse(execFileSync(process.execPath, [CLI, 'report', lastRecording(code.userData)], { encoding: 'utf8' })) as Report;
    expect(await panelFigures(window.panel())).toEqual(own.groups.map(shownFigures));

    const file = join(folder, 'report.json');
    execFileSync(process.execPath, [CLI, 'run', '--quiet', '--report', file, 'figure.mjs'], { cwd: folder, stdio: 'ignore' });
    const again = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(again.groups).toHaveLength(2);
    expect(shapeOf(own)).toEqual(shapeOf(again));
  });

  it('leaves the script its colours and its input in the terminal', async () => {
    const folder = workspace({ 'greet.mjs': `
      process.stdout.write('\\x1b[31mwho?\\x1b[0m ');
      for await (const line of process.stdin) { console.log('hello ' + String(line).trim()); break; }
      console.log('tty', process.stdin.isTTY, process.stdout.isTTY);
      process.exit(3);` });
    const window = await code.open(folder, { file: join(folder, 'greet.mjs') });
    await window.run('Async Lanes: Visualize Pool Run');
    await expect.poll(() => window.terminalText(), soon).toContain('who?');
    await window.typeIntoTerminal('Ada\n');
    await expect.poll(() => window.terminalText(), soon).toContain('hello Ada');
    await expect.poll(() => window.terminalText(), soon).toContain('tty true true');
    await window.editorTab('greet.mjs: finished, exit code 3').waitFor();
  });
});
