// @style Readable.from(async generator).flatMap(fn, { concurrency: 2 }).filter().drop().toArray()
// @lib node:stream
// @minNode 22
// @expect repos: pool tasks=7 conc=2 ok=7 error=0 peak=2
import { Readable } from 'node:stream';
import { scheduler } from 'node:timers/promises';
import gt from '../gt.cjs';

const g = gt.group({ name: 'repos', kind: 'pool', lib: 'node:stream', concurrency: 2, declared: 7 });

async function* owners() {
  yield* gt.range(7).map((n) => ({ n, login: `owner${n}` }));
}

async function listRepos({ n, login }) { // @task repos
  const t = g.start(n);
  await scheduler.wait(gt.ms(n, 25, 80));
  return t.ok(['api', 'web', 'docs'].map((name) => `${login}/${name}`));
}

const names = await Readable.from(owners())
  .flatMap(listRepos, { concurrency: 2 }) // @group repos
  .filter((name) => !name.endsWith('/docs'))
  .drop(1)
  .toArray();
g.end();
if (names.length !== 13) process.exitCode = 2;
