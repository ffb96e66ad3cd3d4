/** Whatever way a program ends: what it had done by then is in its facts. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { observe, runPlain } from './observed';

const CLI = resolve(import.meta.dirname, '../../dist/cli.js');
const nodes = findNodes();

/** 40 tasks; when the last has ended, the program ends in its own way. */
const program = (end: string): string => `
  process.exitCode = 0;
  const one = async (i) => { await new Promise((r) => setTimeout(r, 1 + i % 3)); return i; };
  const items = Array.from({ length: 40 }, (_, i) => i);
  for (let i = 0; i < 40; i += 10) await Promise.all(items.slice(i, i + 10).map(one));
  ${end}`;

/** A signal comes from outside, when the program has nothing to do. */
const signalled = (signal: string): string => `setTimeout(() => {}, 60_000); await new Promise((r) => setTimeout(r, 50)); process.kill(process.pid, '${signal}');`;

const ENDS: Readonly<Record<string, string>> = {
  'by itself': '',
  'by process.exit': 'process.exit(3);',
  'by an uncaught exception': `setImmediate(() => { throw new Error('uncaught'); }); await new Promise(() => { setTimeout(() => {}, 60_000); });`,
  'by an unhandled rejection': `Promise.reject(new Error('unhandled')); await new Promise(() => { setTimeout(() => {}, 60_000); });`,
  'by SIGTERM': signalled('SIGTERM'),
  'by SIGINT': signalled('SIGINT'),
  'by SIGKILL': signalled('SIGKILL'),
  'by SIGTERM that it handles': `process.on('SIGTERM', () => { console.log(process.listenerCount('SIGTERM')); process.exit(5); }); ${signalled('SIGTERM')}`,
  'by SIGINT that it handles and dies of all the same': `process.once('SIGINT', () => { process.kill(process.pid, 'SIGINT'); }); ${signalled('SIGINT')}`,
};

describe.each(NODE_MAJORS)('Node %i', (major) => {
  test.for(Object.keys(ENDS))('nothing is lost of a program that ends %s', async (name, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const source = program(ENDS[name]);
    const { out, err, code, signal, groups, dropped } = await observe(source, { node });
    expect({ out, err, code, signal }).toEqual(await runPlain(source, { node }));
    expect(dropped).toBe(0);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 4, taskCount: 40, fulfilled: 40, pending: 0 }]);
  });
});

test.each(['v8', 'async_hooks'] as const)('what a program did that never came to rest is known to the last milliseconds before it was killed (%s)', async (backend) => {
  const { out, groups, signal } = await observe(`
    import { writeSync } from 'node:fs';
    const begun = [];
    const one = async (i) => { begun.push(performance.now()); const until = performance.now() + 2; while (performance.now() < until); await null; return i; };
    for (let i = 0; i < 60; i += 3) await Promise.all([one(i), one(i + 1), one(i + 2)]);
    writeSync(1, String(begun.filter((time) => time < performance.now() - 50).length));
    process.kill(process.pid, 'SIGKILL');`, { backend });
  expect(signal).toBe('SIGKILL');
  expect(groups).toHaveLength(1);
  expect(groups[0].taskCount).toBeGreaterThanOrEqual(Number(out));
});

describe('nothing counts as lost that is not', () => {
  const one = 'const load = async (i) => { await new Promise((r) => setTimeout(r, i % 5)); return i; };\n';

  test.each([
    ['a cache whose promises are awaited again', `${one}const cache = new Map(); const get = (i) => { if (!cache.has(i)) cache.set(i, load(i)); return cache.get(i); };
const ids = Array.from({ length: 6000 }, (_, i) => i); for (let round = 0; round < 3; round++) await Promise.all(ids.map(get));`, 6000],
    ['results asked for twice', `${one}const all = Array.from({ length: 6000 }, (_, i) => load(i)); await Promise.allSettled(all); await Promise.all(all);`, 6000],
    ['async functions that give what another one gave, tens of thousands of times', `${one}const give = async (before) => before; let last = load(1); for (let i = 0; i < 32000; i++) last = give(last); await last; await Promise.all([load(1), load(2)]);`, undefined],
  ])('%s', async (_name, program, taskCount) => {
    const { groups, dropped } = await observe(program, { as: 'a.mjs' });
    expect(dropped).toBe(0);
    if (taskCount !== undefined) expect(groups[0]).toMatchObject({ taskCount, fulfilled: taskCount });
  });
});

