/** Node processes that run at this moment and record into a folder of ours, however they were started. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Grouping } from '../grouping/grouping';
import { FACT_FILE_EXTENSION, type Hello } from '../model/facts';
import { Timeline } from '../timeline/timeline';
import { readHead } from './file-head';

/** Enough for what a process says of itself at the top of its file. */
const HEAD_BYTES = 64 << 10;

export interface ListeningProcess {
  /** Absolute path of the folder it records into. */
  readonly folder: string;
  readonly pid: number;
  /** Its program and arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** @param folders absolute paths of folders of recordings @returns the latest first; a process's workers are not told apart from it */
export async function listeningProcesses(folders: readonly string[]): Promise<ListeningProcess[]> {
  const candidates = folders.flatMap((folder) => mainThreads(folder).flatMap((file) => {
    const hello = helloOf(join(folder, file));
    return hello && isAlive(hello.pid) ? [{ folder, pid: hello.pid, command: hello.argv, cwd: hello.cwd, startedAt: hello.timeOrigin }] : [];
  }));
  const running = await Promise.all(candidates.map(async (each) => (await runs(each.pid, each.command) ? each : undefined)));
  return running.filter((each) => each !== undefined).sort((a, b) => b.startedAt - a.startedAt);
}

/** Whether any process has begun to record into the folder. */
export const hasFacts = (folder: string): boolean => mainThreads(folder).length > 0;

/** Names of fact files: `<pid>-<thread, 0 for the main one>-<start>`. */
function mainThreads(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+-0-/.test(name) && name.endsWith(FACT_FILE_EXTENSION));
  } catch {
    return [];
  }
}

function helloOf(path: string): Hello | undefined {
  try {
    const thread = new Grouping(new Timeline()).openThread();
    thread.push(readHead(path, HEAD_BYTES));
    return thread.hello;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process of that id is the one still: an id goes to others in time. Windows has no question that is answered at once. */
async function runs(pid: number, command: readonly string[]): Promise<boolean> {
  if (process.platform === 'win32') return true;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'args=']);
    return command.slice(2).every((word) => stdout.includes(word));
  } catch {
    return false;
  }
}
