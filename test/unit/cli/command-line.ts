/** The command line as it ships, bundled once for the tests of a file. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { bundles } from '../../../scripts/bundles.mjs';
import { describeDemos } from '../../../scripts/demos.mjs';

export interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the match once stdout or stderr shows it. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface CommandLine {
  /** Absolute path of a folder for the file's tests. */
  readonly place: string;
  /** Writes a script into it. @returns its absolute path */
  script(name: string, text: string): string;
  /** Makes a folder in it. @returns its absolute path */
  folder(name: string): string;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Running;
  startWithInput(args: readonly string[], input: string): Running;
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
}

const BUNDLES = ['cli.js', 'agent.cjs', 'launcher.js'];

export function commandLine(): CommandLine {
  const place = mkdtempSync(join(tmpdir(), 'async-lanes-cli-'));
  const dist = join(place, 'dist');
  beforeAll(async () => {
    await Promise.all(bundles(dist).filter(({ outfile }) => BUNDLES.includes(basename(outfile))).map((options) => build(options)));
    symlinkSync(join(import.meta.dirname, '../../../media'), join(place, 'media'));
    describeDemos(dist);
    // The page itself is looked at in the webview's own tests.
    writeFileSync(join(dist, 'webview.js'), '');
    writeFileSync(join(dist, 'webview.css'), '');
  });
  afterAll(() => { rmSync(place, { recursive: true, force: true }); });
  const begin = (args: readonly string[], env: NodeJS.ProcessEnv, stdin: 'ignore' | 'pipe'): Running => {
    const inherited = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', NODE_OPTIONS: '', ...env };
    return follow(spawn(process.execPath, [join(dist, 'cli.js'), ...args], { cwd: place, env: inherited, stdio: [stdin, 'pipe', 'pipe'] }));
  };
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Running => begin(args, env, 'ignore');
  return {
    place,
    script: (name, text) => {
      writeFileSync(join(place, name), text);
      return join(place, name);
    },
    folder: (name) => {
      mkdirSync(join(place, name));
      return join(place, name);
    },
    start,
    startWithInput: (args, input) => {
      const running = begin(args, {}, 'pipe');
      running.child.stdin?.end(input);
      return running;
    },
    run: (args, env) => start(args, env).ended,
  };
}

export function follow(child: ChildProcess): Running {
  const heard = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text;
      for (const listener of [...listeners]) listener();
    });
  }
  const ended = new Promise<Ended>((resolve) => { child.once('close', (status, signal) => { resolve({ status, signal, ...heard }); }); });
  const shows = (pattern: RegExp): Promise<RegExpExecArray> => new Promise((resolve, reject) => {
    const look = (): void => {
      const match = pattern.exec(heard.stdout) ?? pattern.exec(heard.stderr);
      if (!match) return;
      listeners.delete(look);
      resolve(match);
    };
    listeners.add(look);
    look();
    void ended.then((end) => {
      look();
      reject(new Error(`it ended without showing ${pattern}: ${JSON.stringify(end)}`));
    });
  });
  return { child, ended, shows };
}
