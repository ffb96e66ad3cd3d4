/** The corpus (test/corpus/README.md): bringing its packages, and scoring what the built command line makes of its scripts. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isInstalled, npm, root } from '../../scripts/install.mjs';
import { AgentEnv } from '../../src/model/facts';
import manifest from '../corpus/manifest.json';

export const CORPUS = join(root, 'test/corpus');
export type Backend = 'v8' | 'async_hooks';

/** One script as `score.mjs --json` tells of it. */
export interface Row {
  readonly file: string;
  /** Its Node is too old for the script. */
  readonly skipped?: boolean;
  readonly difficulty?: 'normal' | 'hard' | 'other-thread-or-process';
  /** 0 to 1. */
  readonly score?: number;
  readonly notes?: readonly string[];
}

/** Top folders of the scripts. */
export const folders = (): string[] => [...new Set(manifest.scripts.map(({ file }) => file.split('/')[0]))].sort();

/** @returns the folder once its packages are there; undefined where they are not and cannot be fetched. */
export function installCorpus(): string | undefined {
  try {
    if (!isInstalled(CORPUS)) npm(['ci', '--no-audit', '--no-fund'], CORPUS);
    return CORPUS;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** Scores one folder's scripts; the table is kept under test-output/corpus/ as well. */
export async function scoreFolder(folder: string, node: { readonly major: number; readonly path: string }, backend: Backend): Promise<readonly Row[]> {
  const output = join(root, 'test-output/corpus');
  await mkdir(output, { recursive: true });
  const table = join(output, `${folder}-node${node.major}-${backend}.json`);
  await promisify(execFile)(process.execPath, [join(CORPUS, 'score.mjs'), '--cli', join(root, 'dist/cli.js'),
    '--only', `${folder}/`, '--node', node.path, '--backend', backend, '--json', table]);
  return (JSON.parse(await readFile(table, 'utf8')) as { readonly rows: readonly Row[] }).rows;
}

/** Scores the scripts in a folder that stands beside the corpus, which one Node and one backend have to do for. */
export async function scoreBeside(folder: 'more' | 'newer', node: { readonly path: string }): Promise<readonly Row[]> {
  const table = join(root, 'test-output/corpus', `${folder}.json`);
  await mkdir(dirname(table), { recursive: true });
  await promisify(execFile)(process.execPath, [join(CORPUS, 'score.mjs'), '--dir', join(CORPUS, folder), '--cli', join(root, 'dist/cli.js'), '--node', node.path, '--json', table]);
  return (JSON.parse(await readFile(table, 'utf8')) as { readonly rows: readonly Row[] }).rows;
}

interface Verdict { readonly file: string; readonly ok: boolean; readonly problems: readonly string[] }

/**
 * Runs every script with the agent in NODE_OPTIONS, recording; @returns what each did otherwise than alone.
 * A busy machine may turn around two timers a few milliseconds apart, agent or not: what differs is run again, twice at
 * the most, and counts as changed by us only when it differs each time.
 */
export async function verifyWithAgent(node: string, backend: Backend): Promise<readonly Verdict[]> {
  let differing = (await verify(node, backend, '')).filter(({ ok }) => !ok);
  for (let again = 0; again < 2 && differing.length > 0; again++) {
    const rerun: Verdict[] = [];
    for (const { file } of differing) rerun.push(...await verify(node, backend, file));
    differing = rerun.filter(({ ok }) => !ok);
  }
  return differing;
}

/** @param only part of the file names of the scripts to run; empty for all */
async function verify(node: string, backend: Backend, only: string): Promise<readonly Verdict[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'async-lanes-verify-'));
  try {
    const table = join(scratch, 'table.json');
    const facts = join(scratch, 'facts');
    await mkdir(facts);
    // It ends with 1 where a script differs: its table tells more.
    await promisify(execFile)(process.execPath,
      [join(CORPUS, 'verify.mjs'), '--node', node, '--only', only, '--preload', join(root, 'dist/agent.cjs'), '--json', table],
      { env: { ...process.env, [AgentEnv.folder]: facts, [AgentEnv.backend]: backend } }).catch(() => undefined);
    return (JSON.parse(await readFile(table, 'utf8')) as { readonly rows: readonly Verdict[] }).rows;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
