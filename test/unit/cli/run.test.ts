import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/model/report';
import { commandLine } from './command-line';

const cli = commandLine();
const reportOf = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const CHUNKS = `
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
async function work(ms) { await sleep(ms); }
for (let i = 0; i < 3; i++) await Promise.all([10, 20].map(work));
`;
/** Says that it is there, and then does nothing for a minute. */
const WAITS = "process.stdout.write('there\\n'); setTimeout(() => {}, 60_000);";

describe('async-lanes run', () => {
  it('leaves the script its arguments, its folder, its output and its status', async () => {
    const script = cli.script('own.mjs', `
      console.log(JSON.stringify([process.argv.slice(1), process.cwd(), process.execArgv]));
      console.error('to stderr');
      process.exitCode = 7;
    `);
    const args = ['--report', 'x', '--', '-h', 'a b'];
    const { status, stdout, stderr } = await cli.run(['run', '--quiet', '--', script, ...args]);
    expect(JSON.parse(stdout)).toEqual([[script, ...args], cli.place, []]);
    expect(stderr).toBe('to stderr\n');
    expect(status).toBe(7);
  });

  it('hands its stdin on', async () => {
    const script = cli.script('stdin.cjs', "process.stdin.setEncoding('utf8').on('data', (text) => process.stdout.write(text.toUpperCase()))");
    const { ended } = cli.startWithInput(['run', '--quiet', script], 'spoken');
    expect((await ended).stdout).toBe('SPOKEN');
  });

  it('reports what ran at the same time', async () => {
    const script = cli.script('chunks.mjs', CHUNKS);
    const file = join(cli.place, 'chunks.json');
    const { status, stdout, stderr } = await cli.run(['run', '--report', file, 'chunks.mjs', 'word']);
    const report = reportOf(file);
    expect(status).toBe(0);
    expect(stdout).toBe('');
    expect(report).toMatchObject({
      format: 'async-lanes-report', version: 1,
      run: { command: ['node', 'chunks.mjs', 'word'], cwd: cli.place, node: process.version, exitCode: 0, signal: null, complete: true, dropped: 0 },
      threads: [{ id: 1, threadId: 0 }],
    });
    expect(report.groups).toMatchObject([{
      kind: 'chunk', combinator: 'all', site: { file: script, line: 4 }, taskSite: { file: script, line: 3, function: 'work' },
      chunks: 3, lanes: 2, taskCount: 6, fulfilled: 6,
    }]);
    expect(report.groups[0].tasks.map(({ ordinal, lane, chunk }) => [ordinal, lane, chunk])).toEqual([[1, 1, 1], [2, 2, 1], [3, 1, 2], [4, 2, 2], [5, 1, 3], [6, 2, 3]]);
    expect(stderr).toMatch(/^async-lanes: chunks\.mjs: finished with status 0 after .+\n {2}chunk {2}chunks\.mjs:4 {2}6 tasks {2}2 lanes × 3 chunks {2}.+ {2}idle .+ %\)\n$/);
  });

  it('says nothing of its own when asked to be quiet', async () => {
    cli.script('chunks.mjs', CHUNKS);
    expect(await cli.run(['run', '--quiet', 'chunks.mjs'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('with --exec records every Node process of a command', async () => {
    cli.script('chunks.mjs', CHUNKS);
    const file = join(cli.place, 'exec.json');
    const { status, stdout } = await cli.run(['run', '--quiet', '--report', file, '--exec', '--', 'sh', '-c', 'node chunks.mjs; node chunks.mjs; echo "$0 $1"; exit 3', '-x', '--y']);
    expect(stdout).toBe('-x --y\n');
    expect(status).toBe(3);
    const report = reportOf(file);
    expect(report.threads).toHaveLength(2);
    expect(report.groups.map(({ kind, thread }) => [kind, thread])).toEqual([['chunk', 1], ['chunk', 2]]);
  });

  it('takes the backend that was asked for', async () => {
    cli.script('backend.mjs', 'console.log(process.env.ASYNC_LANES_BACKEND)');
    expect((await cli.run(['run', '--quiet', '--backend', 'async_hooks', 'backend.mjs'])).stdout).toBe('async_hooks\n');
  });

  it('ends with 128 and the number of the signal that ended the script, and still reports', async () => {
    cli.script('killed.mjs', `${CHUNKS}; setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);`);
    const file = join(cli.place, 'killed.json');
    const { status, stderr } = await cli.run(['run', '--report', file, 'killed.mjs']);
    expect(status).toBe(137);
    expect(reportOf(file)).toMatchObject({ run: { exitCode: null, signal: 'SIGKILL', complete: false }, groups: [{ taskCount: 6 }] });
    expect(stderr).toContain('killed by SIGKILL');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s reaches the script once, and what was captured until then is reported', async (signal) => {
    cli.script('interrupted.mjs', `${CHUNKS}
      process.on('${signal}', () => { console.log('heard'); setTimeout(() => process.exit(5), 300); });
      console.log('there');
      setTimeout(() => {}, 60_000);
    `);
    const file = join(cli.place, `${signal}.json`);
    const { child, shows, ended } = cli.start(['run', '--quiet', '--report', file, 'interrupted.mjs']);
    await shows(/there/);
    child.kill(signal);
    const { status, stdout } = await ended;
    expect(stdout).toBe('there\nheard\n');
    expect(status).toBe(5);
    expect(reportOf(file)).toMatchObject({ run: { exitCode: 5 }, groups: [{ taskCount: 6 }] });
  });

  it('reports a script that never ends when it is killed', async () => {
    cli.script('endless.mjs', `${CHUNKS}; ${WAITS}`);
    const file = join(cli.place, 'endless.json');
    const { child, shows, ended } = cli.start(['run', '--quiet', '--report', file, 'endless.mjs']);
    await shows(/there/);
    child.kill('SIGTERM');
    expect((await ended).status).toBe(143);
    expect(reportOf(file)).toMatchObject({ run: { signal: 'SIGTERM' }, groups: [{ taskCount: 6 }] });
  });

  it.each([
    ['syntax-error.mjs', 'const = 1;', 'SyntaxError'],
    ['missing-module.mjs', "import 'no-such-module-anywhere';", 'ERR_MODULE_NOT_FOUND'],
    ['throws.cjs', "throw new Error('at once');", 'at once'],
  ])('says of %s what Node says, and that nothing ran', async (name, text, own) => {
    cli.script(name, text);
    const { status, stderr } = await cli.run(['run', name]);
    expect(status).toBe(1);
    expect(stderr).toContain(own);
    expect(stderr).toContain(`async-lanes: ${name}: crashed with status 1`);
    expect(stderr).toContain('error: The script ended with an uncaught error before any work ran at the same time');
  });

  it('loses nothing of what a script prints, however much', async () => {
    cli.script('loud.cjs', "const line = 'x'.repeat(1023) + '\\n'; for (let i = 0; i < 100; i++) process.stdout.write(line.repeat(1024));");
    const { status, stdout } = await cli.run(['run', '--quiet', 'loud.cjs']);
    expect(status).toBe(0);
    expect(stdout.length).toBe(100 * 1024 * 1024);
  });

  it('writes the report and keeps the status though its own words reach nobody', async () => {
    cli.script('outlives.mjs', `${CHUNKS}; console.log('there'); setTimeout(() => process.exit(4), 300);`);
    const { child, shows, ended } = cli.start(['run', '--report', 'outlives.json', 'outlives.mjs']);
    await shows(/there/);
    child.stderr?.destroy();
    expect((await ended).status).toBe(4);
    expect(reportOf(join(cli.place, 'outlives.json'))).toMatchObject({ run: { exitCode: 4 }, groups: [{ taskCount: 6 }] });
  });

  it('leaves nothing behind in the temporary folder', async () => {
    cli.script('chunks.mjs', CHUNKS);
    const mine = join(cli.place, 'tmp');
    cli.folder('tmp');
    expect((await cli.run(['run', 'chunks.mjs'], { TMPDIR: mine })).status).toBe(0);
    expect(readdirSync(mine)).toEqual([]);
  });
});

describe('a wrong call', () => {
  const missing = join(tmpdir(), 'no such folder');
  it.each([
    [[], 'Name a command'],
    [['frobnicate'], 'There is no command "frobnicate"'],
    [['run'], "missing required argument 'script'"],
    [['run', '--bogus', 'a.mjs'], "unknown option '--bogus'"],
    [['run', '--backend', 'magic', 'a.mjs'], 'Allowed choices are v8, async_hooks'],
    [['run', 'gone.mjs'], 'Cannot run gone.mjs: it does not exist.'],
    [['run', '.'], 'is a folder'],
    [['run', 'dist/webview.css'], 'neither JavaScript nor TypeScript'],
    [['run', '--node', '/nowhere/node', 'dist/cli.js'], 'There is no Node to run at /nowhere/node.'],
    [['run', '--exec', '--', 'no-such-command-anywhere'], 'Cannot start no-such-command-anywhere: it does not exist.'],
    [['run', '--report', join(missing, 'r.json'), 'dist/cli.js'], `Cannot write ${join(missing, 'r.json')}: its folder does not exist.`],
    [['run', '--trace', '.', 'dist/cli.js'], 'Cannot write .: it is a folder.'],
    [['report', 'gone.lanes'], 'Cannot open gone.lanes: it does not exist.'],
    [['report', 'dist/cli.js'], 'is no trace of Async Lanes'],
    [['open', 'dist'], 'Nothing was recorded into dist'],
    [['export', 'gone.lanes', '--to', 'csv'], "required option '--out <file>' not specified"],
    [['export', 'gone.lanes', '--to', 'pdf', '--out', 'x'], 'There is no format "pdf"; there is chrome, csv, markdown.'],
    [['demo', 'magic'], 'There is no demo "magic"; there is chunk-vs-rail, read-files, fail-fast, pipeline, sync-vs-async, thread-pool.'],
    [['demo', 'chunk-vs-rail', '--count', '0'], 'chunk-vs-rail: --count 0: it goes from 1 to 100000.'],
    [['demo', 'chunk-vs-rail', '--scale', '-1'], '--scale -1: it goes from 0.001 to 10.'],
    [['demo', 'chunk-vs-rail', '--sise', '10'], 'there is no parameter "--sise"; there is --tasks, --count, --size'],
    [['demo', 'read-files', '--files', '1000000000'], '--files 1000000000: it goes from 1 to 100000.'],
    [['demo', 'thread-pool', '--core', '9'], '--core 9: it cannot be more than max, which is 4.'],
  ])('%j ends with status 2 and one line that says why', async (args, sentence) => {
    const { status, stdout, stderr } = await cli.run(args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toContain(sentence);
  });

  it('does not run the script when its report could not be written', async () => {
    cli.script('touches.cjs', "require('node:fs').writeFileSync('touched', '')");
    await cli.run(['run', '--report', join(missing, 'r.json'), 'touches.cjs']);
    expect(existsSync(join(cli.place, 'touched'))).toBe(false);
  });

  it.runIf(existsSync('/dev/full'))('a full disk is told, and is no success', async () => {
    cli.script('quiet.cjs', '');
    const { status, stderr } = await cli.run(['run', '--quiet', '--report', '/dev/full', 'quiet.cjs']);
    expect(stderr).toBe('async-lanes: Could not write /dev/full: no space is left on the disk.\n');
    expect(status).toBe(2);
  });

  it('help and version are no wrong calls', async () => {
    expect(await cli.run(['--version'])).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string });
    const help = await cli.run(['run', '-h']);
    expect(help).toMatchObject({ status: 0, stderr: '' });
    for (const option of ['--report', '--trace', '--open', '--node', '--backend', '--quiet', '--exec']) expect(help.stdout).toContain(option);
  });
});
