import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe, runPlain, runWatched } from './observed';
import { CONTEXTS } from './programs/contexts';
import { ERRORS } from './programs/errors';
import { LIBRARIES } from './programs/libraries';
import { PROCESSES } from './programs/processes';
import type { Program, Programs } from './programs/program';
import { PROMISES } from './programs/promises';
import { STARTS } from './programs/starts';

const nodes = findNodes();
const corpus = installCorpus();

/** Where the other backend is held to the same: on the oldest and the newest Node. */
const WITH_HOOKS: ReadonlySet<number> = new Set([NODE_MAJORS[0], NODE_MAJORS[NODE_MAJORS.length - 1]]);

const PROGRAMS: Programs = { ...PROMISES, ...ERRORS, ...CONTEXTS, ...PROCESSES, ...STARTS };

/** What V8 prints to stderr of these tells where exactly the stack ended, which no hook leaves where it was. */
const OVERFLOWS = `
    const makers = [async function f() { await f(); }, async function f() { await new Promise((ok, bad) => f().then(ok, bad)); },
      function f() { return Promise.resolve().then(() => {}).then(f()); }];
    const from = (depth, f, ...more) => (depth === 0 ? f() : from(depth - 1, f, ...more));
    let caught = 0; process.on('unhandledRejection', () => { console.log('unhandled'); });
    for (const f of makers) for (let i = 0; i < 6; i++) { try { await from(i, f, ...Array(i % 5)); } catch (e) { if (e instanceof RangeError) caught++; } }
    console.log(caught, Error.stackTraceLimit, Error.prepareStackTrace === undefined); await Promise.all([1, 2].map(async () => { await null; })); console.log('on');`;

/** Says where it finds traces of an agent, as JSON. */
const SEARCH = `
  const path = require('path'); const dc = require('diagnostics_channel'); const timer = setTimeout(() => {}, 1);
  const told = (o) => Object.fromEntries(Reflect.ownKeys(o).map((key) => { const d = Object.getOwnPropertyDescriptor(o, key); return [String(key), [typeof d.value, !!d.get, !!d.set, d.enumerable, d.configurable]]; }));
  console.log(JSON.stringify({
    listeners: Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])), env: Object.keys(process.env).sort(), cache: Object.keys(require.cache).map((file) => path.basename(file)).sort(),
    channels: ['worker_threads', 'child_process', 'net.client.socket', 'module.require.start', 'http.client.request.start'].filter((name) => dc.hasSubscribers(name)),
    timers: told(Object.getPrototypeOf(timer)), modules: told(module.constructor.prototype), extensions: told(require.extensions), text: require.extensions['.js'].toString().length,
    process: told(process), global: told(globalThis), promise: told(Promise.resolve()), module: Object.keys(module), loaded: Object.getOwnPropertyDescriptor(module, 'loaded'),
  }));`;

interface Found {
  readonly listeners: Readonly<Record<string, number | undefined>>; readonly env: readonly string[]; readonly cache: readonly string[]; readonly channels: readonly string[];
  readonly timers: Readonly<Record<string, unknown>>; readonly modules: Readonly<Record<string, unknown>>;
}

