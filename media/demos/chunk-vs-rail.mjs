// Chunks of Promise.all against the rails of a promise pool: the same tasks, the same limit, both ways.
//
//   node chunk-vs-rail.mjs                                     1,000 sleeps at a tenth of the document's times, about 7 seconds
//   node chunk-vs-rail.mjs --scale 1                           the document's own times, about 66 seconds
//   node chunk-vs-rail.mjs --tasks figure --size 5             the ten tasks of the document's drawing
//   node chunk-vs-rail.mjs --tasks similar                     tasks that take nearly the same time: no big difference
//   node chunk-vs-rail.mjs --tasks heavy                       a few tasks that take very long: a large one
//   node chunk-vs-rail.mjs --free 20                           a pool of 50 connections, 30 of which other servers use
//   node chunk-vs-rail.mjs --library both                      es6-promise-pool beside @supercharge/promise-pool
import { setTimeout as sleep } from 'node:timers/promises';
import { PromisePool } from '@supercharge/promise-pool';
import Es6PromisePool from 'es6-promise-pool';
import { tellFigures, tellScale } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';
import { say } from './lib/say.mjs';

const parameters = readParameters('The same sleeps, 50 at a time: as chunks of Promise.all, then on the rails of a promise pool', {
  tasks:   { is: 'uniform', of: ['uniform', 'figure', 'similar', 'heavy'], about: 'how long tasks take' },
  count:   { is: 1000, from: 1, to: 100_000, about: 'tasks in all' },
  size:    { is: 50, from: 1, to: 1000, about: 'tasks in a chunk, and rails of the pool' },
  min:     { is: 500, from: 0, to: 60_000, atMost: 'max', about: 'the shortest sleep, ms' },
  max:     { is: 2000, from: 0, to: 60_000, about: 'the longest sleep, ms' },
  free:    { is: 0, from: 0, to: 1000, about: 'database connections that are free to us; 0: as many as wanted' },
  library: { is: 'supercharge', of: ['supercharge', 'es6', 'both'], about: 'which promise pool' },
  scale:   { is: 0.1, from: 0.001, to: 10, step: 0.001, about: 'every time is multiplied by this' },
});
const { tasks, size, min, max, free, library, scale } = parameters;

// The document's drawing, in its own units; here a unit is a second.
const FIGURE = [8.3, 4, 2, 5, 6, 4.7, 2, 3, 8.3, 6];
const count = tasks === 'figure' ? FIGURE.length : parameters.count;

/** How long a task takes, in ms, before the scale. */
const draw = {
  figure: (i) => FIGURE[i] * 1000,
  uniform: () => min + Math.random() * (max - min),
  similar: () => (min + max) / 2 * (0.98 + Math.random() * 0.04),
  // Pareto with a shape of 1.5: most tasks are quick, one in a hundred takes twenty times as long as the quickest.
  heavy: () => Math.min(max * 10, min / (1 - Math.random()) ** (1 / 1.5)),
}[tasks];
// Drawn once and used each time: all ways sleep exactly the same times, in the same order.
const sleeps = Array.from({ length: count }, (_, i) => Math.round(draw(i) * scale));

/** Stands for a query or a lookup by id that takes `ms` milliseconds. */
async function lookUp(ms) {
  if (free > 0) await connect();
  await sleep(ms);
  if (free > 0) disconnect();
  return ms;
}

// The connections that other servers leave us. Who finds none free stands in line.
let unused = free;
const line = [];
function connect() {
  if (unused === 0) return new Promise((given) => line.push(given));
  unused--;
}
function disconnect() {
  const next = line.shift();
  if (next) next(); else unused++;
}

/** Way one: a chunk together, and the next chunk only when the last of them is done. @returns ms of each chunk */
async function runAsChunks() {
  const chunkAll = [];
  for (let i = 0; i < count; i += size) chunkAll.push(sleeps.slice(i, i + size));

  let done = 0;
  const lasted = [];
  for (const chunk of chunkAll) {
    const start = performance.now();
    const results = await Promise.all(chunk.map(lookUp));
    lasted.push(performance.now() - start);
    done += results.length;
    const [shortest, longest] = [Math.min(...chunk), Math.max(...chunk)];
    console.log(say`  chunk ${cell(lasted.length, 2)} of ${chunkAll.length}  ${cell(chunk.length, 3)} tasks   min ${cell(shortest, 4)} ms   max ${cell(longest, 4)} ms   elapsed ${cell(lasted.at(-1).toFixed(1), 7)} ms   ${cell(done, 4)} done`);
  }
  return lasted;
}

