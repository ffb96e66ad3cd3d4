import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KEPT_RUNS, RunFolders } from '../../../src/editor/run-folders';
import { scriptTarget } from '../../../src/editor/target';
import { tracedEnvironment } from '../../../src/session/environment';
import { follow } from '../cli/command-line';
import { bundled } from '../session/traced';

const START = 1_795_183_154_804;
const NONE: ReadonlySet<string> = new Set();
const { dist } = bundled('agent.cjs');
let root: string;
let folders: RunFolders;

beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'async-lanes-folders-')), 'runs');
  folders = new RunFolders(root);
});
afterEach(async () => { await rm(join(root, '..'), { recursive: true, force: true }); });

it('keeps the last runs and deletes older ones', async () => {
  const made: string[] = [];
  for (let i = 0; i < KEPT_RUNS + 3; i++) made.push(await folders.create(scriptTarget(`/work/${i % 2}.mjs`), NONE, START + i));
  expect((await readdir(root)).length).toBe(KEPT_RUNS);
  expect(made.map((path) => existsSync(path))).toEqual(made.map((_, i) => i >= 3));
});

it('keeps fewer runs where they are large, but the last one in any case', async () => {
  const small = new RunFolders(root, 3000);
  const made: string[] = [];
  const run = async (bytes: number): Promise<void> => {
    made.push(await small.create(scriptTarget('/work/a.mjs'), NONE, START + made.length));
    await writeFile(join(made[made.length - 1], '1-0-a.facts'), Buffer.alloc(bytes));
  };
  for (const bytes of [1000, 1000, 1000, 9000, 0]) await run(bytes);
  expect(made.map((path) => existsSync(path))).toEqual([false, false, false, true, true]);
  await run(0);
  expect(made.map((path) => existsSync(path))).toEqual([false, false, false, false, true, true]);
});

it('deletes no run that is still shown', async () => {
  const shown = await folders.create(scriptTarget('/work/shown.mjs'), NONE, START);
  for (let i = 1; i <= KEPT_RUNS + 5; i++) await folders.create(scriptTarget('/work/a.mjs'), new Set([shown]), START + i);
  expect(existsSync(shown)).toBe(true);
});

it('knows a run that a process records into, whoever started it, and deletes it only once that has ended', async () => {
  const folder = await folders.create(scriptTarget('/work/live.mjs'), NONE, START);
  const env = tracedEnvironment(process.env, { agent: join(dist, 'agent.cjs'), folder });
  const { child, shows, ended } = follow(spawn(process.execPath, ['-e', "console.log('there'); process.stdin.resume()"], { env, stdio: 'pipe' }));
  await shows(/there/);
  const others: string[] = [];
  for (let i = 1; i <= KEPT_RUNS; i++) others.push(await folders.create(scriptTarget('/work/a.mjs'), NONE, START + i));
  expect([...await folders.written([{ folder }, { folder: others[0] }])]).toEqual([folder]);
  expect(existsSync(folder)).toBe(true);
  child.stdin?.end();
  await ended;
  expect((await folders.written([{ folder }])).size).toBe(0);
  await folders.create(scriptTarget('/work/a.mjs'), NONE, START + KEPT_RUNS + 1);
  expect(existsSync(folder)).toBe(false);
});

it('deletes nothing that is no run of its own making', async () => {
  await folders.create(scriptTarget('/work/a.mjs'), NONE, START);
  await writeFile(join(root, 'notes.txt'), 'mine');
  for (let i = 1; i <= KEPT_RUNS + 1; i++) await folders.create(scriptTarget('/work/a.mjs'), NONE, START + i);
  expect(existsSync(join(root, 'notes.txt'))).toBe(true);
});

it('lists what is kept, the last run first', async () => {
  const first = await folders.create(scriptTarget('/work/a.mjs'), NONE, START);
  const last = await folders.create(scriptTarget('/work/a.mjs'), NONE, START + 3);
  const other = await folders.create(scriptTarget('/work/b.mjs'), NONE, START + 2);
  expect(await folders.list()).toEqual([
    { folder: last, target: scriptTarget('/work/a.mjs'), startedAt: START + 3 },
    { folder: other, target: scriptTarget('/work/b.mjs'), startedAt: START + 2 },
    { folder: first, target: scriptTarget('/work/a.mjs'), startedAt: START },
  ]);
});

it('remembers what is noted of a run, and of one that is gone nothing', async () => {
  const place = { file: '/work/a.mjs', line: 3, kind: 'chunk', group: 1, groups: 1, tasks: 8, chunks: 2, rejected: 0, elapsedMs: 70, busyMs: 50, idleMs: 20 } as const;
  const summary = { phase: 'finished', exitCode: 0, elapsedMs: 80, groups: 1, tasks: 8, rejected: 0, places: [place] } as const;
  const folder = await folders.create({ kind: 'npm', path: '/work/package.json', script: 'build' }, NONE, START);
  await folders.note(folder, { summary });
  await folders.note(folder, { name: 'before the change' });
  const [run] = await folders.list();
  expect(run).toMatchObject({ name: 'before the change', summary, target: { kind: 'npm', script: 'build' } });
  await folders.delete(run);
  await folders.note(folder, { name: 'again' });
  expect(await folders.list()).toEqual([]);
});

it('takes no figures of a note that are none', async () => {
  const folder = await folders.create(scriptTarget('/work/a.mjs'), NONE, START);
  for (const summary of [{ phase: 'running' }, { phase: 'finished', elapsedMs: -1, groups: 0, tasks: 0, rejected: 0, places: [] }, 'done']) {
    await writeFile(join(folder, 'note.json'), JSON.stringify({ target: scriptTarget('/work/a.mjs'), summary }));
    expect((await folders.list())[0].summary).toBeUndefined();
  }
});

it('lists nothing before anything ran', async () => {
  expect(await folders.list()).toEqual([]);
});

it.each([{ kind: 'script', path: 'relative.mjs' }, { kind: 'script', path: '/elsewhere/other.mjs' }, { kind: 'other', path: '/work/a.mjs' }, 7, 'no target'])(
  'does not list a folder whose note of what ran is wrong (%j)', async (target) => {
    const folder = await folders.create(scriptTarget('/work/a.mjs'), NONE, START);
    await writeFile(join(folder, 'note.json'), JSON.stringify({ target }));
    expect(await folders.list()).toEqual([]);
  });
