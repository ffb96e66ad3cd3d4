// The same run in this diagram and in others that install from npm: how long until the first picture, how long a frame takes
// while the view is zoomed. The others are installed into the cache folder the first time, never into this project.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { root } from '../../scripts/install.mjs';
import { cacheFolder, findChromium } from '../../scripts/tools.mjs';
import { diagramPage, openDiagram } from './diagram.mjs';
import { median, printTable } from './rounds.mjs';
import { makeTasks } from './peers/workload.js';

const PACKAGES = { speedscope: '1.25.0', echarts: '6.1.0', 'vis-timeline': '8.5.4', 'flame-chart-js': '3.3.0' };
const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const LANES = 50;
const FRAMES = 40;
/** Who takes longer than this to load is not given larger runs. */
const PATIENCE_MS = 30_000;
const FRAMES_MS = 10_000;
const ROUNDS = 3;
/** Who takes so long once is not asked again. */
const ONCE_MS = 3_000;
const ADDRESS = 'http://peers.test/';
const ARGUMENTS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** speedscope draws with WebGL or not at all: without a graphics card the browser's own renderer stands in. */
const SOFTWARE_GL = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

export async function benchPeers() {
  const executablePath = findChromium();
  if (!executablePath) {
    console.log('\nSkipped: peers: no browser found (CHROMIUM_PATH, Playwright\'s cache, chromium or Google Chrome on PATH)');
    return true;
  }
  const folder = join(cacheFolder(), 'peers');
  if (!installed(folder)) {
    console.log('\nSkipped: peers: npm could not install them');
    return true;
  }
  const diagram = await diagramPage();
  const subjects = {
    'Async Lanes': (tasks) => inBrowser(executablePath, ['--disable-gpu'], (page) => ours(page, diagram, tasks)),
    ...Object.fromEntries(await Promise.all(['echarts', 'vis-timeline', 'flame-chart-js'].map(async (name) => {
      const script = await bundled(name, folder);
      return [name, (tasks) => inBrowser(executablePath, ['--disable-gpu'], (page) => peer(page, script, tasks))];
    }))),
    speedscope: (tasks) => inBrowser(executablePath, SOFTWARE_GL, (page) => speedscope(page, join(folder, 'node_modules/speedscope/dist/release'), tasks)),
  };
  const lost = new Set();
  const rows = [];
  let ok = true;
  for (const tasks of SIZES) {
    const results = await measureAll(subjects, lost, tasks);
    const own = results.get('Async Lanes');
    for (const name of Object.keys(subjects)) {
      const result = results.get(name);
      const [p50, p95] = result ? [at(result.frames, 0.5), at(result.frames, 0.95)] : [Infinity, Infinity];
      const ahead = name === 'Async Lanes' || !result || (own && own.loadMs <= result.loadMs && at(own.frames, 0.5) <= p50 + 1);
      ok &&= Boolean(ahead);
      rows.push([tasks.toLocaleString('en'), name, ...(result ? [`${Math.round(result.loadMs)} ms`, p50.toFixed(1), p95.toFixed(1)] : [`> ${PATIENCE_MS / 1000} s`, '–', '–']), name === 'Async Lanes' ? '' : ahead ? 'behind' : 'AHEAD']);
    }
  }
  console.log(`\nThe same tasks on ${LANES} lanes in other diagrams (speedscope shows one lane at a time); frames while zooming, ms`);
  printTable(['tasks', 'diagram', 'first picture', 'p50', 'p95', ''], rows);
  return ok;
}

/** In turns, so that all of them meet the machine as it is. @param lost takes the names of those that took too long @returns by name, the median of what each took until its first picture, and its frames */
async function measureAll(subjects, lost, tasks) {
  const results = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, measure] of Object.entries(subjects)) {
      const known = results.get(name);
      if (lost.has(name) || known?.loads.some((ms) => ms > ONCE_MS)) continue;
      console.error(`Peers: ${tasks} tasks in ${name} …`);
      const result = await measure(tasks);
      if (!result) lost.add(name);
      else if (known) { known.loads.push(result.loadMs); known.frames.push(...result.frames); }
      else results.set(name, { loads: [result.loadMs], frames: [...result.frames] });
    }
  }
  return new Map([...results].filter(([name]) => !lost.has(name)).map(([name, { loads, frames }]) => [name, { loadMs: median(loads.sort((a, b) => a - b)), frames }]));
}

