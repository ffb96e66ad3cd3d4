// @style deploy command: p-map hashes the files, the changed ones are uploaded with p-limit under Promise.allSettled, with retries
// @lib p-map p-limit
// @expect hash: pool tasks=12 conc=4 ok=12 error=0 peak=4
// @expect upload: pool tasks=9 conc=3 ok=8 error=1 peak=3
import { createHash } from 'node:crypto';
import pMap from 'p-map';
import pLimit from 'p-limit';
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

const hash = gt.group({ name: 'hash', kind: 'pool', lib: 'p-map', concurrency: 4, declared: 12 });
const known = new Set([1, 4, 10]);

async function hashFile(file) { // @task hash
  const t = hash.start(file.n);
  await sleep(gt.ms(file.n, 20, 45));
  const digest = createHash('sha1').update(file.body).digest('hex');
  return t.ok({ ...file, digest });
}

const files = gt.range(12).map((n) => ({ n, path: `/assets/${n}.js`, body: `console.log(${n})` }));
const hashed = await pMap(files, hashFile, { concurrency: 4 }); // @group hash
hash.end();
const required = hashed.filter((file) => !known.has(file.n));

const upload = gt.group({ name: 'upload', kind: 'pool', lib: 'p-limit', concurrency: 3, declared: required.length });
const put = async (file, attempt) => {
  await sleep(gt.ms(file.n + attempt * 20, 25, 45));
  if (file.n === 7 || (file.n === 3 && attempt === 1)) throw new Error(`PUT ${file.path}: 502`);
};

async function uploadFile(file) { // @task upload
  const t = upload.start(file.n);
  let failure;
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      await put(file, attempt);
      return t.ok(file.digest);
    } catch (err) {
      failure = err;
      await sleep(5 * attempt);
    }
  }
  throw t.fail(failure);
}

const limit = pLimit(3);
const results = await Promise.allSettled(required.map((file) => limit(() => uploadFile(file)))); // @group upload
upload.end();
const lost = results.filter((r) => r.status === 'rejected');
if (lost.length !== 1) throw new Error('unexpected number of failures');
