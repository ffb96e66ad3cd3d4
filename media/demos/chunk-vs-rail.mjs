// Chunks of Promise.all against the rails of a promise pool: the same 1,000 sleeps, 50 at a time, both ways.
//
//   node chunk-vs-rail.mjs                 at a tenth of the document's times, about 7 seconds
//   node chunk-vs-rail.mjs --scale 1       the document's own times, about 66 seconds
//   node chunk-vs-rail.mjs --count 10 --size 5
import { setTimeout as sleep } from 'node:timers/promises';
import { PromisePool } from '@supercharge/promise-pool';

const parameters = {
  count: 1000, // tasks in all
  size: 50,    // tasks in a chunk, and rails of the pool
  min: 500,    // the shortest sleep, ms
  max: 2000,   // the longest sleep, ms
  scale: 0.1,  // every sleep is multiplied by this
};
readArguments(parameters);
const { count, size, min, max, scale } = parameters;

// What the document measured with these parameters at scale 1, ms.
const documented = { chunks: 39_400, rails: 26_455 };

// Drawn once and used twice: both ways sleep exactly the same times, in the same order.
const sleeps = Array.from({ length: count }, () => Math.round((min + Math.random() * (max - min)) * scale));

/** Stands for a query or a lookup by id that takes `ms` milliseconds. */
async function lookUp(ms) {
  await sleep(ms);
  return ms;
}

/** Way one: a chunk of 50 together, and the next chunk only when the last of them is done. */
async function runAsChunks() {
  const chunks = [];
  for (let i = 0; i < count; i += size) chunks.push(sleeps.slice(i, i + size));

  let done = 0;
  for (const [index, chunk] of chunks.entries()) {
    const start = performance.now();
    const results = await Promise.all(chunk.map(lookUp));
    const elapsed = performance.now() - start;
    done += results.length;
    console.log(`  chunk ${cell(index + 1, 2)} of ${chunks.length}  ${cell(chunk.length, 3)} tasks`
      + `   min ${cell(Math.min(...chunk), 4)} ms   max ${cell(Math.max(...chunk), 4)} ms   elapsed ${milliseconds(elapsed)}`);
  }
  return done;
}

/** Way two: 50 rails, and whichever is free takes the next task. */
async function runOnRails() {
  const { results } = await PromisePool.for(sleeps).withConcurrency(size).process(lookUp);
  return results.length;
}

/** Runs one of the ways and returns how long it took, in ms. */
async function measure(title, run) {
  console.log(`\n${title}`);
  const start = performance.now();
  const done = await run();
  const elapsed = performance.now() - start;
  console.log(`  ${done} tasks in ${seconds(elapsed).trim()}`);
  return elapsed;
}

console.log(`${count} sleeps of ${min * scale} to ${max * scale} ms (${min} to ${max} ms × ${scale}), the same sleeps both times.`);
const chunks = await measure(`Chunks of ${size}, each with Promise.all`, runAsChunks);
const rails = await measure(`${size} rails of a PromisePool`, runOnRails);

console.log(`\n${row('', cell('chunks', 9), cell('rails', 9), cell('difference', 11))}`);
compare('this run', chunks, rails);
if (scale !== 1) compare(`this run, times ${Number((1 / scale).toFixed(2))}`, chunks / scale, rails / scale);
compare('the document: 1000 tasks, 50 at a time', documented.chunks, documented.rails);

/** Prints both totals (ms) and how much less the rails took, in per cent. */
function compare(label, before, after) {
  const difference = ((after / before - 1) * 100).toFixed(1).replace('-', '−');
  console.log(row(label, seconds(before), seconds(after), cell(`${difference} %`, 11)));
}

function row(label, ...cells) { return `${label.padEnd(40)} ${cells.join(' ')}`; }
function cell(value, width) { return String(value).padStart(width); }
function milliseconds(value) { return cell(`${value.toFixed(1)} ms`, 9); }
function seconds(value) { return cell(`${(value / 1000).toFixed(3)} s`, 9); }

/** Takes `--name value` for any of the parameters. */
function readArguments(target) {
  const words = process.argv.slice(2);
  for (let i = 0; i < words.length; i += 2) {
    const name = words[i].replace(/^--/, '');
    const value = Number(words[i + 1]);
    if (!words[i].startsWith('--') || !Object.hasOwn(target, name) || !(value > 0)) {
      console.error(`chunk-vs-rail: cannot make sense of "${words.slice(i, i + 2).join(' ')}"; there is ${Object.keys(target).map((key) => `--${key} <number>`).join(', ')}`);
      process.exit(2);
    }
    target[name] = value;
  }
}
