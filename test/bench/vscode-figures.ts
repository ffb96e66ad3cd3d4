/** See vscode.mjs. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium, type Browser, type Frame } from 'playwright-core';
import { findChromium, findCodeServer } from '../../scripts/tools.mjs';
import { installExtension, startCodeServer, type CodeServer } from '../e2e/code-server';
import { BROWSER_ARGUMENTS, Workbench } from '../e2e/workbench';
import { packedExtension, packedProbe, ROOT } from '../e2e/vsix';
import { activationMs, ownLoadingMs, toldIn } from './activation';
import type { Painted } from './paint-probe';
import { median, printTable } from './rounds.mjs';

const VISUALIZE = 'Async Lanes: Visualize Pool Run';
const TARGETS = { activationMs: 50, paintMs: 100, vsixBytes: 900_000, inspectionMs: 20_000, heldUpMs: 50 };
/** Sources to inspect: those of a package, again and again. */
const SOURCES = 5_000;
const LIBRARY = join(ROOT, 'node_modules', 'undici', 'lib');
/** A user's window has been open for a while; one that has just opened is busy with itself. */
const SETTLE_MS = 5_000;
/** Eight rails of short tasks for ten seconds: about 700 settle, one at a time. */
const SCRIPT = `
import { setTimeout as sleep } from 'node:timers/promises';
async function work(i) { await sleep(40 + (i * 37) % 150); }
const end = performance.now() + 10_000;
let next = 0;
async function rail() { while (performance.now() < end) await work(next++); }
await Promise.all(Array.from({ length: 8 }, rail));
`;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const found = findCodeServer();
const executablePath = findChromium();
if (!found || !executablePath) throw new Error('no code-server or no browser: node scripts/tools.mjs install');

const vsix = packedExtension();
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'async-lanes-bench-')));
const extensionsDir = join(scratch, 'extensions');
const folder = join(scratch, 'workspace');
let server: CodeServer | undefined;
let browser: Browser | undefined;
try {
  mkdirSync(folder);
  writeFileSync(join(folder, 'rails.mjs'), SCRIPT);
  await installExtension(found, vsix, extensionsDir);
  await installExtension(found, await packedProbe(scratch), extensionsDir);
  server = await startCodeServer(found, { extensionsDir });
  browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
  const probe = await bundledProbe();
  const activations: Activations = { alone: [], besideTypeScript: [], loading: [] };
  const delays: number[] = [];
  for (let round = 0; round < rounds; round++) {
    console.error(`VS Code: round ${round + 1} of ${rounds} …`);
    activations.alone.push(await activationAlone());
    const window = await Workbench.open(browser, server.url(folder));
    await window.openFile('rails.mjs');
    await window.page.waitForTimeout(SETTLE_MS);
    await window.run(VISUALIZE);
    delays.push(...await paintDelays(window, probe));
    activations.loading.push(await ownLoadingMs(window, folder));
    activations.besideTypeScript.push(await activationMs(window));
    await window.close();
  }
  const inspection = await inspectionOf(join(scratch, 'large'));
  report(activations, delays.sort((a, b) => a - b), statSync(vsix).size, inspection);
} finally {
  await browser?.close();
  await server?.dispose();
  rmSync(scratch, { recursive: true, force: true });
}

/** Milliseconds, one a window. */
interface Activations {
  /** What VS Code says where a view of ours is what asks for us. */
  readonly alone: number[];
  /** What it says where a script was opened: it asks for its own TypeScript extension at once, and counts the loading of that in. */
  readonly besideTypeScript: number[];
  /** Of that, what the loading of our code took. */
  readonly loading: number[];
}

/** In a window that has come to rest with no source open. */
async function activationAlone(): Promise<number> {
  if (!browser || !server) throw new Error('VS Code has not been started');
  const window = await Workbench.open(browser, server.url(folder));
  await window.page.waitForTimeout(SETTLE_MS);
  await window.run('View: Show Async Lanes');
  await window.section('Teaching Demos').click();
  await window.viewRow('Teaching Demos', 'chunk-vs-rail').waitFor();
  const ms = await activationMs(window);
  await window.close();
  return ms;
}

