import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };

const SLOW = `
import { setTimeout as sleep } from 'node:timers/promises';
export async function loadAll(users) {
  for (const user of users) {
    await load(user);
  }
}
async function load(user) { await sleep(user); }
`;

it('finds the places of a workspace, and shows over each what its last run was like', async () => {
  const window = await code.open(workspace({
    'packages/한글 #1/figure.mjs': FIGURE, 'src/slow.mjs': SLOW, 'out/made.mjs': FIGURE, '.gitignore': 'out\n', 'plain.mjs': 'export const one = 1;',
    'package.json': JSON.stringify({ name: 'root', scripts: { figure: 'node "packages/한글 #1/figure.mjs"' } }, undefined, 2),
  }));
  await window.openFile('plain.mjs');
  await window.run('Async Lanes: Inspect Workspace Scripts');
  const row = (text: string | RegExp) => window.viewRow('Places', text);
  await row('figure.mjs').waitFor();
  await row('slow.mjs').waitFor();
  expect(await row('made.mjs').count()).toBe(0);
  expect(await row('plain.mjs').count()).toBe(0);

  await row('slow.mjs').click();
  await row('One after another').click();
  await window.editorTab('slow.mjs').waitFor();
  await row('figure.mjs').click();
  await row('Chunk loop, 5 at a time').click();
  await window.editorTab('figure.mjs').waitFor();
  await row('Pool of @supercharge/promise-pool, limit 5').waitFor();
  await window.codeLens('Visualize').first().click();
  await window.phase('finished');
  await row(/Chunk loop, 5 at a time.*2 chunks · 1\.\d s · \d+ % idle/).waitFor();
  await window.codeLens(/2 chunks · 1\.\d s · \d+ % idle/).waitFor();
  await expect.poll(() => window.lineEnds(), soon).toEqual([expect.stringMatching(/^1\.\d s · \d+ % idle$/), expect.stringMatching(/^1\.\d s · \d+ % idle$/)]);
  await window.picture('places 1 after a run');

  await window.codeLens(/10 tasks/).click();
  const rails = window.panel().locator('.group[data-kind=pool] .plot');
  await expect.poll(() => rails.evaluate((plot) => plot.ownerDocument.activeElement === plot), soon).toBe(true);

  await window.viewRow('Runs', 'figure.mjs').waitFor();
  await window.section('npm Scripts').click();
  await window.viewRow('npm Scripts', 'figure').hover();
  await window.viewRow('npm Scripts', 'figure').getByRole('button', { name: 'Visualize npm Script' }).click();
  await window.editorTab('figure: finished').waitFor();
  await expect.poll(() => window.terminalText(), soon).toContain('all done');
  await window.picture('places 2 npm script');
});
