/**
 * The Node that version managers would take for a folder: what `.nvmrc`, `.node-version`, `.tool-versions` or `volta` in a
 * package.json name, where nvm, fnm, volta, asdf, mise, nodenv or n have installed it; and what a login shell would find.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OLDEST_NODE } from './node-version';

const SHELL_MS = 5_000;
const MARK = 'async-lanes-node:';

export interface WantedNode {
  /** As it is written: `20`, `v20.11.1`, `lts/iron`. */
  readonly version: string;
  /** Absolute path of the file that says so. */
  readonly file: string;
}

/** The nearest file above the folder that names a version of Node. `system` names none: it means the one on PATH. */
export function wantedNode(folder: string): WantedNode | undefined {
  for (let inner = folder; ; inner = dirname(inner)) {
    for (const [name, read] of READERS) {
      const file = join(inner, name);
      const version = readText(file, read);
      if (version !== undefined) return version === 'system' ? undefined : { version, file };
    }
    if (inner === dirname(inner)) return undefined;
  }
}

const READERS: readonly (readonly [string, (text: string) => string | undefined])[] = [
  ['.nvmrc', firstLine], ['.node-version', firstLine],
  ['.tool-versions', (text) => /^\s*node(?:js)?\s+(\S+)/m.exec(text)?.[1]],
  ['package.json', (text) => {
    const manifest: unknown = JSON.parse(text);
    const volta = typeof manifest === 'object' && manifest !== null && 'volta' in manifest ? manifest.volta : undefined;
    const node = typeof volta === 'object' && volta !== null && 'node' in volta ? volta.node : undefined;
    return typeof node === 'string' ? node : undefined;
  }],
];

function firstLine(text: string): string | undefined {
  const line = text.split('\n').map((each) => each.replace(/#.*/, '').trim()).find((each) => each !== '');
  return line === undefined ? undefined : line.slice(0, 40);
}

function readText(file: string, read: (text: string) => string | undefined): string | undefined {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @returns absolute path of the newest installed Node that the wanted version allows; it may not be executable */
export function installedNode({ version }: WantedNode, env: NodeJS.ProcessEnv, home = homedir()): string | undefined {
  const candidates = installFolders(env, home).flatMap(([folder, tail]) => list(folder).flatMap((name) => {
    const numbers = numbersOf(name);
    return numbers ? [{ numbers, path: join(folder, name, ...tail) }] : [];
  }));
  const fitting = candidates.filter(({ numbers }) => fits(version, numbers));
  return fitting.sort((a, b) => compare(b.numbers, a.numbers)).at(0)?.path;
}

/** Whether a Node is one that was asked for. @param version as it is written: `20`, `v20.11.1`, `lts/iron` @param node e.g. `v20.11.1` */
export const isWanted = (version: string, node: string): boolean => fits(version, numbersOf(node) ?? []);

/** Whether no Node that is one would be new enough for the agent. */
export const isTooOld = (version: string): boolean => Number(/^v?(\d+)/.exec(version)?.[1] ?? OLDEST_NODE) < OLDEST_NODE;

const numbersOf = (name: string): number[] | undefined => /^(?:node-)?v?(\d+)\.(\d+)\.(\d+)$/.exec(name)?.slice(1).map(Number);

function fits(version: string, numbers: readonly number[]): boolean {
  const wanted = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version)?.slice(1).filter((part) => part !== undefined).map(Number)
    ?? LTS_LINES[/^lts[/-](\w+)$/.exec(version)?.[1].toLowerCase() ?? ''];
  return wanted?.every((part, index) => part === numbers[index]) ?? LATEST.test(version);
}

/** Names that stand for the newest there is. */
const LATEST = /^(node|stable|latest|lts\/\*|lts)$/;
/** Code names of the LTS lines that are new enough to run under the agent. */
const LTS_LINES: Readonly<Record<string, readonly number[] | undefined>> = { iron: [20], jod: [22], krypton: [24] };

/** Those whose folders are looked in, for sentences. */
export const VERSION_MANAGERS = 'nvm, fnm, Volta, asdf, mise, nodenv, n';

function installFolders(env: NodeJS.ProcessEnv, home: string): (readonly [string, readonly string[]])[] {
  const data = env['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
  const bin = process.platform === 'win32' ? ['node.exe'] : ['bin', 'node'];
  return [
    [join(env['NVM_DIR'] ?? join(home, '.nvm'), 'versions', 'node'), bin],
    [join(env['FNM_DIR'] ?? join(data, 'fnm'), 'node-versions'), ['installation', ...bin]],
    [join(env['VOLTA_HOME'] ?? join(home, '.volta'), 'tools', 'image', 'node'), bin],
    [join(env['ASDF_DATA_DIR'] ?? join(home, '.asdf'), 'installs', 'nodejs'), bin],
    [join(env['MISE_DATA_DIR'] ?? join(data, 'mise'), 'installs', 'node'), bin],
    [join(env['NODENV_ROOT'] ?? join(home, '.nodenv'), 'versions'), bin],
    [join(env['N_PREFIX'] ?? '/usr/local', 'n', 'versions', 'node'), bin],
    ...(env['NVM_HOME'] === undefined ? [] : [[env['NVM_HOME'], bin] as const]),
  ];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const compare = (a: readonly number[], b: readonly number[]): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** The Node that the user's login shell finds, where an editor started from a desktop does not. @returns its absolute path */
export async function shellNode(env: NodeJS.ProcessEnv, cwd: string): Promise<string | undefined> {
  const shell = env['SHELL'];
  if (process.platform === 'win32' || shell === undefined) return undefined;
  try {
    const { stdout } = await promisify(execFile)(shell, ['-ilc', `echo "${MARK}$(command -v node)"`], { env: { ...env, NODE_OPTIONS: '' }, cwd, timeout: SHELL_MS });
    const path = stdout.split('\n').find((line) => line.startsWith(MARK))?.slice(MARK.length).trim();
    return path?.startsWith('/') === true ? path : undefined;
  } catch {
    return undefined;
  }
}
