// @style for await over setInterval of node:timers/promises: at every tick the next three via iterator.take(3).toArray()
// @minNode 22
// @expect flush: chunk tasks=8 conc=3 chunks=3 ok=8 error=0 peak=3
import * as timers from 'node:timers/promises';
import gt from '../gt.cjs';

const g = gt.group({ name: 'flush', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 8 });
const backlog = gt.range(8).values();
const sent = [];

for await (const quota of timers.setInterval(45, 3)) {
  const due = backlog.take(quota).toArray();
  if (due.length === 0) break;
  sent.push(await Promise.all(due.map(async (id) => { // @group flush @task flush
    const t = g.start(id);
    await timers.setTimeout(gt.ms(id));
    return t.ok(id);
  })));
}
g.end();
