// Reading files with readFileSync and with fs.promises.readFile, and what a promise costs.
//
//   node sync-vs-async.mjs                    1, 2 and 100 files, four runs each
//   node sync-vs-async.mjs --cache memory     only what comes out of memory, which is what files just written do
//   node sync-vs-async.mjs --many 1000        more files
//   node sync-vs-async.mjs --bytes 1000000    larger files
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tellFigures, tellTable } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';
import { say } from './lib/say.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

const parameters = readParameters('Sync against async file reads: the times, what a promise costs, and who waits meanwhile', {
  many:  { is: 100, from: 2, to: 10_000, about: 'files of the largest set' },
  bytes: { is: 2700, from: 1, to: 10_000_000, about: 'size of a file' },
  cache: { is: 'both', of: ['both', 'memory', 'disk'], about: 'where the files come from' },
  runs:  { is: 4, from: 1, to: 100, about: 'runs of each' },
  reads: { is: 100, from: 1, to: 1000, about: 'times the largest set is read beside a ticking pool' },
});
const { many, bytes, cache, runs, reads } = parameters;
/** Taking a file out of memory takes a process of its own: more of them would take longer than all the rest. */
const MOST_FROM_DISK = 200;

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

/**
 * Writes files to the disk and has the system forget what it keeps of them in memory.
 * @returns whether that can be done here: GNU's dd can, on Linux
 */
function forget(some) {
  const script = 'for file do dd of="$file" oflag=nocache conv=notrunc,fdatasync count=0 status=none || exit 1; done';
  return process.platform === 'linux' && spawnSync('sh', ['-c', script, 'sh', ...some], { stdio: 'ignore' }).status === 0;
}

/** 1, 2 and many files, each some times. @param prepare done before each reading @returns the median of the ratios, by the number of files */
async function compare(subject, prepare) {
  const ratios = new Map();
  const rows = [];
  for (const count of new Set([1, 2, many])) {
    const some = files.slice(0, count);
    const seen = [];
    for (let run = 1; run <= runs; run++) {
      prepare(some);
      const sync = await milliseconds(() => readSync(some));
      prepare(some);
      const async = await milliseconds(() => readAsync(some));
      seen.push(async / sync);
      rows.push([`${count}`, `${run}`, sync.toFixed(3), async.toFixed(3), (async / sync).toFixed(1)]);
    }
    ratios.set(count, median(seen));
  }
  tellTable({ table: 'reads-of', subject, title: 'reading with readFileSync and with Promise.all', columns: { files: 'files', run: 'run', sync: 'sync ms', async: 'async ms', ratio: 'async/sync' }, rows });
  return ratios;
}

console.log(say`Files of ${bytes} bytes. The first run differs: nothing is compiled yet.`);
const memory = cache === 'disk' ? undefined : await compare('memory', () => undefined);
let disk;
if (cache !== 'memory') {
  if (many > MOST_FROM_DISK) console.log(`\n${say`Not from the disk: that is measured with up to ${MOST_FROM_DISK} files.`}`);
  else if (!forget(files)) console.log(`\n${say`Not from the disk: this system does not take files out of memory on demand (Linux with GNU dd does).`}`);
  else disk = await compare('disk', forget);
}

console.log(`\n${say`What a promise costs: resolving empty promises and waiting for them`}`);
const empty = (count) => milliseconds(() => Promise.all(Array.from({ length: count }, () => Promise.resolve())));
const one = await empty(1);
const hundred = await empty(100);
console.log(say`    1 promise    ${one.toFixed(3)} ms`);
console.log(say`  100 promises   ${hundred.toFixed(3)} ms`);

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
console.log(`\n${say`A ticking pool beside ${reads} × ${many} reads`}`);
const besideSync = await longestWait(() => { for (let i = 0; i < reads; i++) readSync(files); });
const besideAsync = await longestWait(async () => { for (let i = 0; i < reads; i++) await readAsync(files); });
console.log(say`  beside sync reads a turn came after ${besideSync.toFixed(1)} ms at the latest, beside async reads after ${besideAsync.toFixed(1)} ms`);

tellFigures(parameters, [
  ...ratioRows('memory', memory), ...ratioRows('disk', disk),
  { figure: 'promise', label: '1 empty promise', unit: 'ms', measured: one, documented: '0.8–1.7' },
  { figure: 'promises', label: '100 empty promises', unit: 'ms', measured: hundred, documented: '2.6–3.3' },
  { figure: 'blocked', label: 'longest wait for a turn, sync', unit: 'ms', measured: besideSync },
  { figure: 'free', label: 'longest wait for a turn, async', unit: 'ms', measured: besideAsync },
], 'an async read costs something once and something for each file, a sync read for each file only: so the ratio falls with the number of files, down to what one file '
  + 'costs more. Out of memory a sync read takes some 10 µs, and async ones cost several times that however many they are: there the ratio hardly falls, or rises while CPUs are few. '
  + 'From a disk both wait, and async reads wait together. The document does not say where its files came from. Promises have become cheaper since; watched by Async Lanes, each costs a little more.');
console.log(say`Sync is faster alone, and blocks everything else meanwhile; where many things go on at once, what async costs pays.`);

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function ratioRows(from, ratios) {
  if (!ratios) return [];
  const row = (figure, count, documented) => ({ figure: `${from}-${figure}`, label: `async/sync, ${count} file${count === 1 ? '' : 's'} from ${from}`, unit: '×', measured: ratios.get(count), documented: bytes === 2700 ? documented : undefined });
  return [row('one', 1, '11–14'), ...(many > 2 ? [row('two', 2, '4–12.8')] : []), row('large', many, many === 100 ? '2.6–3.2' : undefined)];
}
