/** Ends a process and everything it started. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Polite first; what has not ended by itself after `graceMs` is killed. */
export async function endTree(pid: number, ended: Promise<unknown>, graceMs: number): Promise<void> {
  if (process.platform === 'win32') {
    // There is no polite signal for a console program there.
    await run('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  const asked = await withDescendants(pid);
  for (const one of asked) signal(one, 'SIGTERM');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise<'late'>((resolve) => { timer = setTimeout(resolve, graceMs, 'late'); });
  const outcome = await Promise.race([ended, grace]);
  clearTimeout(timer);
  if (outcome !== 'late') return;
  // Looked up again: it may have started more since, and a process whose parent has gone is found no more.
  for (const one of new Set([...asked, ...await withDescendants(pid)])) signal(one, 'SIGKILL');
}

/** The process itself comes last, so that nobody is left to start anew what was ended. */
async function withDescendants(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const line of (await run('ps', ['-A', '-o', 'pid=,ppid='])).split('\n')) {
    const [own, parent] = line.trim().split(/\s+/).map(Number);
    if (own > 0 && parent > 0) children.set(parent, [...children.get(parent) ?? [], own]);
  }
  const found = new Set([pid]);
  for (const one of found) for (const child of children.get(one) ?? []) found.add(child);
  return [...found].reverse();
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch { /* It has ended already. */ }
}

async function run(file: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(file, [...args], { maxBuffer: 16 << 20 })).stdout;
  } catch {
    return '';
  }
}
