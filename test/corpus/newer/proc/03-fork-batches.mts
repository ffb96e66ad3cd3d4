// @style TypeScript (.mts): three forked children (TypeScript too, stripped), advanced serialization, batches of three: Promise.all, one child each; one answer is an error
// @minNode 22
// @thread
// @expect forks: all tasks=3 conc=3 ok=3 error=0 peak=3
// @expect resize: chunk tasks=8 conc=3 chunks=3 ok=7 error=1
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import gt from '../gt.cjs';

type Answer = { id: number; start: number; end: number; error?: Error };

const children: ChildProcess[] = gt.range(3).map(() =>
  fork(new URL('./parts/resizer.mts', import.meta.url), { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));

const forks = gt.group({ name: 'forks', kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });
async function untilReady(child: ChildProcess, slot: number): Promise<void> { // @task forks
  const t = forks.start(slot);
  await once(child, 'message');
  t.ok();
}
await Promise.all(children.map(untilReady)); // @group forks
forks.end();

const g = gt.group({ name: 'resize', kind: 'chunk', lib: 'child_process', combinator: 'all', concurrency: 3, size: 3, declared: 8 });

async function resize(id: number, slot: number): Promise<number | null> { // @task resize
  const child = children[slot]!;
  child.send(new Map([['id', id], ['ms', gt.ms(id, 20, 60) as number]]));
  const [answer] = (await once(child, 'message')) as [Answer];
  g.add({ id, start: answer.start, end: answer.end, status: answer.error ? 'error' : 'ok', chunk: Math.floor(id / 3), slot, pid: child.pid });
  return answer.error ? null : answer.id;
}

const sizes: (number | null)[] = [];
const ids: number[] = gt.range(8);
while (ids.length > 0) {
  sizes.push(...(await Promise.all(ids.splice(0, 3).map(resize)))); // @group resize
}
g.end();
for (const child of children) child.disconnect();
