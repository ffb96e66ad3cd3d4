// @style the same chunk helper running twice at once on different lists
// @expect both: all tasks=2 conc=2 ok=2 error=0 peak=2
// @expect left: chunk tasks=6 conc=2 chunks=3 ok=6 error=0 peak=2
// @expect right: chunk tasks=6 conc=3 chunks=2 ok=6 error=0 peak=3
import gt from '../gt.cjs';
const zzz = (d) => new Promise((r) => setTimeout(r, d));
async function crawl(g, id, add) { const t = g.start(id); await zzz(gt.ms(id + add)); t.ok(); } // @task left right
async function inChunks(list, size, fn) { // @task both
  const o = both.start(size);
  for (let i = 0; i < list.length; i += size) {
    const part = list.slice(i, i + size);
    await Promise.all(part.map(fn)); // @group left right
  }
  o.ok();
}
const both = gt.group({ name: 'both', kind: 'all', combinator: 'all', concurrency: 2, declared: 2 });
const a = gt.group({ name: 'left', kind: 'chunk', combinator: 'all', concurrency: 2, size: 2, declared: 6 });
const b = gt.group({ name: 'right', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 6 });
await Promise.all([ // @group both
  inChunks(gt.range(6), 2, (i) => crawl(a, i, 0)).then(() => a.end()),
  inChunks(gt.range(6), 3, (i) => crawl(b, i, 30)).then(() => b.end()),
]);
both.end();
