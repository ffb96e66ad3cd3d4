// Is Promise.all the efficient way to read many files? One by one, all at once, and shared among worker threads.
//
//   node read-files.mjs                            5,000 files, made for the occasion and removed afterwards
//   node read-files.mjs --files 100000             as many as in the document
//   node read-files.mjs --workers 2 --share 0.3    two workers, and 0.3 of a CPU for the last way
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { tellFigures, tellTable } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';
import { labelOf, padEnd, say } from './lib/say.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

const parameters = readParameters('Reading thousands of files: one by one, with Promise.all, by worker threads, and with a fraction of a CPU', {
  files:   { is: 5000, from: 1, to: 100_000, about: 'files to read' },
  bytes:   { is: 2700, from: 1, to: 1_000_000, about: 'size of a file' },
  workers: { is: 4, from: 1, to: 64, atMost: 'files', about: 'worker threads' },
  share:   { is: 0.6, from: 0.1, to: 1, step: 0.1, about: 'CPUs the last way is granted' },
});
const { files, bytes, workers, share } = parameters;
const SELF = fileURLToPath(import.meta.url);
// Set for a process that this script starts to do one of the ways under other conditions.
const { READ_FILES_FOLDER, READ_FILES_WAY } = process.env;

const folder = isMainThread ? READ_FILES_FOLDER ?? temporaryFolder(files * bytes, files) : workerData.folder;
const path = (i) => join(folder, `${i}.txt`);
/** What each worker took for its own range, in ms. */
const workerTimes = [];

/** Reads one file. @returns its length */
async function read(i) {
  return (await readFile(path(i))).length;
}

/** One by one: the next file only when the one before has been read. */
async function oneByOne() {
  let count = 0;
  for (let i = 0; i < files; i++) {
    await read(i);
    count++;
  }
  return count;
}

/** All at once. The reads queue for libuv's threads, of which there are four. */
async function allAtOnce(from = 0, to = files) {
  const lengths = await Promise.all(Array.from({ length: to - from }, (_, i) => read(from + i)));
  return lengths.length;
}

/** All at once, and no Promise.all: each adds itself to the count. The work is libuv's either way. */
function withoutPromiseAll() {
  return new Promise((resolve, reject) => {
    let count = 0;
    for (let i = 0; i < files; i++) read(i).then(() => { if (++count === files) resolve(count); }, reject);
  });
}

/** Worker threads, each with a range of its own, which it reads with Promise.all. */
async function byWorkers(threads = workers) {
  const size = Math.ceil(files / threads);
  const counts = await Promise.all(Array.from({ length: threads }, (_, i) => readRange(i, i * size, Math.min(files, (i + 1) * size))));
  return counts.reduce((sum, count) => sum + count, 0);
}
function readRange(number, from, to) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(SELF, { workerData: { folder, from, to } });
    let count = 0;
    worker.on('message', (result) => {
      count = result.count;
      workerTimes[number] = result.ms;
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve(count));
  });
}

/** One worker that sends what it reads piece by piece: `data`, `fileComplete`, `error`. */
function streamed() {
  return new Promise((resolve, reject) => {
    let count = 0;
    const worker = new Worker(SELF, { workerData: { folder, from: 0, to: files, isStreamed: true } });
    worker.on('error', reject);
    worker.on('message', ({ type, error }) => {
      if (type === 'error') reject(error);
      if (type === 'fileComplete' && ++count === files) resolve(count);
    });
  });
}
async function sendRange({ from, to }) {
  for (let i = from; i < to; i++) {
    try {
      for await (const data of createReadStream(path(i))) parentPort.postMessage({ type: 'data', data });
      parentPort.postMessage({ type: 'fileComplete' });
    } catch (error) {
      parentPort.postMessage({ type: 'error', error });
    }
  }
}

