/** Requests that an interceptor of axios holds back until there is room for them. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installCorpus } from '../scoring/corpus';
import { observe } from './observed';

const corpus = installCorpus();

/** Nine pages, of which the fifth is none; line 4 asks for all of them. */
const program = (interceptors: string, ask = '(id) => client.get(\'/\' + id)'): string => `const axios = require('axios'), http = require('node:http'), agent = new http.Agent({ keepAlive: true });
const server = http.createServer((request, response) => { const id = Number(request.url.slice(1)); setTimeout(() => { response.statusCode = id === 4 ? 500 : 200; response.end('{}'); }, 25 + (id * 7) % 20); });
server.listen(0, '127.0.0.1', async () => { const client = axios.create({ baseURL: 'http://127.0.0.1:' + server.address().port, httpAgent: agent, proxy: false }); install(client); const { get } = client;
  await Promise.allSettled([...Array(9).keys()].map(${ask}));
  agent.destroy(); server.close();
});
${interceptors}`;

const QUEUE = `const waiting = []; let open = 0;
const admit = () => { if (open < 3 && waiting.length > 0) { open++; waiting.shift()(); } };
const leave = () => { open--; admit(); };
`;
const RESPONSES = 'client.interceptors.response.use((answer) => { leave(); return answer; }, (error) => { leave(); return Promise.reject(error); });';

const HELD: Readonly<Record<string, string>> = {
  'in a queue': program(`${QUEUE}function install(client) { client.interceptors.request.use((config) => new Promise((go) => { waiting.push(() => go(config)); setTimeout(admit, 0); })); ${RESPONSES} }`),
  'in a queue, where a function with a name asks': program(`${QUEUE}function install(client) { client.interceptors.request.use((config) => new Promise((go) => { waiting.push(() => go(config)); admit(); })); ${RESPONSES} }`,
    'async function page(id) { const { data } = await client.get(\'/\' + id); return data; }'),
  'until an interval finds that there is room': program(`let open = 0; const leave = () => { open--; };
function install(client) { client.interceptors.request.use((config) => new Promise((go) => { const timer = setInterval(() => { if (open >= 3) return; open++; clearInterval(timer); go(config); }, 3); })); ${RESPONSES} }`),
  'by a semaphore that an async function asks': program(`${QUEUE}const acquire = () => new Promise((go) => { waiting.push(go); admit(); });
function install(client) { client.interceptors.request.use(async (config) => { await acquire(); return config; }); ${RESPONSES} }`),
  'behind another interceptor': program(`${QUEUE}function install(client) { client.interceptors.request.use((config) => new Promise((go) => { waiting.push(() => go(config)); admit(); })); client.interceptors.request.use((config) => { config.headers.set('X-A', 'b'); return config; }); ${RESPONSES} }`),
};

describe.each(['v8', 'async_hooks'] as const)('requests are held back, %s', (backend) => {
  test.each(Object.entries(HELD))('%s', async (_way, source) => {
    const { code, groups, timeline } = await observe(source, { backend, as: 'a.cjs', packages: packages() });
    expect(code).toBe(0);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 3, lanes: 3, taskCount: 9, site: { line: 4 } }]);
    const rows = timeline.rowsOf(groups[0].id);
    const firstEnd = Math.min(...rows.map((row) => timeline.tasks.end[row]));
    // They asked all at once, and six of them waited for an answer.
    const late = rows.filter((row) => timeline.tasks.start[row] >= firstEnd);
    expect(late).toHaveLength(6);
    for (const row of late) expect(timeline.tasks.queued[row]).toBeLessThan(firstEnd);
  });

  test('for a while, and none for another', async () => {
    const { groups } = await observe(program('function install(client) { client.interceptors.request.use((config) => new Promise((go) => { setTimeout(() => { config.headers.set("X-Token", "t"); go(config); }, 12); })); }'), { backend, as: 'a.cjs', packages: packages() });
    expect(groups).toMatchObject([{ kind: 'allSettled', peak: 9, taskCount: 9, fulfilled: 8, rejected: 1 }]);
  });

  test('those that are turned away were never sent', async () => {
    const { groups } = await observe(program(`${QUEUE}function install(client) { client.interceptors.request.use((config) => new Promise((go, turnAway) => { waiting.push(() => go(config)); if (waiting.length > 4) { waiting.pop(); setTimeout(() => turnAway(new Error('full')), 5); } else setTimeout(admit, 0); })); ${RESPONSES.replace('(error) => { leave()', '(error) => { if (error.message !== \'full\') leave()')} }`), { backend, as: 'a.cjs', packages: packages() });
    expect(groups).toMatchObject([{ kind: 'pool', peak: 3, taskCount: 4 }]);
  });

  test('not those that an answer is held back of, until the next try', async () => {
    const { groups } = await observe(program('function install(client) { client.interceptors.response.use((answer) => answer, (error) => { if (error.config.tried) throw error; error.config.tried = true; return new Promise((go) => { setTimeout(() => go(client(error.config)), 10); }); }); }'), { backend, as: 'a.cjs', packages: packages() });
    expect(groups).toMatchObject([{ kind: 'allSettled', peak: 9, taskCount: 9, fulfilled: 8, rejected: 1 }]);
  });
});

const packages = (): string => join(corpus ?? '', 'node_modules');
