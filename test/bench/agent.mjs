// What being watched costs a program: the agent against nothing, and beside it hooks of the same kind that do nothing.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/install.mjs';
import { findNodes } from '../../scripts/tools.mjs';
import { interleaved, median, printTable, ratio } from './rounds.mjs';

const BENCH = join(root, 'test/bench');
const BACKENDS = ['v8', 'async_hooks'];
const NODES = [20, 24];
/** A run is given up after so many milliseconds, and counts as infinitely slow. */
const LIMIT_MS = 60_000;

/** Each time label of each workload, what it is, and how many times the plain time the agent may take. */
const TARGETS = {
  experiment: { chunks: ['D1, chunks of 50', 1.02], pool: ['D1, 50 rails', 1.05] },
  calls: { calls: ['1,000,000 trivial async calls in chunks of 1,000', 4] },
  awaits: { awaits: ['2,000,000 bare awaits', 4] },
  json: { json: ['40,000 × (2 kB of JSON and 2 awaits)', 1.1] },
  files: { files: ['5,000 readFile', 1.3] },
};

/** Where the agent's memory is told of, in MB: a run that makes two million promises. */
const MEMORY = { workload: 'calls', title: '1,000,000 trivial async calls in chunks of 1,000', target: 64 };

/** @returns true where every target is met */
export async function benchAgent(rounds) {
  const rows = [];
  const memory = [];
  let met = true;
  for (const { major, path } of findNodes().filter((node) => NODES.includes(node.major))) {
    for (const [workload, labels] of Object.entries(TARGETS)) {
      console.error(`Node ${major}: ${workload} …`);
      const table = await interleaved(rounds, variantsOf(path, workload));
      if (workload === MEMORY.workload) {
        for (const backend of BACKENDS) {
          const more = median(table.map((row) => row[`agent ${backend}`].peakMb - row.plain.peakMb).sort((a, b) => a - b));
          const isMet = more <= MEMORY.target;
          met &&= isMet;
          memory.push([MEMORY.title, String(major), backend, Number.isFinite(more) ? more.toFixed(0) : 'given up', `≤ ${MEMORY.target}`, isMet ? 'met' : 'MISSED']);
        }
      }
      for (const [label, [title, target]] of Object.entries(labels)) {
        for (const backend of BACKENDS) {
          const agent = ratio(table, label, `agent ${backend}`, 'plain');
          const floor = ratio(table, label, `floor ${backend}`, 'plain');
          met &&= agent.median <= target;
          rows.push([title, String(major), backend, times(floor.median), `${times(agent.median)} (${times(agent.min)}–${times(agent.max)})`,
            `≤ ${times(target)}`, agent.median <= target ? 'met' : 'MISSED']);
        }
      }
    }
  }
  console.log(`\nTime with the agent / without, median of ${rounds} rounds (least–most); "floor": hooks of the same kind that do nothing`);
  printTable(['workload', 'Node', 'backend', 'floor', 'agent', 'target', 'verdict'], rows);
  console.log('\nPeak memory of the process with the agent above that without, in MB, median');
  printTable(['workload', 'Node', 'backend', 'more', 'target', 'verdict'], memory);
  return met;
}

const times = (ratio) => (Number.isFinite(ratio) ? ratio.toFixed(2) : 'given up');

function variantsOf(node, workload) {
  const variants = { plain: () => runWorkload(node, workload, [], {}) };
  for (const backend of BACKENDS) {
    variants[`floor ${backend}`] = () => runWorkload(node, workload, ['--import', join(BENCH, `floor-${backend}.mjs`)], {});
    variants[`agent ${backend}`] = () => recorded(node, workload, backend, async (_facts, result) => result);
  }
  return variants;
}

/** Runs a workload under the agent and hands over the folder of its fact files, which is gone afterwards, and its times. */
export async function recorded(node, workload, backend, use) {
  const facts = await mkdtemp(join(tmpdir(), 'async-lanes-bench-facts-'));
  try {
    const times = await runWorkload(node, workload, ['--require', join(root, 'dist/agent.cjs')], { ASYNC_LANES_DIR: facts, ASYNC_LANES_BACKEND: backend });
    return await use(facts, times);
  } finally {
    await rm(facts, { recursive: true, force: true });
  }
}

async function runWorkload(node, workload, preload, env) {
  try {
    const { stdout } = await promisify(execFile)(node, [...preload, join(BENCH, 'workload.mjs'), workload],
      { cwd: root, env: { ...process.env, NODE_OPTIONS: '', ...env }, timeout: LIMIT_MS });
    return JSON.parse(stdout);
  } catch (error) {
    if (!error.killed) throw error;
    return Object.fromEntries([...Object.keys(TARGETS[workload]), 'peakMb'].map((label) => [label, Infinity]));
  }
}
