import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { Fact } from '../../src/model/facts';
import { needed } from '../support/needs';
import { recordTypes } from '../support/records';
import { observe, type How, type Observed } from './observed';

const nodes = findNodes();
const runs = [NODE_MAJORS[0], NODE_MAJORS[NODE_MAJORS.length - 1]].flatMap((major) => (['v8', 'async_hooks'] as const).map((backend) => ({ major, backend })));

const SETUP = `import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const work = async (i) => { await sleep(3); return i; };
const file = process.argv[1];
`;

const PROMISE_FACTS: ReadonlySet<number> = new Set([Fact.root, Fact.derived, Fact.consumed, Fact.element, Fact.adopted, Fact.settled, Fact.quick]);

/** Runs a program, and counts what the agent told of its promises. */
async function tell(source: string, how: How): Promise<Observed & { readonly facts: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'async-lanes-facts-'));
  try {
    const seen = await observe(source, { ...how, folder });
    const [name] = readdirSync(folder);
    return { ...seen, facts: [...recordTypes(readFileSync(join(folder, name)))].filter((type) => PROMISE_FACTS.has(type)).length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.each(runs)('on Node $major with $backend', ({ major, backend }) => {
  const nodeFor = (context: Parameters<typeof needed>[0]): string => needed(context, 'NODES', nodes.find((node) => node.major === major)?.path);

  test('of what Node does inside of a readFile nothing is told', async (context) => {
    const { groups, dropped, facts } = await tell(`${SETUP}for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 20 }, async () => { await readFile(file); }));`, { node: nodeFor(context), backend });
    expect(dropped).toBe(0);
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 200, chunks: 10 }]);
    // Six a task: its call and that of readFile are each made and settled, one is consumed and one an element. The rest is how the program was loaded.
    expect(facts).toBeLessThan(200 * 8);
  });

  test('of a call that has ended before its combinator takes it no more than one fact is told, and its times are its own', async (context) => {
    const { groups, timeline, dropped, facts } = await tell(`const trivial = async (i) => { if (i === 7) { const until = performance.now() + 90; while (performance.now() < until); } return i; };
      const items = Array.from({ length: 50 }, (_, i) => i);
      for (let i = 0; i < 100; i++) await Promise.all(items.map((item) => trivial(i === 99 ? item : 0)));`, { node: nodeFor(context), backend });
    expect(dropped).toBe(0);
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 5000, chunks: 100 }]);
    const rows = timeline.rowsOf(groups[0].id);
    expect(rows.flatMap((row, i) => (timeline.tasks.end[row] - timeline.tasks.start[row] >= 89 ? [i] : []))).toEqual([99 * 50 + 7]);
    // Where looks are still plenty each call is looked at, and told of as it is made.
    expect(facts).toBeLessThan(5000 * 1.5);
  });

  test.for(['from the first time on', 'once in a while'])('what is derived right behind the last element of a combinator, %s, is no element', async (when, context) => {
    const { groups, dropped } = await observe(`${SETUP}const other = sleep(500);
      const items = Array.from({ length: 10 }, (_, i) => i);
      for (let i = 0; i < 60; i++) {
        const all = Promise.all(items.map(work));
        if (${when === 'once in a while' ? 'i % 9 === 8' : 'true'}) other.then(() => {});
        await all;
      }`, { node: nodeFor(context), backend });
    expect(dropped).toBe(0);
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 600, chunks: 60 }]);
  });

  test('code of the program’s that Node calls in there is watched, even where it never did anything before', async (context) => {
    const { groups, dropped } = await observe(`${SETUP}const from = file + '.from', to = file + '.to';
      await mkdir(from);
      const filter = async () => { await Promise.all([1, 2].map(work)); return true; };
      async function* parts() { yield 'a'; await Promise.all([1, 2, 3].map(work)); yield 'b'; }
      for (let i = 0; i < 100; i++) await cp(from, to, { recursive: true, filter: () => true });
      await cp(from, to, { recursive: true, filter });
      for (let i = 0; i < 30; i++) await writeFile(from + '/it', i === 29 ? parts() : 'x');`, { node: nodeFor(context), backend });
    expect(dropped).toBe(0);
    expect(groups.filter(({ kind }) => kind !== 'sequential')).toMatchObject([{ kind: 'all', taskCount: 2 }, { kind: 'all', taskCount: 3 }]);
  });
});
