import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findCachedNode } from '../../scripts/tools.mjs';
import { lastRecording } from './figures';
import { useVsCode } from './vscode';
import type { Workbench } from './workbench';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };
const VISUALIZE = 'Async Lanes: Visualize Pool Run';
/** For what the palette rightly does not offer: a key that asks for the command all the same. */
const KEY = 'F8';

beforeEach(() => {
  writeFileSync(join(code.userData, 'User', 'keybindings.json'), JSON.stringify([{ key: KEY, command: 'asyncLanes.visualizePoolRun' }]));
});

/** Asks by key until the answer shows: a window that has just opened does not know its keys yet. */
async function insist(window: Workbench, answer: string | RegExp): Promise<void> {
  await expect.poll(async () => {
    await window.page.keyboard.press(KEY);
    return window.message(answer).first().waitFor({ timeout: 3_000 }).then(() => true, () => false);
  }, soon).toBe(true);
}

/** Whether the palette offers to run a script. */
async function offersRun(window: Workbench): Promise<boolean> {
  const rows = await window.offered('Async Lanes');
  expect(rows).toContain('Async Lanes: Show Log');
  return rows.includes(VISUALIZE);
}

/** How many errors stand in the log files of the extension. */
function errorsLogged(): number {
  const logs = join(code.userData, 'logs');
  const own = readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('Async Lanes.log'));
  return own.reduce((sum, name) => sum + readFileSync(join(logs, name), 'utf8').split('[error]').length - 1, 0);
}

const notices = async (window: Workbench): Promise<string> => (await window.panel().locator('.notices .notice').allInnerTexts()).join('\n');

describe('what cannot be run is refused with a sentence', () => {
  it('where no editor is open, or one with something else in it', async () => {
    const window = await code.open(workspace({ 'notes.md': '# notes' }));
    await insist(window, 'No script to run: no editor is open.');
    expect(await offersRun(window)).toBe(false);

    await window.openFile('notes.md');
    await insist(window, 'notes.md was not run: it is neither JavaScript nor TypeScript.');
    await window.picture('bad-input 1 not a script');
    expect(await offersRun(window)).toBe(false);
  });

  it('where the script was never saved, and runs it once it is', async () => {
    const window = await code.open(workspace({ 'other.mjs': '// nothing' }));
    await window.openFile('other.mjs');
    await window.run('File: New Untitled Text File');
    await window.editorTab('Untitled-1').waitFor();
    await window.run('Change Language Mode');
    await window.choose('JavaScript');
    await window.page.locator('.editor-group-container.active .monaco-editor').click();
    await window.page.keyboard.type('console.log("saved " + 6 * 7)');
    await window.run(VISUALIZE);
    await window.page.locator('.quick-input-title', { hasText: 'Save As' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.message('The script was not run: Node runs files, and it has not been saved as one.').waitFor();
    expect(await window.page.locator('.editor-group-container.active .view-lines').innerText()).toContain('saved');

    await window.run(VISUALIZE);
    await window.page.locator('.quick-input-title', { hasText: 'Save As' }).waitFor();
    // VS Code proposes a name, made of the first words.
    await expect.poll(() => window.quickInput().inputValue(), soon).toContain('.js');
    await window.page.keyboard.press('Enter');
    await window.editorTab(/\.js: finished/).waitFor();
    await expect.poll(() => window.terminalText(), soon).toContain('saved 42');
  });

  it('where its changes cannot be saved, and loses none of them', async () => {
    const folder = workspace({ 'a.mjs': 'console.log(1);' });
    const window = await code.open(folder, { file: join(folder, 'a.mjs') });
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('// mine ');
    // Written by somebody else meanwhile: VS Code does not save over that.
    writeFileSync(join(folder, 'a.mjs'), 'console.log(2); // theirs');
    await window.run(VISUALIZE);
    await window.message('a.mjs was not run: its changes could not be saved.').waitFor();
    expect(readFileSync(join(folder, 'a.mjs'), 'utf8')).toContain('theirs');
    expect(await window.page.locator('.editor-group-container.active .view-lines').innerText()).toMatch(/\/\/\smine/);
  });

  it('where the Node of the setting is none, or too old', async () => {
    const folder = workspace({ 'a.mjs': 'console.log(1);', 'old-node': '#!/bin/sh\necho v18.20.1\n' });
    chmodSync(join(folder, 'old-node'), 0o755);
    const choose = (path: string): void => {
      mkdirSync(join(folder, '.vscode'), { recursive: true });
      writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'asyncLanes.nodePath': path }));
    };
    choose('/nowhere/node');
    const window = await code.open(folder, { file: join(folder, 'a.mjs') });
    await window.run(VISUALIZE);
    const message = window.message('There is no Node at /nowhere/node, where the setting asyncLanes.nodePath points.');
    await message.waitFor();
    await window.picture('bad-input 2 no Node');
    await message.getByText('Choose Node in Settings').click();
    await window.page.locator('.settings-editor').getByText('Node Path').first().waitFor();

    await window.closeModal();
    choose(join(folder, 'old-node'));
    await insist(window, /The Node that was found is too old; 20 or newer is needed.*v18\.20\.1/);
  });
});

