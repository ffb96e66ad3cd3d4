/** Real processes under the real agent, for the tests of a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { bundles } from '../../../scripts/bundles.mjs';
import { tracedEnvironment } from '../../../src/session/environment';
import { launch } from '../../../src/session/launch';
import { LiveRun } from '../../../src/session/run';

/** @param names bundles to make, beside each other in `dist` */
export function bundled(...names: string[]): { place: string; dist: string } {
  const place = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
  const dist = join(place, 'dist');
  beforeAll(() => Promise.all(bundles(dist).filter(({ outfile }) => names.includes(basename(outfile))).map((options) => build(options))));
  afterAll(() => { rmSync(place, { recursive: true, force: true }); });
  return { place, dist };
}

/** Runs the text of a script. */
export async function startRun({ place, dist }: { place: string; dist: string }, text: string): Promise<{ run: LiveRun; folder: string; script: string }> {
  const folder = mkdtempSync(join(place, 'facts-'));
  const script = join(folder, 'script.mjs');
  writeFileSync(script, text);
  const env = tracedEnvironment(process.env, { agent: join(dist, 'agent.cjs'), folder });
  const child = await launch({ file: process.execPath, args: [script], cwd: place, env });
  return { run: new LiveRun({ folder, command: ['node', 'script.mjs'], cwd: place, title: 'script.mjs', process: child }), folder, script };
}

/** Resolves once the run has come to where `condition` holds. */
export function until(run: LiveRun, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = run.onDidChange(() => { look(); });
    const look = (): void => {
      if (!condition()) return;
      subscription.dispose();
      resolve();
    };
    look();
  });
}
