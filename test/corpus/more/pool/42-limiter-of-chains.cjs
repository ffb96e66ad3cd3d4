// @style createLimiter(max) closure around new Promise, Promise.all(items.map((x) => limit(() => fn(x))))
// @expect tiles: pool tasks=12 conc=4 ok=12 error=0 peak=4
const gt = require('../gt.cjs');
const g = gt.group({ name: 'tiles', kind: 'pool', concurrency: 4, declared: 12 });

function createLimiter(max) {
  const waiting = [];
  let active = 0;
  const release = () => {
    active--;
    if (waiting.length) waiting.shift()();
  };
  return (fn) => new Promise((resolve, reject) => {
    const run = () => {
      active++;
      fn().then(resolve, reject).then(release);
    };
    if (active < max) run();
    else waiting.push(run);
  });
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const render = (n) => sleep(gt.ms(n, 15, 50)).then(() => new Uint8Array(16).fill(n));
const store = (bytes) => sleep(10).then(() => bytes.length);

function tile(n) { // @task tiles
  const t = g.start(n);
  return render(n).then(store).then((size) => t.ok(size));
}

const limit = createLimiter(4);
Promise.all(gt.range(12).map((n) => limit(() => tile(n)))) // @group tiles
  .then((sizes) => sizes.reduce((a, b) => a + b, 0))
  .then(() => g.end());
