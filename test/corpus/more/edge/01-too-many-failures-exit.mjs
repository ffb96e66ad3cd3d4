// @style link checker with a circuit breaker: the third broken link ends the process with exit(2) while the other workers are in the midst
// @exit 2
// @stderr
// @expect links: pool tasks=11 conc=4 ok=5 error=3 pending=3 peak=4 lanes=4 notStarted=9
import gt from '../gt.cjs';

const MAX_BROKEN = 3;
const links = gt.range(20).map((n) => ({ n, href: `https://docs.example.org/p/${n}` }));
const broken = [];

const truth = gt.group({ name: 'links', kind: 'pool', concurrency: 4, declared: links.length });
const answerAfter = [40, 60, 80, 100, 50, 70, 150, 200, 95, 180, 210];
const dead = new Set([2, 4, 6]);

async function head(href) {
  const n = Number(href.split('/').pop());
  await new Promise((r) => setTimeout(r, answerAfter[n] ?? 50));
  return { status: dead.has(n) ? 404 : 200 };
}

async function check(link, worker) { // @task links
  const t = truth.start(link.n, { worker });
  const { status } = await head(link.href);
  if (status >= 400) throw t.fail(new Error(`${status} ${link.href}`));
  t.ok();
}

function onBroken(link, err) {
  broken.push(link);
  console.error(`✗ ${err.message}`);
  if (broken.length >= MAX_BROKEN) {
    console.error(`giving up after ${MAX_BROKEN} broken links`);
    process.exit(2);
  }
}

async function worker(no) { // @worker links
  for (let link = links.shift(); link; link = links.shift()) {
    await check(link, no).catch((err) => onBroken(link, err));
  }
}

await Promise.all(Array.from({ length: 4 }, (_, no) => worker(no))); // @group links
truth.end();
console.error('all links are fine');
