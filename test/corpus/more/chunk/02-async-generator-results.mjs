// @style async function* inBatches(list, n, fn) { yield* await Promise.all(...) }, consumed by for await with a pause
// @expect quotes: chunk tasks=9 conc=3 chunks=3 ok=9 error=0 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'quotes', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 9 });
const nap = (n) => new Promise((r) => setTimeout(r, n));
async function* inBatches(list, n, fn) {
  const copy = Array.from(list);
  while (copy.length > 0) yield* await Promise.all(copy.splice(0, n).map((x) => fn(x))); // @group quotes
}
async function quote(sym) { // @task quotes
  const t = g.start(sym);
  await nap(gt.ms(sym));
  return t.ok({ sym });
}
let sum = 0;
for await (const { sym } of inBatches(gt.range(9), 3, quote)) { sum += sym; if (sym % 3 === 0) await nap(3); }
g.end();
