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

describe('where there is no room for facts', () => {
  /** Runs a program from a shell that first forbids files larger than some kilobytes: its own output goes to a pipe. */
  async function cramped(kilobytes: number, source: string): Promise<{ readonly out: string; readonly err: string; readonly code: number | null; readonly report: unknown }> {
    const dir = mkdtempSync(join(tmpdir(), 'async-lanes-cramped-'));
    try {
      const file = join(dir, 'program.mjs');
      const report = join(dir, 'report.json');
      writeFileSync(file, source);
      const child = spawn(process.execPath, [CLI, 'run', '--report', report, '--exec', '--', 'sh', '-c', `ulimit -f ${kilobytes * 2}; exec "$0" "$1"`, process.execPath, file], { stdio: ['ignore', 'pipe', 'pipe'] });
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

  test.skipIf(process.platform === 'win32')('the program goes on, what fitted is shown, and the run says that something is missing', async () => {
    const { out, err, code, report } = await cramped(32, `
      const one = async () => { await new Promise((r) => setTimeout(r, 1)); };
      for (let i = 0; i < 100; i++) await Promise.all(Array.from({ length: 10 }, one));
      console.log('done');
      process.exitCode = 4;`);
    expect({ out, code }).toEqual({ out: 'done\n', code: 4 });
    expect(err).toContain('its last moments may be missing');
    expect(report).toMatchObject({ run: { complete: false }, groups: [{ kind: 'chunk' }] });
  });
});
