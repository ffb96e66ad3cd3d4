// @style multipart upload: class Uploads extends Map, `await uploads.add(key, start)` in a plain for loop (while (this.size >= limit) await Promise.race(this.values())), uploads.drain(); progress bar ticks into a file stream
// @expect parts: pool tasks=10 conc=3 ok=10 error=0 peak=3
import http from 'node:http';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import gt from '../gt.cjs';

const PART = 4096;
const COUNT = 10;
const file = path.join(os.tmpdir(), `video-${process.pid}.bin`);
fs.writeFileSync(file, Buffer.alloc(PART * COUNT, 'v'));
const bucket = new Map();
const refusedOnce = new Set();
const server = http.createServer((req, res) => {
  const n = Number(new URL(req.url, 'http://h').searchParams.get('partNumber'));
  let size = 0;
  req.on('data', (d) => { size += d.length; });
  req.on('end', () => setTimeout(() => {
    if (n % 4 === 3 && !refusedOnce.has(n)) { refusedOnce.add(n); res.statusCode = 503; return res.end(); }
    bucket.set(n, size);
    res.setHeader('etag', `"${n}-${size}"`);
    res.end();
  }, gt.ms(n, 15, 40)));
});
await new Promise((r) => server.listen(0, '127.0.0.1', r));

class Uploads extends Map {
  constructor(limit) { super(); this.limit = limit; }

  async add(key, start) {
    while (this.size >= this.limit) await Promise.race(this.values());
    this.set(key, start().finally(() => this.delete(key)));
    return this;
  }

  drain() { return Promise.all(this.values()); }
}

class ProgressBar {
  constructor(total, stream) { this.total = total; this.curr = 0; this.stream = stream; }
  tick(n = 1) {
    this.curr += n;
    const w = Math.round((this.curr / this.total) * 20);
    this.stream.write(`\r[${'='.repeat(w)}${' '.repeat(20 - w)}] ${this.curr}/${this.total}`);
  }
}

const g = gt.group({ name: 'parts', kind: 'pool', concurrency: 3, declared: COUNT });
const agent = new http.Agent({ keepAlive: true });
const fh = await fs.promises.open(file);
const log = fs.createWriteStream(file + '.log');
const bar = new ProgressBar(COUNT, log);

const put = (n, body) => new Promise((resolve, reject) => {
  http.request({ host: '127.0.0.1', port: server.address().port, path: `/video?partNumber=${n}`, method: 'PUT', agent }, (res) => {
    res.resume().on('end', () => (res.statusCode === 200 ? resolve(res.headers.etag) : reject(new Error(String(res.statusCode)))));
  }).on('error', reject).end(body);
});

async function uploadPart(n) { // @task parts
  const t = g.start(n);
  const { buffer } = await fh.read({ buffer: Buffer.alloc(PART), position: n * PART });
  for (let tries = 0; ; tries++) {
    const a = t.attempt();
    try {
      const ETag = await put(n, buffer);
      a.ok();
      bar.tick();
      return t.ok({ PartNumber: n, ETag });
    } catch (err) {
      a.fail();
      if (tries === 3) throw t.fail(err);
      await new Promise((r) => setTimeout(r, 10 * 2 ** tries));
    }
  }
}

const uploads = new Uploads(3);
for (let n = 0; n < COUNT; n++) {
  await uploads.add(n, () => uploadPart(n)); // @group parts
}
await uploads.drain(); // @group parts
g.end(bucket.size === COUNT ? 'ok' : 'error');
await fh.close();
agent.destroy();
server.close();
log.end(() => { fs.rmSync(file); fs.rmSync(file + '.log'); });
