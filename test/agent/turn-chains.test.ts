import { describe, expect, test } from 'vitest';
import { drawnOfTwoSteps } from './two-steps';

const HEAD = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function load(id) { await sleep(30 + id * 3); return id; }
async function save(id) { await sleep(20); return id; }
const ids = [0, 1, 2, 3, 4, 5];
`;
const SLOTS = `let free = 2; const waiting = [];
const release = () => { const go = waiting.shift(); if (go) go(release); else free++; };
const acquire = () => new Promise((go) => { if (free > 0) { free--; go(release); } else waiting.push(go); });
`;

/** Chains of two steps that begin with a turn, or with a pause: the task is both of them, 50 ms and more. */
const BEHIND_SLOTS: Record<string, string> = {
  'two steps, and the slot given back in the end': 'acquire().then(() => load(id)).then((got) => save(got)).finally(release)',
  'two steps, and the slot given back by then': 'acquire().then(() => load(id)).then(save).then((got) => { release(); return got; }, (error) => { release(); throw error; })',
  'a chain of two steps in one': 'acquire().then(() => load(id).then(save).finally(release))',
  'two steps, with what gives the slot back handed over': 'acquire().then((leave) => load(id).then(save).finally(leave))',
  'two steps and something made of the result': 'acquire().then(() => load(id)).then(save).finally(release).then((got) => ({ got }))',
};

describe.each(['v8', 'async_hooks'] as const)('chains whose work begins late, %s', (backend) => {
  const drawn = (source: string): Promise<readonly unknown[]> => drawnOfTwoSteps(HEAD + source, backend);

  test.each(Object.entries(BEHIND_SLOTS))('are at work from their first step to the last behind a semaphore: %s', async (_, chain) => {
    expect(await drawn(`${SLOTS}await Promise.all(ids.map((id) => ${chain}));`)).toEqual([{ kind: 'pool', taskCount: 6, peak: 2, task: 'load', areBoth: true }]);
  });

  const PAUSED = 'sleep(id * 5).then(() => load(id)).then((got) => save(got))';
  test.each([
    ['all at once', `await Promise.all(ids.map((id) => ${PAUSED}));`, { kind: 'all', peak: 6 }],
    ['all at once, with a catch behind', `await Promise.all(ids.map((id) => ${PAUSED}.catch(() => null)));`, { kind: 'all', peak: 6 }],
    ['in chunks', `for (const some of [ids.slice(0, 3), ids.slice(3)]) await Promise.all(some.map((id) => ${PAUSED}));`, { kind: 'chunk', peak: 3 }],
  ])('are at work from their first step to the last behind a pause for each: %s', async (_, source, group) => {
    expect(await drawn(source)).toEqual([{ ...group, taskCount: 6, task: 'load', areBoth: true }]);
  });
});
