import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findBunFolder, findProjectTools } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { useVsCode } from './vscode';
import type { Workbench } from './workbench';
import { useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };
const tools = findProjectTools();
const bun = findBunFolder();
/** As this test's own PATH has it; VS Code runs on another one. */
const NODE = process.version;

/** Two tasks, and a line that says who started it and whether what the user loads into every Node was loaded. */
const WHO = `
import { setTimeout as sleep } from 'node:timers/promises';
const work = async (ms) => { await sleep(ms); };
await Promise.all([work(30), work(60)]);
console.log('[' + ['who', (process.env.npm_config_user_agent ?? 'nobody').split('/')[0], globalThis.own ?? 'lost', process.version].join(' ') + ']');
`;

beforeEach((context) => { needed(context, 'TOOLS', tools); });

/** A monorepo of several package managers, in a folder whose name no shell likes, of a user with options of their own for every Node. */
function monorepo(): string {
  const outer = workspace({});
  const folder = join(outer, '작업 공간 #1');
  const write = (name: string, text: string): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('own.cjs', "globalThis.own = 'kept';");
  write('who.mjs', WHO);
  for (const [name, lock] of [['npm', 'package-lock.json'], ['pnpm', 'pnpm-lock.yaml'], ['yarn', 'yarn.lock'], ['bun', 'bun.lock']]) {
    write(`packages/${name}/package.json`, JSON.stringify({ name: `of-${name}`, version: '1.0.0', scripts: { [`by-${name}`]: 'node ../../who.mjs' } }, undefined, 2));
    write(`packages/${name}/${lock}`, '');
  }
  const own = `--require ${JSON.stringify(join(folder, 'own.cjs'))}`;
  write('.vscode/settings.json', JSON.stringify({ 'terminal.integrated.env.linux': {
    NODE_OPTIONS: own, PATH: `${bun ?? ''}:${join(tools ?? '', 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
  } }));
  write('.vscode/launch.json', JSON.stringify({ version: '0.2.0', configurations: [
    { type: 'node', request: 'launch', name: 'Who', program: '${workspaceFolder}/who.mjs', env: { NODE_OPTIONS: own }, runtimeExecutable: 'node', runtimeArgs: ['--title=launched'] },
  ] }));
  return folder;
}

const said = (window: Workbench, words: string) => expect.poll(async () => (await window.terminalText()).replaceAll('\n', ''), soon).toContain(words);
const tasks = (window: Workbench) => window.panel().locator('.figure-tasks dd').first();

async function newTerminal(window: Workbench, profile?: string): Promise<void> {
  const before = await window.page.locator('.terminal-wrapper').count();
  await window.run(profile === undefined ? 'Terminal: Create New Terminal' : 'Create New Terminal (With Profile)');
  if (profile !== undefined) await window.choose(profile);
  await expect.poll(() => window.page.locator('.terminal-wrapper').count(), soon).toBeGreaterThan(before);
  // The shell takes no keys before it asks for some.
  await expect.poll(() => window.terminalText(), soon).toMatch(/[$#%>]\s*$/);
}

it('runs the scripts of a monorepo by its package managers, on the Node of PATH, with what the user loads into every Node', async () => {
  const folder = monorepo();
  const window = await code.open(folder, { file: join(folder, 'packages/npm/package.json') });
  await window.codeLens('Visualize').first().click();
  await window.editorTab('by-npm: finished').waitFor();
  await said(window, `[who npm kept ${NODE}]`);
  await expect.poll(() => tasks(window).innerText(), soon).toBe('2');
  for (const manager of ['pnpm', 'yarn', ...bun ? ['bun'] : []]) {
    await window.run('Async Lanes: Visualize npm Script…');
    await window.choose(`by-${manager}`);
    await window.editorTab(`by-${manager}: finished`).waitFor();
    await said(window, `[who ${manager} kept ${NODE}]`);
    await expect.poll(() => tasks(window).innerText(), soon).toBe('2');
  }
  await window.run('Async Lanes: Visualize Launch Configuration…');
  await window.choose('Who');
  await window.editorTab('Who: finished').waitFor();
  await said(window, `[who nobody kept ${NODE}]`);
  await window.picture('terminals 1 monorepo');
});

it('records all new terminals only while it is told to, and leaves nothing behind that would break a node command', async () => {
  const folder = monorepo();
  const window = await code.open(folder, { file: join(folder, 'who.mjs') });
  await newTerminal(window);
  await window.typeIntoTerminal('node who.mjs; echo "[$NODE_OPTIONS $ASYNC_LANES_DIR]"\n');
  await said(window, `[who nobody kept ${NODE}]`);
  await said(window, `[--require "${join(folder, 'own.cjs')}" ]`);

  await window.run('Async Lanes: Record All New Terminals');
  await window.editorTab('All Terminals: starting').waitFor();
  await window.panel().getByText('No Node process has started here yet').waitFor();
  await newTerminal(window);
  await window.typeIntoTerminal('node who.mjs\n');
  await said(window, `[who nobody kept ${NODE}]`);
  await window.editorTab('All Terminals: running').waitFor();
  await expect.poll(() => tasks(window).innerText(), soon).toBe('2');
  await window.picture('terminals 2 all new ones');

  // A run of its own within: told in its own panel, and not in that of the terminals.
  await window.focusTab('who.mjs', true);
  await window.run('Async Lanes: Visualize Pool Run');
  await window.editorTab('who.mjs: finished').waitFor();
  expect(await window.panel().locator('.figure-tasks dd').allInnerTexts()).toEqual(['2']);

  // A terminal of the profile too.
  await newTerminal(window, 'Async Lanes');
  await window.typeIntoTerminal('node who.mjs\n');
  await said(window, `[who nobody kept ${NODE}]`);
  await window.editorTab('Terminal 1: running').waitFor();
  await window.focusTab('All Terminals: running');
  await expect.poll(() => tasks(window).innerText(), soon).toBe('2');
  expect(await tasks(window).count()).toBe(1);

  await window.run('Async Lanes: Stop Recording New Terminals');
  await window.editorTab('All Terminals: finished').waitFor();
  await newTerminal(window);
  await window.typeIntoTerminal('echo "[$NODE_OPTIONS $ASYNC_LANES_DIR]"\n');
  await said(window, `[--require "${join(folder, 'own.cjs')}" ]`);

  // Taken away while it records: in the terminal that was recorded, and in a new one, Node runs as ever.
  await window.run('Async Lanes: Record All New Terminals');
  await newTerminal(window);
  const settings = readFileSync(join(code.userData, 'User', 'settings.json'), 'utf8');
  await code.uninstall();
  await window.typeIntoTerminal('node who.mjs\n');
  await said(window, `[who nobody kept ${NODE}]`);
  await window.reload();
  await expect.poll(() => window.page.locator('.tabs-list .monaco-list-row').count(), soon).toBe(5);
  await said(window, `[who nobody kept ${NODE}]`);
  await newTerminal(window);
  await window.typeIntoTerminal('node who.mjs; echo "[$NODE_OPTIONS $ASYNC_LANES_DIR]"\n');
  await said(window, `[who nobody kept ${NODE}]`);
  await said(window, `[--require "${join(folder, 'own.cjs')}" ]`);
  expect(readFileSync(join(code.userData, 'User', 'settings.json'), 'utf8')).toBe(settings);
});
