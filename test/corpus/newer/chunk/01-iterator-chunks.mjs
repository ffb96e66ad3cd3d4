// @style Iterator.prototype.chunks filled in by hand (the proposal has not landed), for-of over values().filter().chunks(4)
// @minNode 22
// @expect thumbs: chunk tasks=11 conc=4 chunks=3 ok=11 error=0 peak=4
import { setTimeout as delay } from 'node:timers/promises';
import gt from '../gt.cjs';

if (!('chunks' in Iterator.prototype)) {
  Object.defineProperty(Iterator.prototype, 'chunks', {
    configurable: true,
    writable: true,
    value: function* chunks(size) {
      let held = [];
      for (const item of this) {
        held.push(item);
        if (held.length === size) { yield held; held = []; }
      }
      if (held.length > 0) yield held;
    },
  });
}

const g = gt.group({ name: 'thumbs', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 11 });
const hasPicture = (id) => id % 4 !== 3;

async function makeThumb(id) { // @task thumbs
  const t = g.start(id);
  await delay(gt.ms(id));
  return t.ok(`thumb-${id}.webp`);
}

const made = [];
for (const batch of gt.range(14).values().filter(hasPicture).chunks(4)) {
  made.push(...(await Promise.all(batch.map(makeThumb)))); // @group thumbs
}
g.end();
