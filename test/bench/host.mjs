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

/** Figures without a target: they are here to be seen when they move. */
export async function benchHost(rounds) {
  const scratch = await mkdtemp(join(tmpdir(), 'async-lanes-bench-host-'));
  try {
    const grouper = join(scratch, 'group-facts.mjs');
    await build({ absWorkingDir: root, entryPoints: ['test/bench/group-facts.ts'], bundle: true, platform: 'node', format: 'esm', outfile: grouper });
    const rows = [];
    for (const workload of ['calls', 'experiment']) {
      console.error(`Grouping: ${workload} …`);
      rows.push(await recorded(process.execPath, workload, 'v8', async (facts) => {
        const [name] = await readdir(facts);
        const runs = [];
        for (let round = 0; round < rounds; round++) {
          runs.push(JSON.parse((await promisify(execFile)(process.execPath, ['--expose-gc', grouper, join(facts, name)])).stdout));
        }
        const middle = (key) => median(runs.map((run) => run[key]).sort((a, b) => a - b));
        return [workload, count(runs[0].facts), count(runs[0].tasks), count(runs[0].groups), count(middle('factsPerSecond')), count(middle('bytesPerTask'))];
      }));
    }
    console.log(`\nGrouping in the host, Node ${process.versions.node}, median of ${rounds}`);
    printTable(['workload', 'facts', 'tasks', 'groups', 'facts/s', 'bytes/task'], rows);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const count = (n) => Math.round(n).toLocaleString('en');
