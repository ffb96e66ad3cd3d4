// @style stream/promises pipeline of async generators: the middle one keeps a window of 4 promises and yields them in order
// @lib node:stream
// @minNode 22
// @expect enrich: pool tasks=11 conc=4 ok=11 error=0 peak=4
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';

const g = gt.group({ name: 'enrich', kind: 'pool', lib: 'node:stream', concurrency: 4, declared: 11 });
const lines = [];

const source = async function* () {
  for (const id of gt.range(11)) yield { id };
};

const enrich = async (record) => { // @task enrich
  const t = g.start(record.id);
  await sleep(gt.ms(record.id));
  return t.ok({ ...record, country: 'CH' });
};

const windowed = (size, fn) => async function* (records) {
  const window = [];
  for await (const record of records) {
    window.push(fn(record));
    if (window.length === size) yield await window.shift(); // @group enrich
  }
  while (window.length > 0) yield await window.shift();
};

await pipeline(
  source,
  windowed(4, enrich),
  async function* stringify(records) { for await (const r of records) yield JSON.stringify(r); },
  async (out) => { for await (const line of out) lines.push(line); },
);
g.end();
if (!lines.at(-1).includes('"id":10')) process.exitCode = 2;
