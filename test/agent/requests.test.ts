import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe } from './observed';

const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);
const corpus = installCorpus();
const runs = [
  ...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })),
  { major: ownMajor, backend: 'async_hooks' as const },
];

/** Answers, each after a while of its own. `at` is where it listens. */
const SERVER = `import http from 'node:http';
const server = http.createServer((request, response) => { request.resume(); setTimeout(() => response.end('{}'), 10 + (request.url.length * 7) % 20); }).listen(0, '127.0.0.1');
await new Promise((listening) => server.on('listening', listening));
const { port } = server.address(), at = \`http://127.0.0.1:\${port}\`;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const close = () => { server.close(); server.closeAllConnections(); };
`;
/** Lines of `SERVER`. */
const BEFORE = 6;

/** What is in an address besides the path must not get into a file. */
const SECRET = /hush|p4ssw0rd/;

async function watched(source: string, how: Parameters<typeof observe>[1]): Promise<{ readonly groups: readonly object[]; readonly files: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'async-lanes-facts-'));
  try {
    const found = await observe(`${SERVER}${source}\nclose();`, { ...how, as: 'a.mjs', folder });
    expect(found).toMatchObject({ code: 0, err: '', dropped: 0 });
    const groups = found.groups.map((group) => ({
      ...group, line: (group.site?.line ?? 0) - BEFORE,
      names: found.timeline.rowsOf(group.id).map((row) => found.timeline.labelOf(row + 1)?.replace(/127\.0\.0\.1:\d+/, 'host')),
    }));
    return { groups, files: readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1')).join('') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = (method: string, path: string, ids: readonly number[]): string[] => ids.map((id) => `${method} host/${path}/${id}`);

describe.each(runs)('a task that sends a request has its name, on Node $major with $backend', ({ major, backend }) => {
  const nodeFor = (context: Parameters<typeof needed>[0]): string => needed(context, 'NODES', nodes.find((node) => node.major === major)?.path);

  test('fetch: bare, with a reaction, in a function of its own, in helpers, in workers and with nobody waiting', async (context) => {
    const { groups, files } = await watched(`await Promise.all([1, 2, 3].map((i) => fetch(\`\${at}/bare/\${i}?token=hush\`, { headers: { authorization: 'p4ssw0rd' } })));
await Promise.all([1, 2, 3].map((i) => fetch(\`\${at}/then/\${i};session=hush#hush\`, { method: 'POST', body: 'p4ssw0rd' }).then((answer) => answer.json())));
const json = async (path) => (await fetch(at + path)).json();
const user = async (i) => { await json(\`/user/\${i}\`); if (i === 2) await json('/more'); };
await Promise.all([1, 2, 3].map(user));
const queue = [1, 2, 3, 4, 5];
await Promise.all([0, 1].map(async () => { for (let i; (i = queue.shift()); ) { const answer = await fetch(\`\${at}/turn/\${i}\`); await answer.text(); } }));
for (const i of [1, 2, 3]) void fetch(\`\${at}/loose/\${i}\`).then((answer) => answer.text());
await sleep(200);`, { node: nodeFor(context), backend });
    expect(groups).toMatchObject([
      { kind: 'all', line: 1, library: 'fetch', names: named('GET', 'bare', [1, 2, 3]) },
      { kind: 'all', line: 2, library: 'fetch', names: named('POST', 'then', [1, 2, 3]) },
      { kind: 'all', line: 5, names: ['GET host/user/1', 'GET host/user/2, …', 'GET host/user/3'] },
      { kind: 'pool', line: 7, taskCount: 5, peak: 2, names: named('GET', 'turn', [1, 2, 3, 4, 5]) },
      { kind: 'all', line: 8, library: 'fetch', taskCount: 3, names: named('GET', 'loose', [1, 2, 3]) },
    ]);
    expect(groups).toHaveLength(5);
    expect(files).toContain('/bare/');
    expect(files).not.toMatch(SECRET);
  });

  test('http by callbacks in promises, and axios', async (context) => {
    const { groups, files } = await watched(`import { createRequire } from 'node:module';
const axios = createRequire(import.meta.url)('axios');
const get = (i) => new Promise((done, failed) => { http.get(\`http://me:p4ssw0rd@127.0.0.1:\${port}/http/\${i}?key=hush\`, (answer) => answer.resume().on('end', done)).on('error', failed); });
for (let i = 1; i < 5; i += 2) await Promise.all([i, i + 1].map(get));
for (const i of [1, 2, 3]) void axios.get(\`\${at}/axios/\${i}\`, { params: { key: 'hush' }, auth: { username: 'me', password: 'p4ssw0rd' } });
await sleep(300);`, { node: nodeFor(context), backend, packages: needed(context, 'CORPUS', corpus && join(corpus, 'node_modules')) });
    // Node 20 says so too late of what \`http\` sends.
    const none = [undefined, undefined, undefined, undefined];
    expect(groups).toMatchObject([
      { kind: 'chunk', line: 4, names: major === 20 ? none : named('GET', 'http', [1, 2, 3, 4]) },
      { kind: 'all', line: 5, library: 'axios', names: major === 20 ? none.slice(1) : named('GET', 'axios', [1, 2, 3]) },
    ]);
    expect(groups).toHaveLength(2);
    expect(files).not.toMatch(SECRET);
  });
});
