/** Which Node runs the user's scripts: the one asked for, else the first on PATH. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OLDEST_NODE, parseNodeVersion, type NodeVersion } from './node-version';
import { Refusal } from './refusal';

export interface NodeBinary {
  readonly path: string;
  readonly version: NodeVersion;
}

export interface FindNodeOptions {
  /** A path (relative to `cwd`) or a name to look up on PATH; nothing else is tried then. */
  readonly explicit?: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const PROBE_MS = 10_000;

/** @throws Refusal with a sentence that says where was looked. */
export async function findNode(options: FindNodeOptions): Promise<NodeBinary> {
  const path = locate(options);
  const version = await versionOf(path, options.env);
  if (!version) throw new Refusal('not-node', `${path} is no Node: it does not answer --version as Node does.`);
  if (version.major < OLDEST_NODE) {
    throw new Refusal('old-node', `Node ${version.text} at ${path} is too old: Node ${OLDEST_NODE} or newer is needed.`);
  }
  return { path, version };
}

function locate({ explicit, cwd, env }: FindNodeOptions): string {
  const wanted = explicit ?? 'node';
  if (/[\\/]/.test(wanted)) {
    const path = resolve(cwd, wanted);
    if (isExecutable(path)) return path;
    throw new Refusal('no-node', `There is no Node to run at ${path}.`);
  }
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = process.platform === 'win32' && !/\.exe$/i.test(wanted) ? [`${wanted}.exe`] : [wanted];
  for (const folder of folders) {
    const found = names.map((name) => resolve(cwd, join(folder, name))).find(isExecutable);
    if (found) return found;
  }
  const where = folders.length > 0 ? folders.join(delimiter) : 'nowhere: it is empty';
  throw new Refusal('no-node', `No Node found: looked for ${wanted} on PATH (${where}).`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function versionOf(path: string, env: NodeJS.ProcessEnv): Promise<NodeVersion | undefined> {
  if (path === process.execPath && !process.versions['electron']) return parseNodeVersion(process.version);
  try {
    // Whatever the user preloads has no business in a question for the version.
    const { stdout } = await promisify(execFile)(path, ['--version'], { env: { ...env, NODE_OPTIONS: '' }, timeout: PROBE_MS });
    return parseNodeVersion(stdout);
  } catch {
    return undefined;
  }
}
