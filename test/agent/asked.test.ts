/** What a program asks of a library that does it all by itself, or of something that is no promise but a thenable, as query builders are. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const library = (source: string): Readonly<Record<string, string>> => ({
  'node_modules/tiny-db/package.json': '{ "name": "tiny-db", "version": "1.0.0", "main": "index.js" }', 'node_modules/tiny-db/index.js': source,
});

/** A query that is sent once it is awaited; how long it takes is its number. The seventh is none. */
const QUERY = `class Query {
  constructor(ms) { this.ms = ms; }
  where() { return this; }
  then(yes, no) { setTimeout(() => { if (this.ms === 7) no(new Error('no such row')); else yes([this.ms]); }, this.ms); }
}
exports.select = (ms) => new Query(ms);`;

/** The same by functions that give promises, one of which lies behind others. */
const CLIENT = `const send = async (ms) => { await new Promise((sent) => setTimeout(sent, ms)); return [ms]; };
exports.get = (ms) => { const answer = send(ms); const read = answer.then((rows) => rows[0]); read.rows = async () => [await read]; return read; };
exports.delay = (ms) => new Promise((over) => setTimeout(over, ms));
exports.pages = async (ids, fn) => { const all = []; for (const id of ids) all.push(await fn(id)); return all; };
exports.retry = async (fn) => { await new Promise((soon) => setTimeout(soon, 5)); return fn(); };`;

/** A command that is at work as soon as it is there. */
const COMMAND = `exports.command = (ms) => {
  const exit = new Promise((over) => setTimeout(over, ms));
  for (const until = performance.now() + 12; performance.now() < until;);
  return { pid: 7, then: (yes, no) => exit.then(yes, no) };
};`;

/** As SDKs of web APIs are: a promise of their own class, resolved itself at once, of which `then` says what the server answered. */
const SDK = `class ApiPromise extends Promise {
  constructor(response) { super((resolve) => resolve(null)); this.response = response; }
  parse() { return this.parsed ??= this.response.then(async (answer) => { await null; return answer.body; }); }
  then(yes, no) { return this.parse().then(yes, no); }
}
class Client {
  prepare(ms) { return Promise.resolve({ ms }); }
  async send(asked) { const { ms } = await asked; await new Promise((sent) => setTimeout(sent, ms)); return { body: ms }; }
  create(ms) { return new ApiPromise(this.send(this.prepare(ms))); }
}
exports.Client = Client;`;

