// @style image pipeline: read, resize and upload behind limiter closures of different size, every image an async chain of the three
const gt = require('../gt.cjs');

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const N = 8;
const images = gt.group({ name: 'images', kind: 'all', combinator: 'all', concurrency: N, declared: N });
const stage = (name, concurrency) => gt.group({ name, kind: 'pool', concurrency, declared: N, parent: { g: images, id: '*' } });
const reads = stage('reads', 4);
const resizes = stage('resizes', 2);
const uploads = stage('uploads', 3);

/** limiter(fn): at most n run, the others wait in order */
function createLimiter(n) {
  let active = 0;
  const waiting = [];
  const next = () => {
    if (active >= n || waiting.length === 0) return;
    active++;
    const { fn, resolve, reject } = waiting.shift();
    fn().then(resolve, reject).finally(() => {
      active--;
      next();
    });
  };
  return (fn) => new Promise((resolve, reject) => {
    waiting.push({ fn, resolve, reject });
    next();
  });
}

const readLimit = createLimiter(4);
const resizeLimit = createLimiter(2);
const uploadLimit = createLimiter(3);

async function readImage(i) { // @task reads
  const t = reads.start(i);
  await sleep(gt.ms(i, 20, 40));
  return t.ok(Buffer.alloc(1024 + i));
}

async function resize(i, data, width) { // @task resizes
  const t = resizes.start(i);
  await sleep(gt.ms(i + 20, 20, 40));
  return t.ok(data.subarray(0, width));
}

async function upload(i, data) { // @task uploads
  const t = uploads.start(i);
  await sleep(gt.ms(i + 40, 30, 60));
  return t.ok({ key: `img/${i}.webp`, size: data.length });
}

async function processImage(i) { // @task images
  const t = images.start(i);
  const original = await readLimit(() => readImage(i)); // @group reads
  const thumb = await resizeLimit(() => resize(i, original, 320)); // @group resizes
  const stored = await uploadLimit(() => upload(i, thumb)); // @group uploads
  return t.ok(stored);
}

Promise.all(gt.range(N).map(processImage)).then((stored) => { // @group images
  for (const g of [reads, resizes, uploads, images]) g.end();
  if (stored.some((s) => s.size !== 320)) process.exitCode = 1;
});
