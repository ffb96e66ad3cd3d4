// @style one module goes through the same list in chunks, one by one, with a race over a Set, and one by one again, all with the same function
// @expect chunked: chunk tasks=8 conc=3 chunks=3 ok=8 error=0 peak=3
// @expect plain: sequential tasks=8 conc=1 ok=8 error=0 peak=1
// @expect raced: pool tasks=8 conc=3 ok=8 error=0 peak=3
// @expect again: sequential tasks=8 conc=1 ok=8 error=0 peak=1
import gt from '../gt.cjs';

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const ids = gt.range(8);

async function lookUp(group, id) { // @task chunked plain raced again
  const t = group.start(id);
  await sleep(gt.ms(id, 20, 40));
  return t.ok(id);
}

const chunked = gt.group({ name: 'chunked', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 8 });
for (let i = 0; i < ids.length; i += 3) {
  await Promise.all(ids.slice(i, i + 3).map((id) => lookUp(chunked, id))); // @group chunked
}
chunked.end();

const plain = gt.group({ name: 'plain', kind: 'sequential', concurrency: 1, declared: 8 });
for (const id of ids) await lookUp(plain, id); // @group plain
plain.end();

const raced = gt.group({ name: 'raced', kind: 'pool', concurrency: 3, declared: 8 });
const running = new Set();
for (const id of ids) {
  const task = lookUp(raced, id).finally(() => running.delete(task)); // @group raced
  running.add(task);
  if (running.size >= 3) await Promise.race(running); // @group raced
}
await Promise.all(running); // @group raced
raced.end();

const again = gt.group({ name: 'again', kind: 'sequential', concurrency: 1, declared: 8 });
for (const id of ids) await lookUp(again, id); // @group again
again.end();
