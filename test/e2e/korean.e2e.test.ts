import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { FIGURE, QUEUED, useWorkspaces } from './workspace';

const HANGUL = /[가-힣]/;
const code = useVsCode({ locale: 'ko' });
const workspace = useWorkspaces();

it('speaks Korean in the palette, the panel, its views and the walkthrough', async () => {
  const window = await code.open(workspace({ 'figure.mjs': FIGURE, 'queued.mjs': QUEUED, 'notes.md': '' }));
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
  await window.codeLens(/작업 10개/).waitFor();
  await window.openFile('queued.mjs');
  await window.run('풀 실행 시각화');
  await window.editorTab('queued.mjs: 완료').waitFor();
  const strip = panel.locator('.queue canvas');
  await strip.waitFor();
  expect(await strip.getAttribute('aria-label')).toMatch(HANGUL);
  await window.picture('korean 3 queue');
  await window.run('View: Show Async Lanes');
  for (const title of ['위치', 'npm 스크립트', '교육용 데모', '실행']) await window.section(title).first().waitFor();
  await window.section('교육용 데모').click();
  await window.viewRow('교육용 데모', /fail-fast.*거부/).waitFor();
  await window.picture('korean 1');
  await window.run('Welcome: Open Walkthrough...');
  await window.choose('Async Lanes 시작하기');
  for (const step of ['데모 실행', '청크 읽기', '레일로 바꿔 보기', '내 코드로 해 보기']) await window.page.locator('.gettingStartedContainer .getting-started-step', { hasText: step }).waitFor();
  await window.picture('korean 2');
});
