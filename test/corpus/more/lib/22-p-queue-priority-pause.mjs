// @style p-queue autoStart: false, priorities, queue.pause() for a while when it is half empty, then start() again
// @lib p-queue
// @expect thumbs: pool tasks=12 conc=3 ok=12 error=0 peak=3
import PQueue from 'p-queue';
import gt from '../gt.cjs';
const g = gt.group({ name: 'thumbs', kind: 'pool', lib: 'p-queue', concurrency: 3, declared: 12 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const queue = new PQueue({ concurrency: 3, autoStart: false });
const sizes = [];

async function makeThumb(i) { // @task thumbs
  const t = g.start(i);
  await sleep(gt.ms(i, 20, 60));
  return t.ok({ file: `thumb-${i}.webp` });
}

// the images above the fold go first
for (const i of gt.range(12)) {
  queue.add(() => makeThumb(i), { priority: i % 4 === 0 ? 10 : 0 }).then((thumb) => sizes.push(thumb)); // @group thumbs
}

let paused = false;
queue.on('completed', () => {
  if (paused || queue.size > 5) return;
  paused = true;
  queue.pause(); // let the disk catch up
  setTimeout(() => queue.start(), 90);
});

queue.start();
await queue.onIdle();
g.end();
void sizes;