/** Way two: as many rails, and whichever is free takes the next task. */
async function runOnRails() {
  await PromisePool.for(sleeps).withConcurrency(size).process(lookUp);
}

/** Way two with another library: it asks for the next promise whenever a rail is free. */
async function runOnEs6Rails() {
  let next = 0;
  await new Es6PromisePool(() => (next < count ? lookUp(sleeps[next++]) : undefined), size).start();
}

/** Runs one of the ways. @returns how long it took in all, in ms, and what the way gave back */
async function measure(title, run) {
  console.log(`\n${title}`);
  const start = performance.now();
  const result = await run();
  const elapsed = performance.now() - start;
  console.log(say`  ${count} tasks in ${(elapsed / 1000).toFixed(3)} s`);
  return { elapsed, result };
}

console.log(say`${count} sleeps of ${Math.min(...sleeps)} to ${Math.max(...sleeps)} ms, the same sleeps each time.`);
tellScale(scale, tasks === 'figure' ? 31 : 66);
if (free > 0 && free < size) console.log(say`Only ${free} connections are free: of ${size} tasks that run, ${size - free} wait for one.`);

const chunks = await measure(say`Chunks of ${size}, each with Promise.all`, runAsChunks);
const rails = library === 'es6' ? undefined : await measure(say`${size} rails of ${'@supercharge/promise-pool'}`, runOnRails);
const es6 = library === 'supercharge' ? undefined : await measure(say`${size} rails of ${'es6-promise-pool'}`, runOnEs6Rails);

// Everything below is in the document's own times, so that it can be held against the document's figures.
const seconds = (ms) => ms / 1000 / scale;
const isDocumented = tasks === 'uniform' && count === 1000 && size === 50 && min === 500 && max === 2000 && free === 0;
const documented = isDocumented ? { chunks: 39.4, rails: 26.455, less: 33 } : tasks === 'figure' && size === 5 ? { chunks: 16.6, rails: 14.3, less: 13.9 } : {};
// The longest of n sleeps drawn evenly from min to max: min + (max − min) · n / (n + 1). Rails can be no faster than all work, evenly shared.
const fullChunk = (min + (max - min) * size / (size + 1)) / 1000;
const isUniform = tasks === 'uniform' && free === 0 && count % size === 0;
const mean = chunks.result.reduce((sum, ms) => sum + ms, 0) / chunks.result.length;
const best = (rails ?? es6).elapsed;

tellFigures(parameters, [
  { figure: 'chunk', label: 'a chunk, on average', unit: 's', measured: seconds(mean), documented: isDocumented ? 1.97 : undefined, expected: isUniform ? fullChunk : undefined },
  { figure: 'chunks', label: `chunks of ${size}`, unit: 's', measured: seconds(chunks.elapsed), documented: documented.chunks, expected: isUniform ? fullChunk * count / size : undefined },
  ...(rails ? [{ figure: 'rails', label: `${size} rails, @supercharge/promise-pool`, unit: 's', measured: seconds(rails.elapsed), documented: documented.rails, expected: leastOnRails(), atLeast: true }] : []),
  ...(es6 ? [{ figure: 'es6', label: `${size} rails, es6-promise-pool`, unit: 's', measured: seconds(es6.elapsed), expected: leastOnRails(), atLeast: true }] : []),
  { figure: 'less', label: 'less on rails, by', unit: '%', measured: (1 - best / chunks.elapsed) * 100, documented: documented.less },
], 'the sleeps are drawn anew in each run, and timers fire up to a millisecond or two late, which a small scale multiplies.');
console.log(tasks === 'similar'
  ? say`Tasks that take nearly the same time leave nothing to gain: where Promise.all already does, don't switch.`
  : say`Before you switch: check a result from test resources under real ones; and where Promise.all already does, don't switch.`);

/** All work shared evenly by the rails that can really work, in s of the document. */
function leastOnRails() {
  const work = sleeps.reduce((sum, ms) => sum + ms, 0);
  const lanes = Math.min(size, count, free || Infinity);
  return seconds(Math.max(work / lanes, Math.max(...sleeps)));
}

function cell(value, width) { return String(value).padStart(width); }
