import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reopen } from '../../../src/editor/reopen';
import { scriptTarget } from '../../../src/editor/target';
import { isOver } from '../../../src/model/run';
import { RECORD_VERSION, writeRunRecord } from '../../../src/session/run-record';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'async-lanes-reopen-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

const note = (pid: number): void => {
  writeRunRecord(folder, { format: 'async-lanes-run', version: RECORD_VERSION, command: ['node', 'a.mjs'], cwd: folder, pid, startedAt: Date.now() });
};

it.skipIf(process.platform === 'win32')('follows a run whose process still runs, and can stop it', async () => {
  const script = join(folder, 'a.mjs');
  writeFileSync(script, 'setInterval(() => {}, 1000);');
  const child = spawn(process.execPath, [script], { stdio: 'ignore' });
  note(child.pid ?? 0);
  const run = await reopen({ folder, target: scriptTarget(script) });
  expect(isOver(run.source.state().phase)).toBe(false);
  await run.stop();
  await run.finished;
  expect(run.source.state().phase).toBe('stopped');
  expect(child.signalCode).toBe('SIGTERM');
  run.dispose();
});

it('takes a process that has got the id of an ended run for the stranger it is', async () => {
  note(process.pid);
  await expect(reopen({ folder, target: scriptTarget(join(folder, 'a.mjs')) })).rejects.toThrow(/Nothing was recorded/);
});
