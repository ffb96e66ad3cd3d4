// @style real files, no timer: const consume = () => list.length ? work(list.shift()).then(consume) : null, 4 of them under Promise.all
// @expect files: pool tasks=16 conc=4 ok=16 error=0 peak=4 lanes=4
const fs = require('fs');
const os = require('os');
const path = require('path');
const { promisify } = require('util');
const zlib = require('zlib');
const gt = require('../gt.cjs');
const gzip = promisify(zlib.gzip);
const readFile = promisify(fs.readFile);
const writeFile = promisify(fs.writeFile);
const g = gt.group({ name: 'files', kind: 'pool', concurrency: 4, declared: 16 });

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-gzip-'));
const files = gt.range(16).map((i) => {
  const file = path.join(dir, `${i}.log`);
  fs.writeFileSync(file, `line ${gt.rnd(i)}\n`.repeat(gt.ms(i, 2000, 8000)));
  return file;
});

async function compress(file, w) { // @task files
  const t = g.start(path.basename(file), { worker: w });
  const text = await readFile(file);
  const packed = await gzip(text);
  await writeFile(file + '.gz', packed);
  return t.ok(packed.length / text.length);
}

const todo = files.slice();
function consume(w) { // @worker files
  if (todo.length === 0) return null;
  return compress(todo.shift(), w).then(() => consume(w));
}

Promise.all(Array.from({ length: 4 }, (_, w) => consume(w))).then(() => { // @group files
  g.end();
  if (fs.readdirSync(dir).length !== 32) process.exitCode = 1;
  fs.rmSync(dir, { recursive: true });
});
