// @style object-mode Transform that starts up to N jobs before it holds back its callback (parallel-transform style), pipeline()
// @hard no combinator: the chunks of a stream start the tasks
// @expect thumbs: pool tasks=11 conc=3 ok=11 error=0 peak=3
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'thumbs', kind: 'pool', concurrency: 3, declared: 11 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class ParallelTransform extends Transform {
  #active = 0;
  #held = null;
  #idle = null;
  constructor(width, work) {
    super({ objectMode: true });
    this.width = width;
    this.work = work;
  }
  _transform(item, _encoding, callback) {
    this.#active++;
    this.work(item).then((out) => this.#settled(out), (err) => this.destroy(err)); // @group thumbs
    if (this.#active < this.width) callback();
    else this.#held = callback;
  }
  #settled(out) {
    this.#active--;
    this.push(out);
    const held = this.#held;
    this.#held = null;
    held?.();
    if (this.#active === 0) this.#idle?.();
  }
  _flush(callback) {
    if (this.#active === 0) callback();
    else this.#idle = callback;
  }
}

async function thumbnail(photo) { // @task thumbs
  const t = g.start(photo.id);
  await sleep(gt.ms(photo.id));
  return t.ok({ ...photo, file: `thumb-${photo.id}.webp` });
}

const written = [];
const sink = new Writable({ objectMode: true, write(thumb, _enc, done) { written.push(thumb.file); done(); } });
const photos = gt.range(11).map((id) => ({ id, name: `IMG_${2000 + id}.jpg` }));
await pipeline(Readable.from(photos), new ParallelTransform(3, thumbnail), sink); // @group thumbs
g.end();
if (written.length !== photos.length) process.exitCode = 3;
