/** A stored run, shown again after the window was reloaded: as it was recorded, or live where its process still runs. */
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { followRecord } from '../session/recorded-process';
import { RecordedRun } from '../session/recorded-run';
import { LiveRun } from '../session/run';
import { readRunRecord, type RunRecord } from '../session/run-record';
import type { StoredRun } from './run-folders';
import type { ShownRun } from './shown-run';

const LOOK_MS = 500;

/** @throws Refusal where nothing of the run can be read any more */
export async function reopen({ folder, script }: StoredRun): Promise<ShownRun> {
  const record = readRunRecord(folder);
  if (record?.pid !== undefined && record.endedAt === undefined && await isProcessOf(record.pid, script)) {
    return follow(folder, script, record, record.pid);
  }
  const source = await RecordedRun.open(folder);
  return { source, folder, finished: Promise.resolve(), closed: Promise.resolve(), stop: () => Promise.resolve(), dispose: () => { /* It holds nothing open. */ } };
}

function follow(folder: string, script: string, { command, cwd }: RunRecord, pid: number): ShownRun {
  const source = new LiveRun({ folder, command, cwd, title: basename(script), process: followRecord(folder, gone(pid, script)) });
  return { source, folder, finished: source.finished, closed: source.finished, stop: () => source.stop(), dispose: () => { source.dispose(); } };
}

/** Resolves when the process has ended, and its launcher has had the time to note how. */
async function gone(pid: number, script: string): Promise<void> {
  do await new Promise((resolve) => { setTimeout(resolve, LOOK_MS).unref(); });
  while (await isProcessOf(pid, script));
  await new Promise((resolve) => { setTimeout(resolve, LOOK_MS).unref(); });
}

/** Whether the process is the script's still: its id may have gone to another one since, which is none of ours to stop. */
async function isProcessOf(pid: number, script: string): Promise<boolean> {
  // Windows has no such question that answers at once; there the end of a window ends its terminals.
  if (process.platform === 'win32') return false;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'args=']);
    return stdout.includes(script);
  } catch {
    return false;
  }
}
