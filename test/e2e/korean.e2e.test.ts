import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { FIGURE, useWorkspaces } from './workspace';

const HANGUL = /[가-힣]/;
const code = useVsCode({ locale: 'ko' });
const workspace = useWorkspaces();

it('speaks Korean in the palette, the panel and its messages', async () => {
  const window = await code.open(workspace({ 'figure.mjs': FIGURE, 'notes.md': '' }));
  await window.openFile('figure.mjs');
  expect(await window.offered('풀 실행')).toContain('Async Lanes: 풀 실행 시각화');
  await window.run('풀 실행 시각화');
  await window.phase('finished');
  await window.editorTab('figure.mjs: 완료').waitFor();
  const panel = window.panel();
  expect(await panel.locator('.phase').innerText()).toMatch(HANGUL);
  expect(await panel.locator('.run-again').innerText()).toBe('다시 실행');
  for (const word of await panel.locator('.figure:visible dt').allInnerTexts()) expect(word).toMatch(HANGUL);
  await panel.locator('.page[data-settled=true]').waitFor();
  await window.picture('korean 1');
});