function installed(folder) {
  if (Object.keys(PACKAGES).every((name) => existsSync(join(folder, 'node_modules', name)))) return true;
  mkdirSync(folder, { recursive: true });
  const names = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  return spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...names], { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0;
}

/** @returns what `measure` does; undefined where it takes too long or breaks */
async function inBrowser(executablePath, args, measure) {
  const browser = await chromium.launch({ executablePath, args: [...ARGUMENTS, ...args] });
  const patience = new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS + FRAMES_MS, undefined).unref(); });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' })).newPage();
    const result = await Promise.race([measure(page), patience]);
    return result && result.loadMs <= PATIENCE_MS ? result : undefined;
  } catch (error) {
    console.error(String(error).split('\n')[0]);
    return undefined;
  } finally {
    await browser.close();
  }
}

async function ours(page, diagram, tasks) {
  await openDiagram(page, diagram);
  const loadMs = await page.evaluate(([lanes, count]) => window.bench.load(lanes, count), [LANES, tasks]);
  const { intervals } = await page.evaluate((count) => window.bench.frames('out', count), FRAMES);
  return { loadMs, frames: intervals };
}

async function peer(page, script, tasks) {
  await page.route(`${ADDRESS}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><style>html,body,#app{margin:0;height:100%}</style><div id="app"></div>' }));
  await page.goto(ADDRESS);
  await page.addScriptTag({ content: script });
  const loadMs = await page.evaluate(([lanes, count]) => window.peer.load(lanes, count), [LANES, tasks]);
  const frames = await page.evaluate(([count, limit]) => window.peer.frames(count, limit), [FRAMES, FRAMES_MS]);
  return { loadMs, frames };
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.wasm': 'application/wasm', '.png': 'image/png', '.woff2': 'font/woff2' };

async function speedscope(page, release, tasks) {
  const profile = speedscopeFile(tasks);
  await page.route(`${ADDRESS}**`, async (route) => {
    const path = normalize(new URL(route.request().url()).pathname).slice(1) || 'index.html';
    if (path === 'profile.json') return route.fulfill({ contentType: 'application/json', body: profile });
    const body = await readFile(join(release, path)).catch(() => undefined);
    return body ? route.fulfill({ contentType: TYPES[extname(path)] ?? 'application/octet-stream', body }) : route.fulfill({ status: 404, body: '' });
  });
  const begun = performance.now();
  await page.goto(`${ADDRESS}#profileURL=${encodeURIComponent(`${ADDRESS}profile.json`)}`);
  await page.waitForFunction(() => document.querySelectorAll('canvas').length > 1, undefined, { timeout: PATIENCE_MS, polling: 'raf' });
  const loadMs = performance.now() - begun;
  await page.mouse.move(700, 500);
  const frames = await page.evaluate(async ([count, limit]) => {
    const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
    const lengths = [];
    const start = performance.now();
    let before = await frame();
    for (let i = 0; i < count && performance.now() - start < limit; i++) {
      document.elementFromPoint(700, 500)?.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: 700, clientY: 500, ctrlKey: true, deltaY: i % 2 === 0 ? -4 : 4 }));
      const now = await frame();
      lengths.push(now - before);
      before = now;
    }
    return lengths;
  }, [FRAMES, FRAMES_MS]);
  return { loadMs, frames };
}

/** One evented profile a lane, in speedscope's own format. */
function speedscopeFile(count) {
  const { lane, start, end, last } = makeTasks(LANES, count);
  const events = Array.from({ length: LANES }, () => []);
  for (let i = 0; i < count; i++) events[lane[i]].push({ type: 'O', frame: 0, at: start[i] }, { type: 'C', frame: 0, at: end[i] });
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json', shared: { frames: [{ name: 'task' }] },
    profiles: events.map((each, i) => ({ type: 'evented', name: `lane ${i + 1}`, unit: 'milliseconds', startValue: 0, endValue: last, events: each })),
  });
}

async function bundled(name, folder) {
  const { outputFiles } = await build({
    absWorkingDir: root, entryPoints: [`test/bench/peers/${name}.js`], bundle: true, minify: true, write: false, format: 'iife', target: 'chrome120', logLevel: 'error',
    nodePaths: [join(folder, 'node_modules')], loader: { '.css': 'empty' },
  });
  return outputFiles[0].text;
}

function at(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
}