function report(activations: Activations, delays: readonly number[], vsixBytes: number, inspection: Inspection): void {
  const at = (share: number): number => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
  const p95 = at(0.95);
  const [activation, besideTypeScript, loading] = [activations.alone, activations.besideTypeScript, activations.loading].map((all) => median(all.sort((a, b) => a - b)));
  const verdict = (ok: boolean): string => (ok ? 'ok' : 'MISSED');
  console.log(`\nIn VS Code 1.139, ${rounds} windows, ${delays.length} tasks`);
  printTable(['figure', 'value', 'target', ''], [
    ['activation, median', `${activation} ms`, `${TARGETS.activationMs} ms`, verdict(activation <= TARGETS.activationMs)],
    ['activation while TypeScript is loaded, median', `${besideTypeScript} ms`, '', ''],
    ['of that, loading our own code', `${loading} ms`, '', ''],
    ['settled task to drawn pixel, median', `${at(0.5).toFixed(0)} ms`, '', ''],
    ['settled task to drawn pixel, p95', `${p95.toFixed(0)} ms`, `${TARGETS.paintMs} ms`, verdict(p95 <= TARGETS.paintMs)],
    ['settled task to drawn pixel, longest', `${at(1).toFixed(0)} ms`, '', ''],
    [`inspection of ${SOURCES} sources`, `${(inspection.ms / 1000).toFixed(1)} s`, `${TARGETS.inspectionMs / 1000} s`, verdict(inspection.ms <= TARGETS.inspectionMs)],
    ['its host held up at most', `${inspection.heldUpMs.toFixed(0)} ms`, `${TARGETS.heldUpMs} ms`, verdict(inspection.heldUpMs <= TARGETS.heldUpMs)],
    ['.vsix', `${Math.round(vsixBytes / 1000)} kB`, `${TARGETS.vsixBytes / 1000} kB`, verdict(vsixBytes <= TARGETS.vsixBytes)],
  ]);
  if (activation > TARGETS.activationMs || p95 > TARGETS.paintMs || vsixBytes > TARGETS.vsixBytes
    || inspection.ms > TARGETS.inspectionMs || inspection.heldUpMs > TARGETS.heldUpMs) process.exitCode = 1;
}

interface Inspection { readonly ms: number; readonly heldUpMs: number }

/** How long a large workspace takes, and for how long at most the extension host, whose loop an extension beside watches, did nothing else. */
async function inspectionOf(large: string): Promise<Inspection> {
  if (!browser || !server) throw new Error('VS Code has not been started');
  const sources = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js')).map((name) => readFileSync(join(LIBRARY, name), 'utf8'));
  for (let i = 0; i < SOURCES; i++) {
    const place = join(large, String(Math.floor(i / 50)));
    mkdirSync(place, { recursive: true });
    // Each is its own content: none is known from another.
    writeFileSync(join(place, `source-${i}.js`), `// ${i}\n${sources[i % sources.length]}`);
  }
  console.error(`VS Code: inspecting ${SOURCES} sources …`);
  const window = await Workbench.open(browser, server.url(large));
  await window.page.waitForTimeout(SETTLE_MS);
  await window.run('View: Show Async Lanes');
  await window.run('Probe: Watch Host');
  await toldIn(window, join(large, 'watching.txt'));
  await window.section('Places').hover();
  const began = Date.now();
  await window.viewButton('Places', 'Inspect Workspace Scripts').first().click();
  await window.viewButton('Places', 'Stop Inspecting').waitFor();
  await window.viewButton('Places', 'Stop Inspecting').waitFor({ state: 'detached' });
  const ms = Date.now() - began;
  await window.run('Probe: Tell of Host');
  const heldUpMs = Number(await toldIn(window, join(large, 'held-up.txt')));
  await window.close();
  return { ms, heldUpMs };
}

/** Milliseconds from the end of each task to the frame that shows it, for the tasks that ended while the panel stood. */
async function paintDelays(window: Workbench, probe: string): Promise<number[]> {
  await window.phase('running');
  const page = await panelPage(window);
  await page.evaluate(probe);
  await window.phase('finished');
  const painted = await page.evaluate(() => (globalThis as unknown as { lanesPainted: Painted[] }).lanesPainted);
  return painted.map(({ settled, painted: at }) => at - settled);
}

async function panelPage(window: Workbench): Promise<Frame> {
  const element = await window.panel().locator('body').elementHandle();
  const frame = await element?.ownerFrame();
  if (!frame) throw new Error('the panel shows no page');
  return frame;
}

async function bundledProbe(): Promise<string> {
  const { outputFiles } = await build({ absWorkingDir: ROOT, entryPoints: ['test/bench/paint-probe.ts'], bundle: true, write: false, format: 'iife' });
  return outputFiles[0].text;
}
