// Runs one workload in a process of its own, so that nothing of one run is warm in the next, and prints its times in
// milliseconds, and the most memory the process ever held, as one line of JSON. What is timed is the work between its begin
// and its end, not the start of Node.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const range = (n) => Array.from({ length: n }, (_, i) => i);

async function inChunks(items, size, work) {
  for (let i = 0; i < items.length; i += size) await Promise.all(items.slice(i, i + size).map(work));
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const WORKLOADS = {
  /** The document's experiment (D1) at a twentieth of its time: 1,000 sleeps of 25–100 ms, chunks of 50 against 50 rails. */
  async experiment() {
    const { PromisePool } = await import('@supercharge/promise-pool');
    const random = seeded(1);
    const durations = range(1000).map(() => 25 + random() * 75);
    const chunks = await timed(() => inChunks(durations, 50, async (ms) => { await sleep(ms); }));
    const pool = await timed(() => PromisePool.withConcurrency(50).for(durations).process(async (ms) => { await sleep(ms); }));
    return { chunks, pool };
  },

  async calls() {
    const items = range(1000);
    const trivial = async (item) => item + 1;
    return { calls: await timed(async () => { for (let i = 0; i < 1000; i++) await Promise.all(items.map(trivial)); }) };
  },

  /** A million tasks as short as they can be without coming too fast to be watched: of each there are facts. */
  async tasks() {
    const items = range(1000);
    const short = async (item) => {
      const begun = performance.now();
      while (performance.now() - begun < 0.003);
      return item;
    };
    return { tasks: await timed(async () => { for (let i = 0; i < 1000; i++) await Promise.all(items.map(short)); }) };
  },

  async awaits() {
    return { awaits: await timed(async () => { for (let i = 0; i < 2_000_000; i++) await undefined; }) };
  },

  async json() {
    const text = JSON.stringify(range(40).map((id) => ({ id, name: `name of item ${id}`, price: id * 1.5 }))).padEnd(2048);
    async function handle() {
      const parsed = JSON.parse(text);
      await undefined;
      const answer = JSON.stringify(parsed);
      await undefined;
      return answer;
    }
    return { json: await timed(() => inChunks(range(40_000), 100, handle)) };
  },

  async files() {
    const folder = await mkdtemp(join(tmpdir(), 'async-lanes-bench-'));
    try {
      const file = join(folder, 'text.txt');
      await writeFile(file, 'x'.repeat(2700));
      return { files: await timed(() => inChunks(range(5000), 50, async () => { await readFile(file); })) };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

const times = await WORKLOADS[process.argv[2]]();
console.log(JSON.stringify({ ...times, peakMb: process.resourceUsage().maxRSS / 1024 }));
