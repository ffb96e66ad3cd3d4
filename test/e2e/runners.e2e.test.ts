import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findProjectTools } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { useVsCode } from './vscode';
import { ROOT } from './vsix';
import type { Workbench } from './workbench';
import { useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const tools = findProjectTools();
const installed = (name: string): string => join(tools ?? '', 'node_modules', name);

beforeEach((context) => { needed(context, 'TOOLS', tools); });

const WORK = 'const work = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });\nconst three = async () => { await Promise.all([work(20), work(30), work(40)]); };\n';
/** A typed script that its package's own way of running TypeScript has to run. */
const TYPED = 'const work = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });\nasync function main(): Promise<void> { await Promise.all([work(20), work(30)]); }\nvoid main();\n';

function link(folder: string, packages: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const [name, place] of Object.entries(packages)) symlinkSync(place, join(folder, 'node_modules', name));
}

/** The tasks of the groups of the panel in front. */
const tasks = (window: Workbench) => window.panel().locator('.figure-tasks dd').allInnerTexts();

it('runs a file of tests by the runner it is for, in whatever process that puts it', async () => {
  const folder = workspace({
    'package.json': '{"name":"tests","version":"1.0.0"}',
    'v.test.mjs': `import { it } from 'vitest';\n${WORK}it('works', three);`,
    'j.test.js': `const { it } = require('@jest/globals');\n${WORK}it('works', three);`,
    'm.test.cjs': `const { it } = require('mocha');\n${WORK}it('works', three);`,
    'n.test.mjs': `import { it } from 'node:test';\n${WORK}it('works', three);`,
  });
  link(folder, { vitest: join(ROOT, 'node_modules', 'vitest'), jest: installed('jest'), '@jest': installed('@jest'), mocha: installed('mocha') });
  const window = await code.open(folder, { file: join(folder, 'v.test.mjs') });
  for (const file of ['v.test.mjs', 'j.test.js', 'm.test.cjs', 'n.test.mjs']) {
    if (file !== 'v.test.mjs') await window.openFile(file);
    await window.run('Async Lanes: Visualize Tests of This File');
    await window.editorTab(`${file}: finished`).waitFor();
    await expect.poll(() => tasks(window), { timeout: 20_000, message: file }).toContain('3');
  }
  await window.picture('runners 1 tests');
});

it('runs TypeScript by tsx or ts-node of the project, and says what to install where there is neither', async () => {
  const folder = workspace({ 'by-tsx/a.cts': TYPED, 'by-ts-node/b.cts': TYPED, 'by-nothing/c.cts': TYPED });
  link(join(folder, 'by-tsx'), { tsx: join(ROOT, 'test', 'corpus', 'node_modules', 'tsx') });
  link(join(folder, 'by-ts-node'), { 'ts-node': installed('ts-node'), typescript: installed('typescript') });
  const window = await code.open(folder, { file: join(folder, 'by-tsx/a.cts') });
  for (const file of ['a.cts', 'b.cts']) {
    if (file !== 'a.cts') await window.openFile(file);
    await window.run('Async Lanes: Visualize Pool Run');
    await window.editorTab(`${file}: finished`).waitFor();
    await expect.poll(() => tasks(window), { timeout: 20_000, message: file }).toEqual(['2']);
  }
  await window.openFile('c.cts');
  await window.run('Async Lanes: Visualize Pool Run');
  await window.message('Install tsx in the project').waitFor();
});
