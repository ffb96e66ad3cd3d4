// How the inspection of a workspace holds up: 5,000 sources of npm packages, and how many places it sees in three large ones.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { root } from '../../scripts/install.mjs';
import { median, printTable } from './rounds.mjs';

const FILES = 5_000;
const TARGETS = { ms: 20_000, heldUpMs: 50 };
/** Large packages whose files are sources as people wrote them, with much that is asynchronous. */
const PACKAGES = ['undici/lib', 'eslint/lib', 'vitest/dist'];

/** @returns true where every target is met */
export async function benchScan(rounds) {
  const scratch = await mkdtemp(join(tmpdir(), 'async-lanes-bench-scan-'));
  try {
    const figures = join(scratch, 'figures.mjs');
    await build({ absWorkingDir: root, entryPoints: ['test/bench/scan-figures.ts'], bundle: true, platform: 'node', format: 'esm', outfile: figures });
    const scan = async (folder) => JSON.parse((await promisify(execFile)(process.execPath, [figures, join(root, 'dist/scan-worker.js'), folder], { maxBuffer: 64 << 20 })).stdout);
    const folder = join(scratch, 'workspace');
    const bytes = await fillWith(FILES, folder);
    console.error(`Scan: ${FILES} files, ${Math.round(bytes / 1e6)} MB …`);
    const runs = [];
    for (let round = 0; round < rounds; round++) runs.push(await scan(folder));
    const middle = (key) => median(runs.map((run) => run[key]).sort((a, b) => a - b));
    const met = middle('ms') <= TARGETS.ms && middle('heldUpMs') <= TARGETS.heldUpMs;
    console.log(`\nInspection of a workspace, Node ${process.versions.node}, median of ${rounds}`);
    printTable(['files', 'MB', 'seconds', 'asking thread held up, ms', 'target', 'verdict'], [[
      String(runs[0].files), (bytes / 1e6).toFixed(1), (middle('ms') / 1000).toFixed(1), middle('heldUpMs').toFixed(1),
      `≤ ${TARGETS.ms / 1000} s, ≤ ${TARGETS.heldUpMs} ms`, met ? 'met' : 'MISSED',
    ]]);
    const rows = [];
    for (const name of PACKAGES) rows.push(await seenIn(name, scan, join(scratch, name.replaceAll('/', '-'))));
    console.log('\nPlaces in large packages: which of them are false only a reader can tell; `--list` prints them');
    printTable(['package', 'files', 'lines', 'places', 'a 1,000 lines'], rows);
    return met;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Copies a package out of `node_modules`, which no inspection enters. */
async function seenIn(name, scan, copy) {
  const folder = join(root, 'node_modules', name);
  const sources = await sourcesOf(folder);
  let lines = 0;
  for (const [index, source] of sources.entries()) {
    const text = await readFile(source, 'utf8');
    lines += text.split('\n').length;
    await mkdir(join(copy, String(index)), { recursive: true });
    await copyFile(source, join(copy, String(index), source.split('/').at(-1)));
  }
  const { found } = await scan(copy);
  const places = found.flatMap((file) => file.places.map((place) => ({ ...place, file: file.file })));
  if (process.argv.includes('--list')) {
    for (const { file, line, kind, library, limit } of places) {
      const text = (await readFile(file, 'utf8')).split('\n')[line - 1].trim().slice(0, 140);
      console.log([join(name, sources[Number(file.slice(copy.length + 1).split('/')[0])].slice(folder.length)), line, kind, library ?? '', limit ?? '', text].join(' | '));
    }
  }
  return [name, String(sources.length), String(lines), String(places.length), (places.length / lines * 1000).toFixed(2)];
}

/** Fills a folder with sources of installed packages. @returns their size in bytes */
async function fillWith(count, folder) {
  const sources = (await sourcesOf(join(root, 'node_modules'))).slice(0, count);
  let bytes = 0;
  for (const [index, source] of sources.entries()) {
    const place = join(folder, String(Math.floor(index / 50)));
    await mkdir(place, { recursive: true });
    await copyFile(source, join(place, `${index}-${source.split('/').at(-1)}`));
    bytes += (await readFile(source)).length;
  }
  if (sources.length < count) throw new Error(`node_modules holds ${sources.length} sources only`);
  return bytes;
}

/** Absolute paths, sorted, of what an inspection would look at. */
async function sourcesOf(folder) {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !/\.(d\.[cm]?ts|min\.[cm]?js)$/.test(name)).sort().map((name) => join(folder, name));
}
