import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const HEAD = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const items = [...Array(10).keys()];
async function load(id) { await sleep(8 + (id * 7) % 11); return id; }
`;

const MAKERS = {
  'an async function that waits for its turn': `function makeLimit(n) {
  let active = 0; const waiting = [];
  return async (job) => {
    if (active >= n) await new Promise((r) => waiting.push(r));
    active++;
    try { return await job(); } finally { active--; waiting.shift()?.(); }
  };
}`,
  'promises of what its own function runs': `function makeLimit(n) {
  let active = 0; const line = [];
  const next = () => { while (active < n && line.length > 0) { const { job, done, fail } = line.shift(); active++; job().then(done, fail).finally(() => { active--; next(); }); } };
  return (job) => new Promise((done, fail) => { line.push({ job, done, fail }); next(); });
}`,
};

/** How a tenant's items are given to the limiter: at once, or by functions that do something else as well. */
const ASKED = {
  directly: 'items.map((i) => limit(() => load(i + tenant)))',
  'in a part of other tasks': 'items.map(async (i) => { const got = await limit(() => load(i + tenant)); await sleep(3); return got; })',
};

const OWN = 'async function exportOf(tenant) { const limit = makeLimit(2); return Promise.all(ITEMS); }';
const SHARED = 'const limit = makeLimit(2);\nasync function exportOf(tenant) { return Promise.all(ITEMS); }';
const SEMAPHORE = `function makeLimit(n) {
  let free = n; const waiting = [];
  const acquire = () => new Promise((go) => { if (free > 0) { free--; go(); } else waiting.push(go); });
  return { acquire, release: () => { const go = waiting.shift(); if (go) go(); else free++; } };
}`;
const HELD = 'items.map(async (i) => { await limit.acquire(); try { await load(i + tenant); } finally { limit.release(); } await sleep(3); })';

const forms = [...Object.entries(MAKERS).flatMap(([made, maker]) => Object.entries(ASKED).map(([asked, elements]) => [`${made}, asked ${asked}`, maker, elements] as const)),
  ['slots that are held for a part of other tasks', SEMAPHORE, HELD] as const];

describe.each(['v8', 'async_hooks'] as const)('limiters that several running functions ask at once, %s', (backend) => {
  const pools = async (source: string): Promise<readonly string[]> => {
    const { groups } = await observe(HEAD + source, { backend, as: 'a.mjs' });
    return groups.filter(({ taskSite }) => taskSite?.function === 'load').map(({ kind, taskCount, peak, parent }) => `${kind} ${taskCount} ${peak} ${parent ? 'in a task' : 'in none'}`);
  };

  test.each(forms)('each has its own: %s', async (_, maker, elements) => {
    const code = `${maker}\n${OWN.replace('ITEMS', elements)}\nawait Promise.all([1, 2, 3].map((tenant) => exportOf(tenant)));`;
    expect(await pools(code)).toEqual(Array(3).fill('pool 10 2 in a task'));
  });

  test.each(forms)('all share one: %s', async (_, maker, elements) => {
    const code = `${maker}\n${SHARED.replace('ITEMS', elements)}\nawait Promise.all([1, 2, 3].map((tenant) => exportOf(tenant)));`;
    expect(await pools(code)).toEqual(['pool 30 2 in none']);
  });

  test.each(forms)('each request of a server has its own: %s', async (_, maker, elements) => {
    const code = `import http from 'node:http';\n${maker}\n${OWN.replace('ITEMS', elements)}
const server = http.createServer(async (request, response) => { const got = await exportOf(1); response.end(String(got.length)); });
await new Promise((r) => server.listen(0, r));
await Promise.all([0, 4, 9].map(async (ms) => { await sleep(ms); const { port } = server.address(); return (await fetch('http://127.0.0.1:' + port)).text(); }));
server.close();`;
    expect((await pools(code)).map((pool) => pool.slice(0, 9))).toEqual(Array(3).fill('pool 10 2'));
  });
});
