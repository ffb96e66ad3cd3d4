// What a fresh clone lacks, `npm start` and `npm test` bring: the packages of the lock file and the build. Plain Node, for
// nothing is installed yet when this runs. Done again only when the lock file or a source has changed since.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What the build is made of, and what it leaves behind. */
const SOURCES = ['src', 'webview', 'media/webview.css', 'media/demos', 'scripts/build.mjs', 'scripts/bundles.mjs', 'scripts/demos.mjs', 'package-lock.json'];
const OUTPUTS = ['extension.js', 'cli.js', 'agent.cjs', 'launcher.js', 'webview.js', 'webview.css', 'demos.json'];

/** Installs the packages of the lock file where one is missing or of another version. */
export function ensureInstalled() {
  if (isInstalled(root)) return;
  console.error('Installing packages (npm ci) …');
  npm(['ci', '--no-audit', '--no-fund'], root);
}

/** Builds `dist/` where something it is made of is newer. */
export function ensureBuilt() {
  if (isBuilt()) return;
  console.error('Building …');
  run(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root });
}

/**
 * True where all that the folder's lock file asks for on every platform lies in its node_modules in the version it names.
 * npm notes what it has put there in a lock file of its own.
 */
export function isInstalled(folder) {
  const wanted = readJson(join(folder, 'package-lock.json'))?.packages ?? {};
  const present = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages;
  if (!present) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => path === '' || optional || present[path]?.version === version);
}

/** Runs npm, the one that runs us where there is one. */
export function npm(args, cwd, env = process.env) {
  const own = process.env.npm_execpath;
  if (own && /^npm-cli\.c?js$/.test(basename(own))) run(process.execPath, [own, ...args], { cwd, env });
  else run('npm', args, { cwd, env, shell: process.platform === 'win32' });
}

/** Runs a command to its end; its standard output goes to ours for errors, so that a script's own output stays alone. */
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options });
  if (error) throw new Error(`${command} could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`${basename(command)} ${args.join(' ')} ended with ${signal ?? `status ${status}`}`);
}

function isBuilt() {
  const outputs = OUTPUTS.map((name) => join(root, 'dist', name));
  if (!outputs.every((file) => existsSync(file))) return false;
  const builtAt = Math.min(...outputs.map((file) => statSync(file).mtimeMs));
  return SOURCES.every((path) => newest(join(root, path)) <= builtAt);
}

/** Milliseconds of the last change to a file, or in a folder: a folder itself changes when a file in it comes or goes. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
