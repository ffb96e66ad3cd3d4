// When one promise of a Promise.all rejects, the call rejects at once. The others keep running; nobody reads their results.
//
//   node fail-fast.mjs                        ten tasks, the third fails
//   node fail-fast.mjs --fails 0              none fails: both calls end with the slowest task
//   node fail-fast.mjs --count 50 --fails 7
import { setTimeout as sleep } from 'node:timers/promises';
import { tellFigures, tellScale } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';
import { say } from './lib/say.mjs';

const parameters = readParameters('One rejection among many: what goes on and is ignored, and what allSettled keeps', {
  count: { is: 10, from: 1, to: 1000, about: 'tasks in all' },
  fails: { is: 3, from: 0, to: 1000, atMost: 'count', about: 'the task that fails; 0: none' },
  first: { is: 1000, from: 1, to: 60_000, about: 'how long the first task takes, ms' },
  step:  { is: 500, from: 0, to: 60_000, about: 'how much longer each next task takes, ms' },
  scale: { is: 0.2, from: 0.001, to: 10, step: 0.001, about: 'every time is multiplied by this' },
});
const { count, fails, first, step, scale } = parameters;

let start;
/** How long the call in question has been going on. */
const clock = () => `${(performance.now() - start).toFixed(0).padStart(6)} ms`;
const numbers = Array.from({ length: count }, (_, i) => i + 1);
let finished = 0;

/** A task that says when it has done its work, whether or not anybody still wants the result. */
async function work(number) {
  await sleep((first + (number - 1) * step) * scale);
  if (number === fails) throw new Error(`task ${number} failed`);
  finished++;
  return `result ${number}`;
}

tellScale(scale, (first + (count - 1) * step) / 1000);

console.log('\nPromise.all');
start = performance.now();
const promises = numbers.map(work);
const all = await Promise.all(promises).then(
  (results) => ({ kept: results.length, said: say`fulfilled` }),
  (error) => ({ kept: 0, said: say`rejected: ${error.message}` }),
);
const allTook = performance.now() - start;
const before = finished;
console.log(say`${clock()}  Promise.all ${all.said}; ${before} tasks have finished, ${count - before - (fails ? 1 : 0)} are still running`);

// Nobody can call them off from here. We only wait until they are done to count them.
await Promise.allSettled(promises);
const ignored = fails ? finished - before : 0;
console.log(say`${clock()}  the last task ends; ${ignored} results came after the rejection, and ${all.kept} of ${count} were handed over`);

console.log('\nPromise.allSettled');
start = performance.now();
const outcomes = await Promise.allSettled(numbers.map(work));
const settledTook = performance.now() - start;
const kept = outcomes.filter(({ status }) => status === 'fulfilled').length;
console.log(say`${clock()}  Promise.allSettled fulfilled with ${outcomes.length} outcomes; results: ${kept}, reasons of a rejection: ${outcomes.length - kept}`);

const slowest = (first + (count - 1) * step) * scale;
tellFigures(parameters, [
  { figure: 'all', label: 'Promise.all answered after', unit: 'ms', measured: allTook, expected: fails ? (first + (fails - 1) * step) * scale : slowest },
  { figure: 'ignored', label: 'tasks that went on, and were ignored', unit: '', measured: ignored, expected: fails ? count - fails : 0 },
  { figure: 'settled', label: 'Promise.allSettled answered after', unit: 'ms', measured: settledTook, expected: slowest },
  { figure: 'kept', label: 'results that allSettled kept', unit: '', measured: kept, expected: fails ? count - 1 : count },
], 'the document gives the rule and no figures; timers fire up to a millisecond or two late.');