describe('where facts cannot be written', () => {
  /** Runs a program by the command line. @param command what is started, given Node and the program's file */
  async function run(source: string, command: (node: string, file: string) => readonly string[]): Promise<{ readonly out: string; readonly err: string; readonly code: number | null; readonly report: unknown }> {
    const dir = mkdtempSync(join(tmpdir(), 'async-lanes-cramped-'));
    try {
      const file = join(dir, 'program.mjs');
      const report = join(dir, 'report.json');
      writeFileSync(file, source);
      const child = spawn(process.execPath, [CLI, 'run', '--report', report, '--exec', '--', ...command(process.execPath, file)], { stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      let err = '';
      child.stdout.on('data', (data: Buffer) => { out += data.toString(); });
      child.stderr.on('data', (data: Buffer) => { err += data.toString(); });
      const code = await new Promise<number | null>((done) => { child.on('close', done); });
      return { out, err, code, report: JSON.parse(readFileSync(report, 'utf8')) as unknown };
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }

  const BREAKS_OFF = 'its last moments may be missing\n';
  const WHY = 'warning: The recording of a process breaks off before the end: it was killed, or the disk was full, or its folder or file was taken away.';

  // A shell first forbids files larger than some kilobytes; the program's own output goes to a pipe.
  test.skipIf(process.platform === 'win32')('the program goes on, what fitted is shown, and the run says that something is missing', async () => {
    const { out, err, code, report } = await run(`
      const one = async () => { await new Promise((r) => setTimeout(r, 1)); };
      for (let i = 0; i < 100; i++) await Promise.all(Array.from({ length: 10 }, one));
      console.log('done');
      process.exitCode = 4;`, (node, file) => ['sh', '-c', 'ulimit -f 64; exec "$0" "$1"', node, file]);
    expect({ out, code }).toEqual({ out: 'done\n', code: 4 });
    expect(err).toContain(BREAKS_OFF);
    expect(err).toContain(WHY);
    expect(report).toMatchObject({ run: { complete: false }, groups: [{ kind: 'chunk' }] });
  });

  test.each([
    ['the folder is deleted', 'fs.rmSync(dir, { recursive: true });'],
    ['the file is deleted', 'for (const name of names) fs.unlinkSync(name);'],
    ['the file is emptied', 'for (const name of names) fs.truncateSync(name);'],
    ['the file is closed', `for (let n = 3; n < 60; n++) { try { if (fs.readlinkSync('/proc/self/fd/' + n).endsWith('.facts')) fs.closeSync(n); } catch {} }`, 'linux'],
  ])('and so it is where %s under way', async (_, harm, platform?: string) => {
    if (platform !== undefined && platform !== process.platform) return;
    const { out, err, code, report } = await run(`
      import fs from 'node:fs'; const dir = process.env.ASYNC_LANES_DIR; const names = fs.readdirSync(dir).map((name) => dir + '/' + name);
      const one = async () => { await new Promise((r) => setTimeout(r, 1)); };
      for (let i = 0; i < 10; i++) await Promise.all([one(), one(), one()]);
      await new Promise((r) => setTimeout(r, 300));
      ${harm}
      for (let i = 0; i < 40; i++) await Promise.all([one(), one(), one()]);
      console.log('done');
      process.exitCode = 4;`, (node, file) => [node, file]);
    expect({ out, code }).toEqual({ out: 'done\n', code: 4 });
    expect(err).toContain(BREAKS_OFF);
    expect(err).toContain(WHY);
    expect(report).toMatchObject({ run: { complete: false } });
  });
});
