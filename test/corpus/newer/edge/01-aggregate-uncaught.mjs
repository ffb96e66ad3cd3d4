// @style top-level await of a Promise.any whose mirrors all fail: the AggregateError is wrapped with cause and nobody catches it (exit 1)
// @minNode 22
// @exit 1
// @stderr
// @expect mirrors: any tasks=4 conc=4 ok=0 error=4 peak=4
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';

const g = gt.group({ name: 'mirrors', kind: 'any', combinator: 'any', concurrency: 4, declared: 4 });

async function pull(mirror, k) { // @task mirrors
  const t = g.start(mirror);
  await sleep(gt.ms(k, 20, 90));
  throw t.fail(Object.assign(new Error(`${mirror} answered 503`), { code: 'EMIRROR' }));
}

const hosts = ['a.example', 'b.example', 'c.example', 'd.example'];
await Promise.any(hosts.map(pull)).catch((cause) => { // @group mirrors
  g.end('error');
  throw new Error(`no mirror left: ${cause.errors.map((e) => e.message).join('; ')}`, { cause });
});
