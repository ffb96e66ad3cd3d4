import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KEPT_RUNS, RunFolders } from '../../../src/editor/run-folders';

const START = 1_795_183_154_804;
const NONE: ReadonlySet<string> = new Set();
let root: string;
let folders: RunFolders;

beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'async-lanes-folders-')), 'runs');
  folders = new RunFolders(root);
});
afterEach(async () => { await rm(join(root, '..'), { recursive: true, force: true }); });

it('keeps the last runs and deletes older ones', async () => {
  const made: string[] = [];
  for (let i = 0; i < KEPT_RUNS + 3; i++) made.push(await folders.create(`/work/${i % 2}.mjs`, NONE, START + i));
  expect((await readdir(root)).length).toBe(KEPT_RUNS);
  expect(made.map((path) => existsSync(path))).toEqual(made.map((_, i) => i >= 3));
});

it('deletes no run that is still shown', async () => {
  const shown = await folders.create('/work/shown.mjs', NONE, START);
  for (let i = 1; i <= KEPT_RUNS + 5; i++) await folders.create('/work/a.mjs', new Set([shown]), START + i);
  expect(existsSync(shown)).toBe(true);
});

it('deletes nothing that is no run of its own making', async () => {
  await folders.create('/work/a.mjs', NONE, START);
  await writeFile(join(root, 'notes.txt'), 'mine');
  for (let i = 1; i <= KEPT_RUNS + 1; i++) await folders.create('/work/a.mjs', NONE, START + i);
  expect(existsSync(join(root, 'notes.txt'))).toBe(true);
});

it('lists what is kept, the last run first', async () => {
  const first = await folders.create('/work/a.mjs', NONE, START);
  const last = await folders.create('/work/a.mjs', NONE, START + 3);
  const other = await folders.create('/work/b.mjs', NONE, START + 2);
  expect(await folders.list()).toEqual([
    { folder: last, script: '/work/a.mjs' }, { folder: other, script: '/work/b.mjs' }, { folder: first, script: '/work/a.mjs' },
  ]);
});

it('lists nothing before anything ran', async () => {
  expect(await folders.list()).toEqual([]);
});

it.each(['{"script":"relative.mjs"}', '{"script":"/elsewhere/other.mjs"}', '{"script":7}', 'no JSON', ''])(
  'does not list a folder whose note of its script is wrong (%s)', async (note) => {
    const folder = await folders.create('/work/a.mjs', NONE, START);
    await writeFile(join(folder, 'script.json'), note);
    expect(await folders.list()).toEqual([]);
  });