describe.each(['v8', 'async_hooks'] as const)('%s', (backend) => {
  test('queries that a function awaits one after the other are a loop, of which one failed', async () => {
    const { groups } = await observe(`const db = require('tiny-db');
async function load(ids) {
  const rows = [];
  for (const id of ids) {
    try { rows.push(await db.select(id).where()); } catch { rows.push(undefined); }
  }
  return rows;
}
load([20, 7, 25, 15]);`, { backend, as: 'a.cjs', files: library(QUERY) });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, fulfilled: 3, rejected: 1, peak: 1, site: { line: 5, function: 'load' } }]);
  });

  test('so are those that a module awaits', async () => {
    const { groups } = await observe(`import db from 'tiny-db';
await 'what is there';
for (const ms of [20, 25, 15, 20]) await db.select(ms);`, { backend, as: 'a.mjs', files: library(QUERY) });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, fulfilled: 4, peak: 1, site: { line: 3 } }]);
  });

  test('workers that await queries are a pool', async () => {
    const { groups } = await observe(`const db = require('tiny-db'); const ids = [30, 20, 35, 25, 15, 20, 30, 25];
async function worker() { while (ids.length > 0) await db.select(ids.shift()).where(); }
Promise.all([worker(), worker()]);`, { backend, as: 'a.cjs', files: library(QUERY) });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, fulfilled: 8, peak: 2, site: { line: 3 }, taskSite: { line: 2 } }]);
  });

  test("what the program's own code does in a query's then is no task of its own", async () => {
    const { groups } = await observe(`const pause = (ms) => new Promise((r) => setTimeout(r, ms));
class Query { constructor(ms) { this.ms = ms; } async exec() { await pause(this.ms); return this.read(); } async read() { await pause(5); } then(yes, no) { return this.exec().then(yes, no); } }
(async () => { for (const ms of [20, 25, 15, 20]) await new Query(ms); })();`, { backend, as: 'a.cjs' });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, fulfilled: 4, site: { line: 3 } }]);
  });

  test('what was at work before it is awaited is so from when on it was asked for', async () => {
    const { groups, timeline } = await observe(`const { command } = require('tiny-db');
(async () => { for (const ms of [30, 40, 30]) await command(ms); })();`, { backend, as: 'a.cjs', files: library(COMMAND) });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 3, site: { line: 2 } }]);
    // It could not be awaited before its function was through, which takes 12 ms.
    for (const row of timeline.rowsOf(groups[0].id)) expect(timeline.tasks.end[row] - timeline.tasks.start[row]).toBeGreaterThan(29);
  });

  test.each(['await client.get(ms);', 'await client.get(ms).rows();', 'await client.get(ms).then((row) => rows.push(row));'])('calls of a library, one after the other, are a loop: %s', async (call) => {
    const { groups } = await observe(`const client = require('tiny-db'); const rows = [];
async function load() { for (const ms of [20, 25, 15, 20]) ${call} }
load();`, { backend, as: 'a.cjs', files: library(CLIENT) });
    expect(groups).toMatchObject([{ kind: 'sequential', library: 'tiny-db', taskCount: 4, fulfilled: 4, peak: 1, site: { line: 2, function: 'load' } }]);
  });

  test('lanes that go on behind a call of a library are a pool', async () => {
    const { groups } = await observe(`const client = require('tiny-db'); const ids = [20, 25, 15, 20, 30, 25, 15, 20];
const lane = () => { const id = ids.shift(); return id === undefined ? undefined : client.get(id).then((row) => lane(row)); };
(async () => { await Promise.all([lane(), lane()]); })();`, { backend, as: 'a.cjs', files: library(CLIENT) });
    expect(groups).toMatchObject([{ kind: 'pool', library: 'tiny-db', taskCount: 8, fulfilled: 8, peak: 2, site: { line: 3 } }]);
  });

  test('calls of a library in a set that is raced are a pool', async () => {
    const { groups } = await observe(`const client = require('tiny-db'); const open = new Set();
(async () => {
  for (const ms of [20, 25, 15, 20, 30, 25, 15, 20]) {
    const call = client.get(ms).then(() => open.delete(call));
    open.add(call);
    if (open.size >= 3) await Promise.race(open);
  }
  await Promise.all(open);
})();`, { backend, as: 'a.cjs', files: library(CLIENT) });
    expect(groups).toMatchObject([{ kind: 'pool', library: 'tiny-db', taskCount: 8, fulfilled: 8, peak: 3, site: { line: 6 } }]);
  });

  test('a chain of then over calls of a library is a loop', async () => {
    const { groups } = await observe(`const client = require('tiny-db');
[20, 25, 15, 20].reduce((before, ms) => before.then(() => client.get(ms).then((row) => row)), Promise.resolve());`, { backend, as: 'a.cjs', files: library(CLIENT) });
    expect(groups).toMatchObject([{ kind: 'sequential', library: 'tiny-db', taskCount: 4, fulfilled: 4, peak: 1, site: { line: 2 } }]);
  });

  test('pauses that a library makes are none', async () => {
    const { groups } = await observe(`const { delay } = require('tiny-db');
(async () => { for (const ms of [20, 25, 15, 20]) await delay(ms); })();`, { backend, as: 'a.cjs', files: library(CLIENT) });
    expect(groups).toEqual([]);
  });

  test("what a library calls of the program's for whoever asks it is the task", async () => {
    const { groups } = await observe(`const { retry } = require('tiny-db'); const pause = (ms) => new Promise((r) => setTimeout(r, ms));
async function save(ms) { await pause(ms); }
(async () => { for (const ms of [20, 25, 15, 20]) await retry(() => save(ms)); })();`, { backend, as: 'a.cjs', files: library(CLIENT) });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, site: { line: 3 }, taskSite: { function: 'save' } }]);
  });

  test("where a library calls the program's function several times for each call of its, those are the tasks", async () => {
    const { groups } = await observe(`const { pages } = require('tiny-db'); const pause = (ms) => new Promise((r) => setTimeout(r, ms));
async function save(ms) { await pause(ms); }
(async () => { for (const ids of [[20, 25, 15], [15, 20, 15], [20, 15, 25]]) await pages(ids, save); })();`, { backend, as: 'a.cjs', files: library(CLIENT) });
    expect(groups.reduce((all, { taskCount }) => all + taskCount, 0)).toBe(9);
    expect(groups.every(({ taskSite }) => taskSite?.function === 'save')).toBe(true);
  });

  test('a promise of another class than Promise is awaited as what it is', async () => {
    const { groups } = await observe(`class Tracked extends Promise {}
const load = (ms) => new Tracked((yes, no) => setTimeout(ms === 7 ? no : yes, ms));
(async () => { for (const ms of [20, 7, 25, 15]) await load(ms).catch(() => 0); for (const ms of [20, 15, 25]) await load(ms); })();`, { backend, as: 'a.cjs' });
    expect(groups.reduce((all, { taskCount }) => all + taskCount, 0)).toBe(7);
    expect(groups.every(({ kind, site }) => kind === 'sequential' && site?.line === 3)).toBe(true);
  });

  test.each([['in the program', '.'], ['in a library', 'tiny-db']])("those that a function awaits one after the other are a loop: %s", async (_where, from) => {
    const { groups } = await observe(`const { Client } = require('${from === '.' ? './sdk.js' : from}'); const client = new Client();
(async () => { for (const ms of [20, 25, 15, 20]) await client.create(ms); })();`, { backend, as: 'a.cjs', files: { ...library(SDK), 'sdk.js': SDK } });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, fulfilled: 4, peak: 1 }]);
  });
});
