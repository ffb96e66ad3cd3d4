/** A stored run, shown again after the window was reloaded: as it was recorded, or live where its process still runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasFacts, listeningProcesses } from '../session/listening';
import { followRecord } from '../session/recorded-process';
import { RecordedRun } from '../session/recorded-run';
import { LiveRun } from '../session/run';
import { readRunRecord, type RunRecord } from '../session/run-record';
import { OpenRecording } from './open-recording';
import type { StoredRun } from './run-folders';
import type { ShownRun } from './shown-run';
import { titleOf, type Target } from './target';

const LOOK_MS = 500;

/** @throws Refusal where nothing of the run can be read any more */
export async function reopen({ folder, target }: Pick<StoredRun, 'folder' | 'target'>): Promise<ShownRun> {
  const record = readRunRecord(folder);
  if (target.kind === 'open' && await goesOn(folder, record)) return new OpenRecording(folder, titleOf(target), target.path);
  if (record?.pid !== undefined && record.endedAt === undefined && await isProcessOf(record.pid, record)) {
    return follow(folder, target, record, record.pid);
  }
  const source = await RecordedRun.open(folder);
  return { source, folder, finished: Promise.resolve(), closed: Promise.resolve(), stop: () => Promise.resolve(), dispose: () => { /* It holds nothing open. */ } };
}

/** What was started by hand: some process of it runs, or it still waits for its first one. */
async function goesOn(folder: string, record: RunRecord | undefined): Promise<boolean> {
  return (await listeningProcesses([folder])).length > 0 || (record?.endedAt === undefined && !hasFacts(folder));
}

function follow(folder: string, target: Target, record: RunRecord, pid: number): ShownRun {
  const { command, cwd } = record;
  const source = new LiveRun({ folder, command, cwd, title: titleOf(target), process: followRecord(folder, gone(pid, record)) });
  return { source, folder, finished: source.finished, closed: source.finished, stop: () => source.stop(), dispose: () => { source.dispose(); } };
}

/** Resolves when the process has ended, and its launcher has had the time to note how. */
async function gone(pid: number, record: RunRecord): Promise<void> {
  do await new Promise((resolve) => { setTimeout(resolve, LOOK_MS).unref(); });
  while (await isProcessOf(pid, record));
  await new Promise((resolve) => { setTimeout(resolve, LOOK_MS).unref(); });
}

/** Whether the process is the run's still: its id may have gone to another one since, which is none of ours to stop. */
async function isProcessOf(pid: number, { command }: RunRecord): Promise<boolean> {
  // Windows has no such question that answers at once; there the end of a window ends its terminals.
  if (process.platform === 'win32') return false;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'args=']);
    return command.slice(1).every((word) => stdout.includes(word));
  } catch {
    return false;
  }
}
