import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { decodeFrame } from '../../../src/model/frames';
import type { ToView } from '../../../src/model/protocol';
import type { Report } from '../../../src/model/report';
import { commandLine } from './command-line';

const cli = commandLine();
const read = (name: string): string => readFileSync(join(cli.place, name), 'utf8');
const parse = (text: string): Report => JSON.parse(text) as Report;

beforeAll(async () => {
  cli.script('chunks.mjs', `
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    async function work(ms) { await sleep(ms); }
    for (let i = 0; i < 3; i++) await Promise.all([10, 20].map(work));
  `);
  await cli.run(['run', '--quiet', '--report', 'live.json', '--trace', 'run.lanes', 'chunks.mjs']);
});

/** A browser's side: acknowledges what it is sent. */
function view(url: string): { got: ToView[]; closed: Promise<unknown> } {
  const address = new URL(url);
  const socket = new WebSocket(`ws://${address.host}/live${address.search}`, { headers: { origin: address.origin } });
  const got: ToView[] = [];
  socket.on('open', () => { socket.send('{"type":"ready"}'); });
  socket.on('message', (data) => {
    const message = decodeFrame(new Uint8Array(data as Buffer).buffer);
    got.push(message);
    if (message.type === 'delta') socket.send(JSON.stringify({ type: 'ack', seq: message.seq }));
  });
  return { got, closed: new Promise((resolve) => { socket.once('close', resolve); }) };
}

describe('a recorded run', () => {
  it('report prints on stdout what the live run reported, and nothing else', async () => {
    const { status, stdout, stderr } = await cli.run(['report', 'run.lanes']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [again, live] = [parse(stdout), parse(read('live.json'))];
    expect(again.groups).toEqual(live.groups);
    expect(again.groups).toMatchObject([{ kind: 'chunk', taskCount: 6 }]);
    expect(again.run).toMatchObject({ command: ['node', 'chunks.mjs'], exitCode: 0, complete: true });
  });

  it('comes back from Chrome trace events with the figures it had', async () => {
    expect(await cli.run(['export', 'run.lanes', '--to', 'chrome', '--out', 'events.json'])).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = await cli.run(['report', 'events.json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const figures = ({ groups }: Report) => groups.map(({ kind, lanes, chunks, taskCount, peak }) => ({ kind, lanes, chunks, taskCount, peak }));
    const [again, live] = [parse(stdout), parse(read('live.json'))];
    expect(figures(again)).toEqual(figures(live));
    for (const key of ['makespanMs', 'busyMs', 'idleMs'] as const) expect(again.groups[0].metrics[key]).toBeCloseTo(live.groups[0].metrics[key], 2);
  });

  it('report stops when nobody reads on', async () => {
    const { stderr } = await promisify(execFile)('sh', ['-c', `"$0" dist/cli.js report run.lanes | true`, process.execPath], { cwd: cli.place });
    expect(stderr).toBe('');
  });

  it('export writes each format it names', async () => {
    for (const [format, beginning] of [['chrome', '{"displayTimeUnit"'], ['csv', 'group,kind,'], ['markdown', '# chunks.mjs']]) {
      expect(await cli.run(['export', 'run.lanes', '--to', format, '--out', `out.${format}`])).toMatchObject({ status: 0, stdout: '', stderr: '' });
      expect(read(`out.${format}`).startsWith(beginning)).toBe(true);
    }
  });

  it('env records whatever Node runs under it, in any shell, on top of what NODE_OPTIONS held', async () => {
    const command = 'eval "$("$0" dist/cli.js env --trace "by hand\'s")" && "$0" chunks.mjs && "$0" -p "process.env.NODE_OPTIONS"';
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath], { cwd: cli.place, env: { ...process.env, NODE_OPTIONS: '--no-deprecation' } });
    expect(stdout).toMatch(/--require .*agent\.cjs" --no-deprecation\n$/);
    const report = parse((await cli.run(['report', "by hand's"])).stdout);
    expect(report.groups).toMatchObject([{ kind: 'chunk', taskCount: 6 }]);
    expect(report.run).toMatchObject({ command: ['node', join(cli.place, 'chunks.mjs')], exitCode: 0, complete: true });
  });

  it('env as JSON names the folder it made', async () => {
    const { stdout, stderr } = await cli.run(['env', '--json']);
    const variables = JSON.parse(stdout) as Record<string, string>;
    expect(Object.keys(variables)).toEqual(['NODE_OPTIONS', 'ASYNC_LANES_DIR']);
    expect(stderr).toContain(variables['ASYNC_LANES_DIR']);
    rmSync(variables['ASYNC_LANES_DIR'], { recursive: true });
  });

  it('open without a terminal or a display tells the address and ends by itself', async () => {
    const { status, stdout, stderr } = await cli.run(['open', 'run.lanes']);
    expect(status).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^async-lanes: the viewer is at http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+\n$/);
  });
});

describe.runIf(process.platform === 'linux')('where there is a display', () => {
  it('the browser is given the address, and the viewer waits for it, but not against a signal', async () => {
    const bin = cli.folder('bin');
    chmodSync(cli.script('bin/xdg-open', `#!/bin/sh\nprintf '%s' "$1" > '${join(cli.place, 'opened')}.part' && mv '${join(cli.place, 'opened')}.part' '${join(cli.place, 'opened')}'\n`), 0o755);
    const { child, shows, ended } = cli.start(['open', 'run.lanes'], { DISPLAY: ':0', PATH: `${bin}:${process.env['PATH'] ?? ''}` });
    const [, url] = await shows(/the viewer is at (http\S+)/);
    await expect.poll(() => existsSync(join(cli.place, 'opened')), { timeout: 10_000 }).toBe(true);
    expect(read('opened')).toBe(url);
    child.kill('SIGTERM');
    expect((await ended).status).toBe(0);
  });
});

describe('a log', () => {
  const line = (second: string, thread: string, message: string): string => `[2024-11-09 23:34:${second}] [${thread}] INFO  [a.B:20] - ${message}\n`;
  beforeAll(() => {
    cli.script('app.log', `Banner\n${line('30:10000', 'api-1', 'Begin')}${line('30:20000', 'client-1', 'Begin')}${line('30:30000', 'client-2', 'Begin')}${line('30:50000', 'client-1', 'End')}${line('30:60000', 'client-2', 'End')}${line('30:90000', 'api-1', 'End')}`);
  });

  it('is reported as lanes, and its wrong lines are told', async () => {
    const { status, stdout, stderr } = await cli.run(['report', 'app.log', '--begin', 'Begin', '--end', 'End']);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^async-lanes: 1 of 7 lines were left out: they do not read like \[\{time\}\].+\n$/);
    expect(parse(stdout).groups.map(({ kind, lanes, tasks }) => [kind, lanes, tasks.map(({ lane, start, end }) => [lane, Math.round(start), Math.round(end ?? -1)])])).toEqual([
      ['pool', 1, [[1, 0, 800]]], ['pool', 2, [[1, 100, 400], [2, 200, 500]]],
    ]);
  });

  it('is opened in the browser, and exported', async () => {
    expect((await cli.run(['open', 'app.log'])).stderr).toContain('the viewer is at http://127.0.0.1');
    expect(await cli.run(['export', 'app.log', '--gap', '0', '--to', 'csv', '--out', 'app.csv'])).toMatchObject({ status: 0 });
    expect(read('app.csv').trim().split('\n')).toHaveLength(7);
  });

  it.each([[['--pattern', '{time}'], '{thread} is missing'], [['--gap', 'long'], 'It takes a number of milliseconds'], [['--pattern', '<{time}> {thread} {message}'], 'none of its 7 lines reads like']])(
    'with %j is refused in a sentence', async (options, sentence) => {
      expect(await cli.run(['open', 'app.log', ...options])).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(sentence) as string });
    });
});

