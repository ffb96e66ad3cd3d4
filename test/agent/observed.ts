/** Runs a program under the built agent and groups what it wrote: the way of a real run without the command line in between. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Grouping } from '../../src/grouping/grouping';
import { AgentEnv } from '../../src/model/facts';
import type { Group } from '../../src/model/timeline';
import { SourceMaps } from '../../src/session/source-maps';
import { Timeline } from '../../src/timeline/timeline';

export const AGENT = resolve(import.meta.dirname, '../../dist/agent.cjs');

export interface Ended { readonly out: string; readonly err: string; readonly code: number | null; readonly signal: string | null }
export interface Observed extends Ended {
  readonly timeline: Timeline;
  readonly groups: readonly Group[];
  readonly dropped: number;
  /** Epoch milliseconds of the run's zero. */
  readonly origin: number;
  /** What each thread wrote. */
  readonly written: readonly Buffer[];
}

/** What grouping made of facts. */
export type Grouped = Pick<Observed, 'timeline' | 'groups' | 'dropped' | 'origin'>;

export interface How {
  readonly node?: string;
  readonly backend?: 'v8' | 'async_hooks';
  /** Name with ending: the module system. */
  readonly as?: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /** All arguments instead of the above. */
  readonly command?: (file: string, node: string) => readonly string[];
  /** What is started instead of Node, with `command`. */
  readonly program?: string;
  /** More files beside the program's: contents by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** A `node_modules` folder that the program finds its packages in. */
  readonly packages?: string;
  /** A script that is loaded before the agent. */
  readonly preload?: string;
  /** Where fact files go; by default a folder of its own. */
  readonly folder?: string;
}

/** @param source of the program */
export async function observe(source: string, how: How = {}): Promise<Observed> {
  const dir = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
  try {
    const folder = how.folder ?? mkdtempSync(join(dir, 'facts-'));
    const ended = await runIn(dir, source, how, agentVariables(folder, how.backend, how.preload));
    const written = readFiles(folder);
    return { ...ended, written, ...grouped(written) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @param portion bytes that are read, and judged, at a time */
export function grouped(written: readonly Buffer[], portion = Infinity): Grouped {
  const timeline = new Timeline();
  const grouping = new Grouping(timeline, new SourceMaps());
  let dropped = 0;
  for (const file of written) {
    const intake = grouping.openThread();
    for (let at = 0; at < file.length; at += portion) {
      intake.push(file.subarray(at, Math.min(file.length, at + portion)));
      if (portion < file.length) grouping.update();
    }
    dropped += intake.dropped;
    if (intake.problem) throw new Error(intake.problem);
  }
  grouping.update();
  // What was put off until nothing more comes.
  grouping.update();
  const groups = timeline.groupIds().flatMap((id) => timeline.group(id, 60_000) ?? []).sort((a, b) => a.start - b.start);
  return { timeline, groups, dropped, origin: grouping.timeOrigin ?? NaN };
}

/** What loads the agent in a Node process and in those it starts. */
export function agentVariables(folder: string, backend: How['backend'] = 'v8', preload = ''): Record<string, string> {
  return { NODE_OPTIONS: `${preload && `--require "${preload}" `}--require "${AGENT}"`, [AgentEnv.folder]: folder, [AgentEnv.backend]: backend };
}

/** Runs a program under the agent without a look at what it wrote. */
export async function runWatched(source: string, how: How = {}): Promise<Ended> {
  const dir = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
  const folder = mkdtempSync(join(tmpdir(), 'async-lanes-facts-'));
  try {
    chmodSync(folder, 0o777);
    return await runIn(dir, source, how, agentVariables(folder, how.backend, how.preload));
  } finally {
    for (const each of [dir, folder]) rmSync(each, { recursive: true, force: true });
  }
}

/** The same program as if there were no agent. */
export async function runPlain(source: string, how: How = {}): Promise<Ended> {
  const dir = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
  try {
    return await runIn(dir, source, how, {});
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Fact files in the order in which their threads began. */
function readFiles(folder: string): Buffer[] {
  try {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.sort((a, b) => statSync(a).birthtimeMs - statSync(b).birthtimeMs).map((path) => readFileSync(path));
  } catch { return []; }
}

async function runIn(dir: string, source: string, how: How, extra: NodeJS.ProcessEnv): Promise<Ended> {
  // The program may go on as somebody else.
  chmodSync(dir, 0o777);
  const file = join(dir, how.as ?? 'program.mjs');
  writeFileSync(file, source);
  if (how.packages) symlinkSync(how.packages, join(dir, 'node_modules'), 'junction');
  const env = { ...process.env, ...extra };
  if (!extra.NODE_OPTIONS) delete env.NODE_OPTIONS;
  for (const [path, text] of Object.entries(how.files ?? {})) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const node = how.node ?? process.execPath;
  const args = how.command?.(file, node) ?? [...(how.nodeArgs ?? []), file, ...(how.args ?? [])];
  const child = spawn(how.program ?? node, args, { cwd: dir, env, stdio: 'pipe' });
  child.stdin.on('error', () => { /* the program did not read to the end */ }).end(how.stdin);
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => { out += data.toString(); });
  child.stderr.on('data', (data: Buffer) => { err += data.toString(); });
  return await new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => {
      // Where the program lies differs from run to run, and says nothing of the agent.
      const clean = (text: string): string => text.replaceAll(dir, '<dir>').replace(/\(node:\d+\)/g, '(node)')
        // The README names it: where async_hooks listen to requests, callbacks of Node's own have one more caller.
        .replace(/\n +at \w+\.callbackTrampoline \(node:internal\/async_hooks:\d+:\d+\)/g, '')
        // So it does this: code that goes on behind a timer is called from within Node's timers where another one was due before.
        .replace(/\n +at (?:runNextTicks|listOnTimeout|process\.processTimers|processTimers) \(node:internal\/[a-z_/]+:\d+:\d+\)/g, '')
        .replaceAll('process.processTicksAndRejections', 'processTicksAndRejections')
        .replace(/duration_ms:? [\d.]+/g, 'duration_ms');
      done({ out: clean(out), err: clean(err), code, signal });
    });
  });
}
