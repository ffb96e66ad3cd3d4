// @style release tool: one worker thread checks files in chunks of 3 while the main thread uploads with two recursive async lanes
// @expect checksums: chunk tasks=8 conc=3 chunks=3 ok=8 error=0 peak=3
// @expect uploads: pool tasks=8 conc=2 ok=8 error=0 peak=2 lanes=2
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import gt from '../gt.cjs';

const dir = mkdtempSync(join(tmpdir(), 'release-'));
const files = gt.range(8).map((n) => {
  const file = join(dir, `part-${n}.bin`);
  writeFileSync(file, `content of part ${n}\n`.repeat(n + 1));
  return file;
});

class Bucket {
  objects = new Map();
  put(key, ms) {
    return new Promise((resolve) => setTimeout(() => { this.objects.set(key, ms); resolve(key); }, ms));
  }
}

class Uploader {
  constructor(bucket) {
    this.bucket = bucket;
    this.g = gt.group({ name: 'uploads', kind: 'pool', concurrency: 2, declared: 8 });
  }

  async upload([n, file], lane) { // @task uploads
    const t = this.g.start(n, { worker: lane });
    await this.bucket.put(file, gt.ms(100 + n));
    t.ok();
  }

  async lane(nr, entries) { // @worker uploads
    const { done, value } = entries.next();
    if (done) return;
    await this.upload(value, nr);
    return this.lane(nr, entries);
  }

  async uploadAll(list) {
    const entries = list.entries();
    await Promise.all([this.lane(0, entries), this.lane(1, entries)]); // @group uploads
    this.g.end();
  }
}

function startChecksums(list) {
  const g = gt.group({ name: 'checksums', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: list.length });
  const worker = new Worker(new URL('./lib-of-13-checksum-and-upload/checksum-worker.mjs', import.meta.url), { workerData: { files: list, batch: 3 } });
  const reply = once(worker, 'message');
  return async function finished() {
    const [{ facts, sums }] = await reply;
    for (const fact of facts.sort((a, b) => a.start - b.start)) g.add(fact);
    g.end();
    return sums;
  };
}

const finished = startChecksums(files);
const bucket = new Bucket();
await new Uploader(bucket).uploadAll(files);
const sums = await finished();
rmSync(dir, { recursive: true });
if (bucket.objects.size !== 8 || Object.keys(sums).length !== 8) process.exitCode = 1;