describe('what is wrong with a script is told where it runs', () => {
  it('the panel says crashed, with the exit code, and the terminal why', async () => {
    const folder = workspace({ 'syntax.mjs': 'consst x = 1;', 'module.mjs': `import './not-there.mjs';`, 'thrown.mjs': `throw new Error('at once');` });
    const window = await code.open(folder, { file: join(folder, 'syntax.mjs') });
    for (const [name, words] of [['syntax', 'SyntaxError'], ['module', 'ERR_MODULE_NOT_FOUND'], ['thrown', 'Error: at once']]) {
      if (name !== 'syntax') await window.openFile(`${name}.mjs`);
      await window.run(VISUALIZE);
      await window.editorTab(`${name}.mjs: crashed, exit code 1`).waitFor();
      await window.phase('crashed');
      expect(await window.panel().locator('.phase').innerText()).toBe('crashed with exit code 1');
      expect(await notices(window)).toContain('terminal');
      await expect.poll(() => window.terminalText(), soon).toContain(words);
    }
    await window.picture('bad-input 3 crashed');
  });

  it('prints 100 MB and is drawn to its end', async () => {
    const window = await code.open(workspace({ 'loud.mjs': `
      const line = 'x'.repeat(1023) + '\\n';
      async function shout() { for (let i = 0; i < 10_000; i++) process.stdout.write(line); }
      for (let i = 0; i < 5; i++) await Promise.all([shout(), shout()]);
      await new Promise((resolve) => process.stdout.write('that was all\\n', resolve));` }));
    await window.openFile('loud.mjs');
    await window.run(VISUALIZE);
    await window.panel().locator('.top-bar[data-phase=finished]').waitFor({ timeout: 8 * 60_000 });
    expect(await window.panel().locator('.figure-tasks dd').innerText()).toBe('10');
    await expect.poll(() => window.terminalText(), soon).toContain('that was all');
    // As fast as the terminal takes it: VS Code reads on only when what was printed has been shown.
  }, 10 * 60_000);
});

describe('unsaved changes, and an error of ours', () => {
  it('are saved before the script runs; is told once, with the way to the log', async () => {
    const folder = workspace({ 'a.mjs': 'console.log("old");' });
    const window = await code.open(folder, { file: join(folder, 'a.mjs') });
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('console.log("new");');
    await window.run(VISUALIZE);
    await expect.poll(() => window.terminalText(), soon).toContain('new');
    expect(readFileSync(join(folder, 'a.mjs'), 'utf8')).toContain('new');
    await window.editorTab('a.mjs: finished').waitFor();

    // Where recordings go stands a file: nobody has thought of that.
    const runs = dirname(lastRecording(code.userData));
    rmSync(runs, { recursive: true });
    writeFileSync(runs, '');
    await window.run(VISUALIZE);
    const message = window.message('Async Lanes ran into an error: ');
    await message.getByText('Show Log').click();
    await window.page.locator('.part.panel .view-lines').getByText('ENOTDIR').first().waitFor();
    await window.picture('bad-input 4 an error of ours');
    const logged = errorsLogged();
    await window.run(VISUALIZE);
    await expect.poll(errorsLogged, soon).toBe(logged + 1);
    expect(await message.count()).toBe(0);
  });
});

describe('TypeScript', () => {
  const node24 = findCachedNode(24);

  it.skipIf(!node24)('runs on a Node that strips types', async () => {
    const folder = workspace({ 'figure.ts': FIGURE.replace('lookUp(duration)', 'lookUp(duration: number): Promise<void>'), 'package.json': '{"type":"module"}' });
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'asyncLanes.nodePath': node24 }));
    const window = await code.open(folder, { file: join(folder, 'figure.ts') });
    await window.run(VISUALIZE);
    await window.phase('finished');
    expect(await window.panel().locator('.figure-tasks dd').allInnerTexts()).toEqual(['10', '10']);
    expect(existsSync(join(folder, 'figure.js'))).toBe(false);
  });
});