describe('run --open', () => {
  it('shows the run while it lasts, and ends once the view has all of it', async () => {
    cli.script('slow.mjs', `${read('chunks.mjs')}; console.log('half'); await sleep(700); await Promise.all([1, 2].map(work)); process.exitCode = 3;`);
    const { shows, ended } = cli.start(['run', '--quiet', '--open', 'slow.mjs']);
    const [, url] = await shows(/the viewer is at (http\S+)/);
    const { got, closed } = view(url);
    await shows(/half/);
    const seen = (phase: string): Set<number> =>
      new Set(got.flatMap((message) => (message.type === 'delta' && message.state.phase === phase ? [...message.tasks.id] : [])));
    await expect.poll(() => seen('running').size, { timeout: 10_000 }).toBeGreaterThanOrEqual(6);
    await closed;
    expect(got.at(-1)).toMatchObject({ type: 'delta', caughtUp: true, state: { phase: 'finished', exitCode: 3 } });
    expect(new Set([...seen('running'), ...seen('finished')]).size).toBe(8);
    expect((await ended).status).toBe(3);
  });

  it("Stop in the view ends the script", async () => {
    cli.script('endless.mjs', 'setInterval(() => {}, 1000);');
    const { shows, ended } = cli.start(['run', '--open', 'endless.mjs']);
    const [, url] = await shows(/the viewer is at (http\S+)/);
    const address = new URL(url);
    const socket = new WebSocket(`ws://${address.host}/live${address.search}`, { headers: { origin: address.origin } });
    socket.on('open', () => { socket.send('{"type":"stop"}', () => { socket.close(); }); });
    const { status, stderr } = await ended;
    expect(status).toBe(143);
    expect(stderr).toContain('endless.mjs: stopped after');
  });
});
