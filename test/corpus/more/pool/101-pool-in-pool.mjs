// @style crawler: sites two at once, the pages of each site two at once, one recursive helper gather(iterator, n, fn) for both levels
// @why a pool inside the tasks of a pool, the same helper on both levels, inner pools side by side
// @expect sites: pool tasks=4 conc=2 ok=4 error=0 peak=2
// @expect pages-*: pool groups=4 tasks=5 conc=2 ok=5 error=0 peak=2 parent=sites/*
import gt from '../gt.cjs';

const nap = (ms) => new Promise((wake) => setTimeout(wake, ms));

function gather(iterable, n, fn) {
  const it = iterable[Symbol.iterator]();
  const found = [];
  const pull = () => {
    const { value, done } = it.next();
    return done ? undefined : fn(value).then((r) => { found.push(r); return pull(); });
  };
  return Promise.all(Array.from({ length: n }, pull)).then(() => found);
}

const sites = gt.group({ name: 'sites', kind: 'pool', concurrency: 2, declared: 4 });

const readPage = (g, salt) => async (page) => { // @task pages-*
  const t = g.start(page); // @task pages-*
  await nap(gt.ms(salt * 10 + page, 15, 40));
  return t.ok(page);
};

async function crawl(site) { // @task sites
  const t = sites.start(site.host); // @task sites
  const g = gt.group({ name: `pages-${site.host}`, kind: 'pool', concurrency: 2, declared: 5, parent: t });
  const pages = await gather(site.pages, 2, readPage(g, site.salt)); // @group pages-*
  g.end();
  await nap(10);
  return t.ok(pages.length);
}

const list = new Set(['a', 'b', 'c', 'd'].map((host, salt) => ({ host, salt, pages: gt.range(5) })));
const counts = await gather(list, 2, crawl); // @group sites
sites.end();
if (counts.join() !== '5,5,5,5') process.exitCode = 1;
