import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { ActivityKind, GcKind } from '../../src/model/activity';
import { needed } from '../support/needs';
import { observe, type Observed } from './observed';

const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);

interface Row { readonly kind: number; readonly start: number; readonly end: number; readonly count: number; readonly most: number; readonly limit: number }

function rowsOf({ timeline }: Observed, kind: number): Row[] {
  const { rows } = timeline.activity;
  return Array.from({ length: timeline.activity.length }, (_, i) => ({
    kind: rows.kind[i], start: rows.start[i], end: rows.end[i], count: rows.count[i], most: rows.most[i], limit: rows.limit[i],
  })).filter((row) => row.kind === kind);
}

/** Holds its thread up at a moment it prints, and collects garbage in it. */
const BLOCKS = `await new Promise((r) => setTimeout(r, 80));
const begun = performance.now(); gc(); while (performance.now() - begun < 150); const ended = performance.now();
await new Promise((r) => setTimeout(r, 80)); console.log(JSON.stringify([begun, ended]));`;

/** More requests than the pool has threads, files and jobs of node:crypto; some done on the spot and so never in the pool. */
const REQUESTS = `import crypto from 'node:crypto'; import fs from 'node:fs';
crypto.pbkdf2Sync('a', 'b', 1, 8, 'sha256'); crypto.randomBytes(8); fs.statSync('.');
const jobs = Array.from({ length: 7 }, () => new Promise((r) => crypto.pbkdf2('a', 'b', 20000, 64, 'sha512', r)));
const files = Array.from({ length: 5 }, () => fs.promises.stat('.'));
await Promise.all([...jobs, ...files]); await new Promise((r) => setTimeout(r, 60)); console.log('done');`;

describe.each(NODE_MAJORS)('Node %i', (major) => {
  test('a thread held up and its pauses for garbage collection are told as they were', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(BLOCKS, { node, nodeArgs: ['--expose-gc'] });
    const [begun, ended] = JSON.parse(run.out) as [number, number];
    const held = rowsOf(run, ActivityKind.blocked).find(({ start, end }) => start < ended && end > begun);
    // A timer notices, and what ran just before may count with it.
    expect(held?.start).toBeGreaterThan(begun - 26);
    expect(held?.start).toBeLessThanOrEqual(begun + 1);
    expect(held?.end).toBeGreaterThanOrEqual(ended);
    expect(rowsOf(run, ActivityKind.gc).filter(({ start, end, count }) => count === GcKind.markSweepCompact && start >= begun && end <= ended)).not.toEqual([]);
    expect(run.dropped).toBe(0);
  });
});

const runs = [...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })), { major: ownMajor, backend: 'async_hooks' as const }];
test.for(runs)('requests in the thread pool are counted on Node $major with the $backend backend, or said to be unknown', async ({ major, backend }, context) => {
  const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
  const run = await observe(REQUESTS, { node, backend });
  const rows = rowsOf(run, ActivityKind.requests);
  const seen = run.timeline.threads[0].requests;
  expect(rows.length > 0).toBe(seen);
  // Node 24 can from 24.21 on.
  if (major !== 24) expect(seen).toBe(backend === 'async_hooks' || major > 24);
  if (!seen) return;
  expect(Math.max(...rows.map(({ most }) => most))).toBe(12);
  expect(rows.at(-1)?.count).toBe(0);
  expect(rows[0].limit).toBe(Number(process.env.UV_THREADPOOL_SIZE ?? 4));
});