describe.each(NODE_MAJORS)('Node %i', (major) => {
  test('a program that looks for the agent finds what the README names, and no more', async (context) => {
    const how = { node: needed(context, 'NODES', nodes.find((found) => found.major === major)).path, as: 'program.cjs' };
    const plain = JSON.parse((await runPlain(SEARCH, how)).out) as Found;
    const found = JSON.parse((await runWatched(SEARCH, how)).out) as Found;
    expect(found).toEqual({
      ...plain,
      listeners: { ...plain.listeners, exit: (plain.listeners.exit ?? 0) + 1, uncaughtExceptionMonitor: 1 },
      env: [...plain.env, 'ASYNC_LANES_BACKEND', 'ASYNC_LANES_DIR', 'NODE_OPTIONS'].sort(),
      cache: ['agent.cjs', ...plain.cache],
      channels: ['worker_threads', 'child_process'],
      timers: { ...plain.timers, _onTimeout: ['undefined', false, true, false, true] },
      modules: { ...plain.modules, loaded: ['undefined', true, true, false, true] },
    });
  });

  test.for(Object.keys(PROGRAMS))('with the agent as without, by either backend: %s', async (name, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const program: Program = typeof PROGRAMS[name] === 'string' ? { source: PROGRAMS[name] } : PROGRAMS[name];
    if (major < (program.since ?? 0)) return context.skip(`needs Node ${program.since}`);
    if (program.on !== undefined && program.on !== process.platform) return context.skip(`needs ${program.on}`);
    const [plain, v8, hooks] = await Promise.all([
      runPlain(program.source, { ...program, node }),
      runWatched(program.source, { ...program, node }),
      program.isForV8Only || !WITH_HOOKS.has(major) ? undefined : runWatched(program.source, { ...program, node, backend: 'async_hooks' }),
    ]);
    expect(v8).toEqual(plain);
    if (hooks) expect(hooks).toEqual(plain);
  });

  test.for(Object.keys(LIBRARIES))('a program with libraries of which adapters tell, with the agent as without: %s', async (name, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const packages = join(needed(context, 'CORPUS', corpus), 'node_modules');
    const program: Program = typeof LIBRARIES[name] === 'string' ? { source: LIBRARIES[name] } : LIBRARIES[name];
    const [plain, v8] = await Promise.all([runPlain(program.source, { ...program, node, packages }), runWatched(program.source, { ...program, node, packages })]);
    expect(v8).toEqual(plain);
  });

  test.for(['v8', 'async_hooks'] as const)('a program that catches stack overflows in async code goes on (%s)', async (backend, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const plain = await runPlain(OVERFLOWS, { node });
    const { out, code, signal } = await observe(OVERFLOWS, { node, backend });
    expect({ out, code, signal }).toEqual({ out: plain.out, code: 0, signal: null });
    expect(out).toMatch(/^18 [^]*\non\n$/);
  });
});

test('a folder that cannot be written to costs the run its facts and the program nothing', async () => {
  const { out, code, err } = await observe('console.log(await Promise.all([1, 2]))', { folder: '/nonexistent/folder' });
  expect({ out, code, err }).toEqual({ out: '[ 1, 2 ]\n', code: 0, err: '' });
});

test('an agent loaded once more, by a program that clears require.cache, leaves this one alone', async () => {
  const { out, groups } = await observe(`const path = process.env.NODE_OPTIONS.split('"')[1]; delete require.cache[path]; require(path); delete require.cache[path]; require(path);
    const one = async () => { await new Promise((r) => setTimeout(r, 5)); };
    (async () => { await Promise.all([1, 2, 3].map(one)); console.log(process.listenerCount('exit')); })();`, { as: 'program.cjs' });
  expect(out).toBe('1\n');
  expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, fulfilled: 3 }]);
});

test.skipIf(process.platform === 'win32')('a script that is read from a pipe is not read once more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'async-lanes-pipe-'));
  const script = join(folder, 'script.cjs');
  execFileSync('mkfifo', [script]);
  // Opening it for writing waits for a reader, and who writes closes it.
  const writing = writeFile(script, `function pool(items) { return items.map(() => new Promise((r) => setTimeout(r, 5))); }
    (async () => { await 0; await Promise.all(pool([1, 2, 3])); await Promise.all(pool([1, 2, 3])); console.log('done'); })();`);
  const { out, code } = await observe(`require(${JSON.stringify(script)})`, { as: 'program.cjs' });
  await writing;
  rmSync(folder, { recursive: true, force: true });
  expect({ out, code }).toEqual({ out: 'done\n', code: 0 });
});

test('a fact file deleted under way costs the program nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'async-lanes-gone-'));
  const { out, code, err } = await observe(`import fs from 'node:fs';
    for (const name of fs.readdirSync(${JSON.stringify(folder)})) fs.unlinkSync(${JSON.stringify(folder)} + '/' + name);
    console.log(await Promise.all([1, 2].map(async (i) => { await null; return i; })));`, { folder });
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
  expect({ out, code, err }).toEqual({ out: '[ 1, 2 ]\n', code: 0, err: '' });
});

test('a program that listens with async_hooks itself is seen all the same', async () => {
  const { groups } = await observe(`import { createHook } from 'node:async_hooks'; let n = 0; createHook({ init() { n++; } }).enable();
    const one = async () => { await new Promise((r) => setTimeout(r, 5)); };
    await Promise.all([1, 2, 3].map(one));`);
  expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, fulfilled: 3 }]);
});
