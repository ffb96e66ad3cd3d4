// @style mapLimit(list, limit, fn, onProgress): Set of executing promises, Promise.race, results by index; gzip of real files
// @expect logs: pool tasks=12 conc=3 ok=12 error=0 peak=3
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import gt from '../gt.cjs';
const g = gt.group({ name: 'logs', kind: 'pool', concurrency: 3, declared: 12 });
const gzip = promisify(zlib.gzip);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'gz-'));
const files = gt.range(12).map((i) => path.join(dir, `app.${i}.log`));
files.forEach((f, i) => fs.writeFileSync(f, gt.range(12000 + 1500 * (i % 4)).map((n) => `${n} GET /p/${gt.rnd(n + i)} 200`).join('\n')));

async function mapLimit(list, limit, fn, onProgress) {
  const results = new Array(list.length);
  const executing = new Set();
  let done = 0;
  for (const [i, item] of list.entries()) {
    const p = fn(item, i)
      .then((value) => { results[i] = value; onProgress(++done, list.length); })
      .finally(() => executing.delete(p));
    executing.add(p);
    if (executing.size >= limit) await Promise.race(executing); // @group logs
  }
  await Promise.all(executing);
  return results;
}
async function compress(file, i) { // @task logs
  const t = g.start(i);
  const raw = await fs.promises.readFile(file);
  const packed = await gzip(raw, { level: 9 });
  await fs.promises.writeFile(file + '.gz', packed);
  return t.ok(packed.length / raw.length);
}
let percent = 0;
const ratios = await mapLimit(files, 3, compress, (n, of) => { percent = Math.round((100 * n) / of); });
g.end();
fs.rmSync(dir, { recursive: true });
void [ratios, percent];
