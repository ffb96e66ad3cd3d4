// What a run costs the host: how fast facts are grouped, and what a task takes in memory.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { root } from '../../scripts/install.mjs';
import { recorded } from './agent.mjs';
import { median, printTable } from './rounds.mjs';

/** Of a million tasks; the experiment's thousand only show what a short run costs. */
const TARGETS = { tasks: { factsPerSecond: 1_000_000, bytesPerTask: 64 } };

/** @returns true where every target is met */
export async function benchHost(rounds) {
  const scratch = await mkdtemp(join(tmpdir(), 'async-lanes-bench-host-'));
  try {
    const grouper = join(scratch, 'group-facts.mjs');
    await build({ absWorkingDir: root, entryPoints: ['test/bench/group-facts.ts'], bundle: true, platform: 'node', format: 'esm', outfile: grouper });
    const rows = [];
    let met = true;
    for (const workload of ['tasks', 'experiment']) {
      console.error(`Grouping: ${workload} …`);
      rows.push(await recorded(process.execPath, workload, 'v8', async (facts) => {
        const [name] = await readdir(facts);
        const runs = [];
        for (let round = 0; round < rounds; round++) {
          runs.push(JSON.parse((await promisify(execFile)(process.execPath, ['--expose-gc', grouper, join(facts, name)])).stdout));
        }
        const middle = (key) => median(runs.map((run) => run[key]).sort((a, b) => a - b));
        const speed = middle('factsPerSecond');
        const memory = middle('bytesPerTask');
        const target = TARGETS[workload];
        const isMet = !target || (speed >= target.factsPerSecond && memory <= target.bytesPerTask);
        met &&= isMet;
        return [workload, count(runs[0].facts), count(runs[0].tasks), count(runs[0].groups), count(speed), count(memory),
          target ? `≥ ${count(target.factsPerSecond)}, ≤ ${target.bytesPerTask}` : '', target ? (isMet ? 'met' : 'MISSED') : ''];
      }));
    }
    console.log(`\nGrouping in the host, Node ${process.versions.node}, median of ${rounds}`);
    printTable(['workload', 'facts', 'tasks', 'groups', 'facts/s', 'bytes/task', 'target', 'verdict'], rows);
    return met;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const count = (n) => Math.round(n).toLocaleString('en');
