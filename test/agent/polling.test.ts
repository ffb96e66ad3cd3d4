/** What looks again and again whether there is room, of which no promise tells that there is some. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

/** Tasks of ten, three at once; line 3 is the task. */
const HEAD = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const ids = [...Array(10).keys()]; let busy = 0;
async function send(id) { await sleep(18 + id * 7 % 25); if (id === 4) throw new Error('500'); return id; }
`;

/** @param ms between two looks */
const adding = (ms: number): string => `class Pool {
  async add(job) { while (busy >= 3) await new Promise((r) => setTimeout(r, ${ms})); busy++; job().then(() => { busy--; }, () => { busy--; }); }
  async drain() { while (busy > 0) await new Promise((r) => setTimeout(r, ${ms})); }
}
const pool = new Pool();
for (const id of ids) await pool.add(() => send(id));
await pool.drain();`;

const WAYS: Readonly<Record<string, string>> = {
  'in a function that lets time go by, and does nothing where there is room': `async function room() { while (busy >= 3) await sleep(3); }
async function main() {
  for (const id of ids) { await room(); busy++; send(id).catch(() => {}).finally(() => { busy--; }); }
  while (busy > 0) await sleep(3);
}
await main();`,
  'in one that gives the slot that is free': `const slots = [null, null, null];
async function freeSlot() { for (;;) { const at = slots.indexOf(null); if (at >= 0) return at; await sleep(3); } }
for (const id of ids) { const at = await freeSlot(); slots[at] = send(id).catch(() => {}).then(() => { slots[at] = null; }); }
await Promise.all(slots);`,
  'in a method that begins the task then, and leaves it running': adding(3),
  'in one that looks so seldom that it hardly ever looks twice': adding(14),
  'in one that never looks twice': adding(30),
  'in a function that each task asks for room': `class Gate {
  async enter() { while (busy >= 3) await sleep(2); busy++; }
  leave() { busy--; }
}
const gate = new Gate();
async function one(id) { await gate.enter(); try { await send(id); } finally { gate.leave(); } }
await Promise.allSettled(ids.map(one));`,
};

describe.each(['v8', 'async_hooks'] as const)('room is looked for, %s', (backend) => {
  test.each(Object.entries(WAYS))('%s', async (_way, source) => {
    const { groups } = await observe(HEAD + source, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', peak: 3, taskCount: 10, fulfilled: 9, rejected: 1 }]);
  });

  test('pages that are there already are a loop all the same, beside what is begun for each', async () => {
    const { groups } = await observe(`${HEAD}const cache = new Map([[0, 'a'], [1, 'b']]);
async function page(id) { if (!cache.has(id)) { const answer = await fetchPage(id); cache.set(id, answer); } return cache.get(id); }
async function fetchPage(id) { await sleep(12); return id; }
const sent = [];
for (const id of ids) { await page(id); sent.push(send(id).catch(() => {})); }
await Promise.all(sent);`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ kind }) => kind === 'sequential')).toMatchObject([{ taskCount: 10, taskSite: { function: 'page' } }]);
  });
});