/** No Node at all: programs of the shell, each handing on to the next. */
async function shellPipeline() {
  const shell = spawn('sh', ['-c', 'find "$0" -name "*.txt" -print0 | xargs -0 cat | wc -c', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let counted = '';
  shell.stdout.on('data', (text) => { counted += text; });
  await once(shell, 'close');
  return Number(counted) / bytes;
}

const WAYS = { allAtOnce, byWorkers };

if (!isMainThread) {
  if (workerData.isStreamed) await sendRange(workerData);
  else {
    const start = performance.now();
    const count = await allAtOnce(workerData.from, workerData.to);
    parentPort.postMessage({ count, ms: performance.now() - start });
  }
} else if (READ_FILES_WAY) {
  const before = process.cpuUsage();
  const start = performance.now();
  await WAYS[READ_FILES_WAY]();
  const { user, system } = process.cpuUsage(before);
  process.send({ elapsed: performance.now() - start, cpu: (user + system) / 1000, workerTimes }, () => process.disconnect());
} else {
  await makeFiles();
  await compare();
}

async function makeFiles() {
  const text = 'x'.repeat(bytes);
  let made = 0;
  const lane = async () => {
    while (made < files) {
      const i = made++;
      await writeFile(path(i), text);
      if ((i + 1) % Math.ceil(files / 5) === 0 || i + 1 === files) console.log(say`  ${i + 1} of ${files} files made`);
    }
  };
  console.log(say`Making ${files} files of ${bytes} bytes in ${folder}; they are removed at the end.`);
  await Promise.all(Array.from({ length: 16 }, lane));
}

async function compare() {
  const perFile = (ms) => ms * 1000 / files;
  const rows = [];
  const add = (figure, label, ms, documented, expected) => {
    rows.push({ figure, label, unit: 'µs/file', measured: perFile(ms), documented, expected: expected && perFile(expected) });
    console.log(`  ${padEnd(labelOf(figure, label), 44)} ${(ms / 1000).toFixed(3)} s`);
  };
  let ownTimes = [];
  const measure = async (way) => {
    const start = performance.now();
    if (await way() !== files) throw new Error('not all files were read');
    return performance.now() - start;
  };

  console.log(`\n${say`Reading ${files} files`}`);
  add('one', 'one by one', await measure(oneByOne), '240–270');
  if (files < openFilesAllowed()) {
    add('all', 'all at once, with Promise.all', await measure(allAtOnce), '120–135');
    add('then', 'all at once, without Promise.all', await measure(withoutPromiseAll), '135–150');
    add('workers4', `by ${workers} workers`, await measure(() => byWorkers()), workers === 4 ? '70' : undefined);
    ownTimes = workerTimes.splice(0);
    add('worker', 'by 1 worker', await measure(() => byWorkers(1)), '160–170');
  } else {
    console.log(say`  not all at once: this system lets a process open ${openFilesAllowed()} files (ulimit -n)`);
  }
  add('stream', 'streamed from a worker by messages', await measure(streamed));
  if (process.platform !== 'win32') add('shell', 'by a shell pipeline: find | xargs cat | wc', await measure(shellPipeline));
  if (files < openFilesAllowed()) {
    // The number of libuv's threads is fixed once the first of them works: each of these needs a process of its own.
    for (const threads of [1, 4, 16]) add(`uv${threads}`, `all at once, UV_THREADPOOL_SIZE=${threads}`, (await elsewhere('allAtOnce', { UV_THREADPOOL_SIZE: threads })).elapsed);
    const limitedTimes = await onShare(add);
    const inSeconds = (ms) => (ms === undefined ? '–' : (ms / 1000).toFixed(3));
    tellTable({
      table: 'each', title: 'each worker, in s', columns: { worker: 'worker', own: 'by itself', limited: 'on its share' },
      rows: ownTimes.map((ms, i) => [`${i + 1}`, inSeconds(ms), inSeconds(limitedTimes[i])]),
    });
    console.log(say`  Each of ${workers} workers gets about ${(share / workers * 100).toFixed(0)} % of a CPU where ${share} are granted.`);
  }
  tellFigures(parameters, rows, `the document read 100,000 files from a disk; files just made come out of memory, so that threads wait for nothing and share ${availableParallelism()} CPUs: where those are few, one by one may well be the quickest. Starting workers, processes and programs counts as well, and weighs more the fewer files there are.`);
}

/** The workers once more in a process that is granted only a share of a CPU. Theory: its CPU time takes as much longer. @returns the workers' times */
async function onShare(add) {
  const label = `by ${workers} workers on ${share} of a CPU`;
  const documented = workers === 4 && share === 0.6 ? '217' : undefined;
  if (process.platform === 'linux') {
    const limited = await elsewhere('byWorkers', {}, grant);
    add('limited', label, limited.elapsed, documented, limited.cpu / share);
    return limited.workerTimes;
  }
  // Elsewhere nobody tells cheaply how much CPU another process has used.
  const { elapsed, cpu } = await elsewhere('byWorkers', {});
  add('limited', `${label} (modelled from its CPU time)`, Math.max(elapsed, cpu / share), documented);
  return [];
}

/** Does one of the ways in a process of its own. @param watch called with the process */
async function elsewhere(way, env, watch) {
  const child = fork(SELF, process.argv.slice(2), { env: { ...process.env, ...env, READ_FILES_FOLDER: folder, READ_FILES_WAY: way } });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const release = watch?.(child.pid);
  let result;
  child.once('message', (message) => {
    result = message;
    release?.();
  });
  const [code] = await once(child, 'exit');
  process.off('exit', kill);
  if (!result) throw new Error(`the process that was to read ended with status ${code}`);
  return result;
}

/**
 * Grants a process its share of a CPU, as a container does: it is stopped while it has used more than is due to it, and
 * continued when more has become due. All its threads stop, whichever of them used it up.
 */
function grant(pid) {
  const start = performance.now();
  let isStopped = false;
  // A stopped process cannot notice that nobody is left to continue it: a shell waits for the end of this process, however that comes, and ends the other one.
  const guard = spawn('sh', ['-c', 'read end; kill -KILL "$0"', pid], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const timer = setInterval(() => {
    // 50 ms at once: containers are granted their share in periods of 100 ms.
    const due = (performance.now() - start) * share + 50;
    const used = cpuTime(pid);
    if (used > due && !isStopped) isStopped = process.kill(pid, 'SIGSTOP');
    else if (used <= due && isStopped) isStopped = !process.kill(pid, 'SIGCONT');
  }, 5);
  return () => {
    clearInterval(timer);
    process.kill(pid, 'SIGCONT');
    guard.kill('SIGKILL');
  };
}

/** CPU time of a process in ms; the kernel counts in hundredths of a second. */
function cpuTime(pid) {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * 10;
}

function openFilesAllowed() {
  const limit = Number(process.report?.getReport().userLimits?.open_files.soft);
  return (limit > 0 ? limit : Infinity) - 100;
}
