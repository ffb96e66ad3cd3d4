import { expect, it } from 'vitest';
import { useVsCode } from './vscode';

const code = useVsCode();
const soon = { timeout: 60_000 };

it('opens a teaching demo from walkthrough, view and palette, without a folder, runs it twice, and sets its figures side by side', async () => {
  const window = await code.open(undefined);
  await window.run('Welcome: Open Walkthrough...');
  await window.choose('Get Started with Async Lanes');
  const walkthrough = window.page.locator('.gettingStartedContainer');
  await walkthrough.locator('.getting-started-step', { hasText: 'Run the demo' }).waitFor();
  await window.picture('demo 1 walkthrough');
  await walkthrough.getByRole('button', { name: 'Open the Demo' }).click();
  await window.editorTab('chunk-vs-rail.mjs').waitFor();
  await window.run('View: Close All Editors');

  await window.run('Async Lanes: Open Teaching Demo…');
  await window.choose('fail-fast');
  const lesson = window.panel().locator('.lesson');
  await lesson.locator('h1', { hasText: 'One rejection among many' }).waitFor();
  await window.reload();
  await lesson.locator('h1', { hasText: 'One rejection among many' }).waitFor();
  await lesson.locator('#parameter-count').fill('0');
  await lesson.getByText('It goes from 1 to 1000.').waitFor();
  await lesson.locator('#parameter-count').fill('6');
  await lesson.locator('#parameter-fails').fill('3');
  await lesson.locator('#parameter-scale').fill('0.05');
  await lesson.locator('.lesson-run').click();
  await lesson.locator('thead th', { hasText: 'run 1' }).waitFor();
  const ignored = lesson.locator('tbody tr', { hasText: 'tasks that went on, and were ignored' });
  expect(await ignored.locator('td').allInnerTexts()).toEqual(['–', '3', '3']);
  await expect.poll(() => window.panel().locator('.group h2').allTextContents(), soon).toEqual(['Promise.all', 'Promise.allSettled']);

  await lesson.locator('#parameter-fails').fill('0');
  await lesson.locator('.lesson-run').click();
  await lesson.locator('thead th', { hasText: 'run 2' }).waitFor();
  expect(await ignored.locator('td').allInnerTexts()).toEqual(['–', '0', '3', '0']);
  await window.picture('demo 2 lesson');

  await window.run('View: Show Async Lanes');
  await window.section('Teaching Demos').click();
  await window.viewRow('Teaching Demos', /fail-fast.*tasks · /).waitFor();
  await window.openRow('Teaching Demos', 'pipeline', 'pipeline.mjs');
  await window.picture('demo 3 view');
});
