// @style TypeScript (.mts): fs.promises.glob is one async iterator shared by 3 lanes, AsyncLocalStorage carries the lane, mkdtempDisposable + await using for the directory
// @minNode 24
// @expect digest: pool tasks=9 conc=3 ok=9 error=0 peak=3 lanes=3
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { glob, mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';

type Context = { lane: number };
const context = new AsyncLocalStorage<Context>();

await using dir = await mkdtempDisposable(join(tmpdir(), 'unseen-glob-'));
for (let n = 0; n < 9; n++) writeFileSync(join(dir.path, `part-${n}.log`), 'x'.repeat(1000 * (n + 1)));
writeFileSync(join(dir.path, 'readme.txt'), 'not a log');

const g = gt.group({ name: 'digest', kind: 'pool', concurrency: 3, declared: 9 });

async function digest(file: string): Promise<string> { // @task digest
  const n = Number(/\d+/.exec(basename(file))![0]);
  const t = g.start(n, { worker: context.getStore()!.lane });
  const body = await readFile(join(dir.path, file));
  await sleep(gt.ms(n) as number);
  return t.ok(createHash('sha256').update(body).digest('hex')) as string;
}

const sums = new Map<string, string>();
const files = glob('*.log', { cwd: dir.path });
const lane = async (): Promise<void> => { // @worker digest
  for await (const file of files) sums.set(file, await digest(file));
};
await Promise.all([0, 1, 2].map((n) => context.run({ lane: n }, lane))); // @group digest
g.end();
if (sums.size !== 9) process.exitCode = 2;
