import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { labelsKo, sentencesKo } from '../../../media/demos/lib/ko.mjs';
import { DEMOS } from '../../../scripts/demos.mjs';
import type { Demo, DemoTable } from '../../../src/model/demos';
import { decodeFrame } from '../../../src/model/frames';
import type { Lesson } from '../../../src/model/protocol';
import type { Report } from '../../../src/model/report';
import { commandLine, follow, type Ended, type Running } from './command-line';

const cli = commandLine();
const MEDIA = join(import.meta.dirname, '../../../media/demos');
const places: string[] = [];
afterAll(() => { for (const place of places) rmSync(place, { recursive: true, force: true }); });

interface Row { readonly figure: string; readonly measured: number; readonly documented?: number | string; readonly expected?: number }
interface Started extends Running {
  /** Its temporary folder. */
  readonly tmp: string;
  figures(): Readonly<Record<string, Row>>;
  /** What its figures and tables go by. */
  names(): string[];
}

/** A demo's script as it is, run by Node alone. */
function start(name: string, more: NodeJS.ProcessEnv, ...words: string[]): Started {
  const place = mkdtempSync(join(tmpdir(), 'async-lanes-demos-'));
  places.push(place);
  const [tmp, record] = ['tmp', 'record'].map((folder) => join(place, folder));
  for (const folder of [tmp, record]) mkdirSync(folder);
  const env = { ...process.env, TMPDIR: tmp, ASYNC_LANES_DIR: record, NODE_OPTIONS: '', LC_ALL: 'C.UTF-8', ...more };
  const running = follow(spawn(process.execPath, [join(MEDIA, `${name}.mjs`), ...words], { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  const told = (): { rows: Row[]; tables: DemoTable[] } => JSON.parse(readFileSync(join(record, 'figures.json'), 'utf8')) as { rows: Row[]; tables: DemoTable[] };
  return {
    ...running, tmp,
    figures: () => Object.fromEntries(told().rows.map((row) => [row.figure, row])),
    names: () => [...told().rows.map(({ figure }) => figure), ...told().tables.flatMap(({ table, columns }) => [table, ...columns.map(({ column }) => `${table}.${column}`)])],
  };
}

async function figuresOf(name: string, ...words: string[]): Promise<{ rows: Readonly<Record<string, Row>>; ended: Ended }> {
  const demo = start(name, {}, ...words);
  const ended = await demo.ended;
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout).toMatch(/measured +the document +theory\n/);
  expect(readdirSync(demo.tmp)).toEqual([]);
  const names = demo.names().filter((each) => labelsKo[`${name}.${each}`] === undefined);
  expect(names, 'named in Korean').toEqual([]);
  return { rows: demo.figures(), ended };
}

/** The sentences that stand as say`…` in a source, `{}` for each value. */
function sentencesIn(source: string): string[] {
  return source.split('say`').slice(1).map((rest) => {
    let depth = 0;
    let text = '';
    for (let i = 0; i < rest.length; i++) {
      if (depth === 0 && rest[i] === '`') break;
      if (rest.startsWith('${', i)) { if (depth++ === 0) text += '{}'; i++; } else if (depth > 0 && rest[i] === '{') depth++;
      else if (depth > 0 && rest[i] === '}') depth--;
      else if (depth === 0) text += rest[i];
    }
    return text;
  });
}

describe('the demos', () => {
  it('say in Korean all they say in English', async () => {
    const files = ['.', 'lib'].flatMap((folder) => readdirSync(join(MEDIA, folder)).filter((name) => name.endsWith('.mjs')).map((name) => join(MEDIA, folder, name)));
    const said = new Set(files.filter((file) => !file.endsWith('say.mjs')).flatMap((file) => sentencesIn(readFileSync(file, 'utf8'))));
    expect(said.size).toBeGreaterThan(30);
    expect([...said].sort()).toEqual(Object.keys(sentencesKo).sort());
    for (const [english, korean] of Object.entries(sentencesKo)) {
      const places = english.split('{}').length - 1;
      expect([...korean.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place)).sort(), english).toEqual(Array.from({ length: places }, (_, i) => i));
    }
    const { stdout } = await start('fail-fast', { ASYNC_LANES_LANGUAGE: 'ko' }, '--scale', '0.02').ended;
    expect(stdout).toContain('끝난 작업 2개, 아직 실행 중인 작업 7개');
    expect(stdout).toMatch(/측정 +문서 +이론\n/);
  });

  it('are listed without a name, in the order of the registry', async () => {
    const { status, stdout, stderr } = await cli.run(['demo']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trim().split('\n').map((line) => line.split(' ')[0])).toEqual(DEMOS);
    expect(readdirSync(MEDIA).filter((name) => name.endsWith('.mjs')).sort()).toEqual(DEMOS.map((name) => `${name}.mjs`).sort());
  });

  it.each(DEMOS)('%s tells what can be turned in it, and each of its own values is allowed', async (name) => {
    const { stdout } = await start(name, {}, '--describe').ended;
    const { parameters } = JSON.parse(stdout) as Demo;
    const help = (await cli.run(['demo', name, '--help'])).stdout;
    for (const parameter of Object.keys(parameters)) expect(help).toContain(`--${parameter} `);
    const own = Object.entries(parameters).flatMap(([parameter, { is }]) => [`--${parameter}`, String(is)]);
    expect((await start(name, {}, ...own, '--bogus', '1').ended).stderr).toMatch(/there is no parameter "--bogus"/);
  });

  it('chunk-vs-rail is captured like any script, as chunks and as rails', async () => {
    const { status } = await cli.run(['demo', 'chunk-vs-rail', '--scale', '0.02', '--report', 'demo.json', '--count', '40', '--size', '10']);
    expect(status).toBe(0);
    const { groups } = JSON.parse(readFileSync(join(cli.place, 'demo.json'), 'utf8')) as Report;
    expect(groups.map(({ kind, library, taskCount, lanes, chunks }) => [kind, library, taskCount, lanes, chunks])).toEqual([
      ['chunk', null, 40, 10, 4], ['pool', '@supercharge/promise-pool', 40, 10, null],
    ]);
  });

  it('tell their lesson in the browser, and run again with the values it sends, as far as they make sense', async () => {
    const { shows, ended } = cli.start(['demo', 'fail-fast', '--open', '--quiet', '--scale', '0.02', '--count', '4']);
    const [, url] = await shows(/the viewer is at (http\S+)/);
    const address = new URL(url);
    const socket = new WebSocket(`ws://${address.host}/live${address.search}`, { headers: { origin: address.origin } });
    const lessons: Lesson[] = [];
    const titles = new Set<string>();
    socket.on('open', () => { socket.send('{"type":"ready"}'); });
    // Confirms nothing, so that the viewer stays until the view has gone.
    socket.on('message', (data) => {
      const message = decodeFrame(new Uint8Array(data as Buffer).buffer);
      if (message.type === 'hello') titles.add(message.run.command.slice(2).join(' '));
      if (message.type === 'lesson') lessons.push(message);
    });
    const settled = (runs: number) => expect.poll(() => lessons.some((lesson) => lesson.runs.length === runs && !lesson.isRunning), { timeout: 20_000 }).toBe(true);
    await settled(1);
    socket.send(JSON.stringify({ type: 'runDemo', values: { count: 3, fails: 1, scale: 1e9, bogus: 1 } }));
    await settled(2);
    socket.close();
    expect(lessons.at(-1)?.runs.map(({ values }) => values)).toMatchObject([{ count: 4, scale: 0.02 }, { count: 3, fails: 1, scale: 0.2 }]);
    expect([...titles]).toEqual(['--scale 0.02 --count 4', '--count 3 --fails 1 --first 1000 --step 500 --scale 0.2']);
    expect((await ended).status).toBe(0);
  });

  it('chunk-vs-rail prints each chunk, and the figure of the document beside what it measured', async () => {
    const { rows, ended } = await figuresOf('chunk-vs-rail', '--tasks', 'figure', '--size', '5', '--scale', '0.03', '--library', 'both');
    expect(ended.stdout.match(/^ {2}chunk +\d of 2 +5 tasks +min +\d+ ms +max +249 ms +elapsed +[\d.]+ ms +\d+ done$/gm)).toHaveLength(2);
    expect(Object.keys(rows)).toEqual(['chunk', 'chunks', 'rails', 'es6', 'less']);
    expect(rows).toMatchObject({ chunks: { documented: 16.6 }, rails: { documented: 14.3 } });
    expect(rows['chunks'].measured).toBeGreaterThanOrEqual(16.5);
    expect(rows['rails'].measured).toBeGreaterThanOrEqual(14.2);
  });

  it('chunk-vs-rail with fewer connections than tasks at once takes as long as those allow', async () => {
    const { rows, ended } = await figuresOf('chunk-vs-rail', '--tasks', 'similar', '--count', '40', '--size', '20', '--free', '10', '--scale', '0.02');
    expect(ended.stdout).toContain('Only 10 connections are free: of 20 tasks that run, 10 wait for one.');
    // 40 tasks of some 1.25 s on 10 connections.
    expect(rows['rails'].measured).toBeGreaterThanOrEqual(4.8);
  });

  it('fail-fast counts what went on after the rejection', async () => {
    const { rows } = await figuresOf('fail-fast', '--count', '6', '--fails', '2');
    expect(rows).toMatchObject({ ignored: { measured: 4, expected: 4 }, kept: { measured: 5, expected: 5 } });
    expect((await figuresOf('fail-fast', '--count', '3', '--fails', '0', '--scale', '0.02')).rows).toMatchObject({ ignored: { measured: 0 }, kept: { measured: 3 } });
  });

  it('read-files reads them every way', async () => {
    const { rows } = await figuresOf('read-files', '--files', '40', '--workers', '2');
    expect(Object.keys(rows)).toEqual(['one', 'all', 'then', 'workers4', 'worker', 'stream', ...(process.platform === 'win32' ? [] : ['shell']), 'uv1', 'uv4', 'uv16', 'limited']);
  });

  it.each([['SIGINT', /Reading 3000 files/], ['SIGTERM', /Reading 3000 files/], ['SIGINT', /600 of 3000 files made/]] as const)('read-files leaves nothing behind after %s at %s', async (signal, moment) => {
    const { child, shows, ended, tmp } = start('read-files', {}, '--files', '3000');
    await shows(moment);
    child.kill(signal);
    expect((await ended).status).toBe(signal === 'SIGINT' ? 130 : 143);
    expect(readdirSync(tmp)).toEqual([]);
  });

  it('pipeline runs all six variants, and follows an item through its stages', async () => {
    const { rows, ended } = await figuresOf('pipeline', '--seconds', '0.3', '--follow', '20');
    for (const variant of ['Topic', 'NonTopic', 'NonFanOut', 'StepMinified', 'EfficientStepMinified', 'OrderingStepMinified']) expect(rows[`${variant}-lane`].measured).toBeGreaterThan(0);
    expect(ended.stdout.match(/item 20: .*step 1 .*final.* done [\d.]+ ms/g)).toHaveLength(3);
    expect(ended.stdout.match(/ limits: /g)).toHaveLength(6);
    expect(ended.stdout.match(/: stage by stage\n/g)).toHaveLength(6);
  });

  it('sync-vs-async has its three tables', async () => {
    const { rows } = await figuresOf('sync-vs-async', '--many', '10', '--reads', '2');
    const disk = process.platform === 'linux' ? ['disk-one', 'disk-two', 'disk-large'] : [];
    expect(Object.keys(rows)).toEqual(['memory-one', 'memory-two', 'memory-large', ...disk, 'promise', 'promises', 'blocked', 'free']);
  });

  it('thread-pool does as many tasks as the document', async () => {
    const { rows, ended } = await figuresOf('thread-pool', '--scale', '0.02', '--requests', '1', '--inner', '2');
    for (const policy of ['callerRuns', 'abort', 'discard', 'discardOldest']) expect(rows[policy].measured).toBe(rows[policy].documented);
    expect(ended.stdout).toContain('ran by the caller: 7');
    expect(ended.stdout).toMatch(/rejected: 7 8 9 10\n/);
    // Two rounds of 80 ms, where one would do; each timer may be early by parts of a millisecond, and a fiftieth of the time was taken.
    expect(rows['starved'].measured).toBeGreaterThan(120);
  });
});
