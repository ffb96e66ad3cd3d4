// Reading files with readFileSync and with fs.promises.readFile, and what a promise costs.
//
//   node sync-vs-async.mjs                    1, 2 and 100 files, four runs each
//   node sync-vs-async.mjs --many 1000        the asynchronous overhead pays as files become more
//   node sync-vs-async.mjs --bytes 1000000    larger files
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tellFigures } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

const parameters = readParameters('Sync against async file reads: the times, what a promise costs, and who waits meanwhile', {
  many:  { is: 100, from: 2, to: 10_000, about: 'files of the largest set' },
  bytes: { is: 2700, from: 1, to: 10_000_000, about: 'size of a file' },
  runs:  { is: 4, from: 1, to: 100, about: 'runs of each' },
  reads: { is: 20, from: 1, to: 1000, about: 'times the largest set is read beside a ticking pool' },
});
const { many, bytes, runs, reads } = parameters;

const folder = temporaryFolder(many * bytes, many);
const files = Array.from({ length: many }, (_, i) => join(folder, `${i + 1}.txt`));
for (const file of files) writeFileSync(file, 'x'.repeat(bytes));

/** Reads one after the other; nothing else happens in this thread until all are read. */
function readSync(some) {
  for (const file of some) readFileSync(file);
}

/** Reads all at once; the thread is free while libuv's threads wait for the disk. */
async function readAsync(some) {
  await Promise.all(some.map((file) => readFile(file)));
}

async function milliseconds(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const ratios = new Map();
for (const count of new Set([1, 2, many])) {
  const some = files.slice(0, count);
  console.log(`\n${count} file${count === 1 ? '' : 's'} of ${bytes} bytes`);
  console.log('  run     sync ms    async ms   async/sync');
  const seen = [];
  for (let run = 1; run <= runs; run++) {
    const sync = await milliseconds(() => readSync(some));
    const async = await milliseconds(() => readAsync(some));
    seen.push(async / sync);
    console.log(`  ${String(run).padStart(3)}  ${sync.toFixed(3).padStart(10)}  ${async.toFixed(3).padStart(10)}  ${(async / sync).toFixed(1).padStart(11)}${run === 1 && count === 1 ? '   the first run: nothing is compiled yet' : ''}`);
  }
  ratios.set(count, seen.sort((a, b) => a - b)[seen.length >> 1]);
}

console.log('\nWhat a promise costs: resolving empty promises and waiting for them');
const empty = (count) => milliseconds(() => Promise.all(Array.from({ length: count }, () => Promise.resolve())));
const one = await empty(1);
const hundred = await empty(100);
console.log(`    1 promise    ${one.toFixed(3)} ms\n  100 promises   ${hundred.toFixed(3)} ms`);

// Three tasks of a pool that only ask for a turn every millisecond. The longest they wait for one is how long the loop was blocked.
async function longestWait(work) {
  let longest = 0;
  let isOver = false;
  const tick = async () => {
    while (!isOver) {
      const asked = performance.now();
      await sleep(1);
      longest = Math.max(longest, performance.now() - asked);
    }
  };
  const pool = [tick(), tick(), tick()];
  await sleep(20);
  longest = 0;
  await work();
  isOver = true;
  await Promise.all(pool);
  return longest;
}
console.log(`\nA ticking pool beside ${reads} × ${many} reads`);
const besideSync = await longestWait(() => { for (let i = 0; i < reads; i++) readSync(files); });
const besideAsync = await longestWait(async () => { for (let i = 0; i < reads; i++) await readAsync(files); });
console.log(`  beside sync reads a turn came after ${besideSync.toFixed(1)} ms at the latest, beside async reads after ${besideAsync.toFixed(1)} ms`);

tellFigures(parameters, [
  { figure: 'one', label: 'async/sync, 1 file', unit: '×', measured: ratios.get(1), documented: bytes === 2700 ? '11–14' : undefined },
  { figure: 'two', label: 'async/sync, 2 files', unit: '×', measured: ratios.get(2), documented: bytes === 2700 ? '4–12.8' : undefined },
  { figure: 'large', label: `async/sync, ${many} files`, unit: '×', measured: ratios.get(many), documented: bytes === 2700 && many === 100 ? '2.6–3.2' : undefined },
  { figure: 'promise', label: '1 empty promise', unit: 'ms', measured: one, documented: '0.8–1.7' },
  { figure: 'promises', label: '100 empty promises', unit: 'ms', measured: hundred, documented: '2.6–3.3' },
  { figure: 'blocked', label: 'longest wait for a turn, sync', unit: 'ms', measured: besideSync },
  { figure: 'free', label: 'longest wait for a turn, async', unit: 'ms', measured: besideAsync },
], 'files just written come out of memory, where a sync read takes some 10 µs and leaves nothing to overlap: the ratio falls with the number of files '
  + 'only where a read has to wait for a disk or a network. Promises have become cheaper since; watched by Async Lanes, each costs a little more.');
console.log('Sync is faster alone, and blocks everything else meanwhile; where many things go on at once, what async costs pays.');
