// @style batch generator of a web UI: staggered worker IIFEs (w * delay) each scan the shared list for the first 'pending' card; a paused flag lets them run out, a second start() goes on with what is left
// @expect first: pool tasks=7 conc=3 ok=6 error=1 peak=3 lanes=3
// @expect second: pool tasks=5 conc=3 ok=5 error=0 peak=3 lanes=3
import gt from '../gt.cjs';
const nap = (ms) => new Promise((r) => setTimeout(r, ms));
const cards = gt.range(12).map((id) => ({ id, status: 'pending', error: null }));
let paused = false, made = 0, g;

async function generateCard(card, w) { // @task first second
  const t = g.start(card.id, { worker: w });
  await nap(gt.ms(card.id, 50, 90));
  if (card.id === 3) throw t.fail(new Error('model refused card 3'));
  return t.ok({ title: `Card ${card.id}` });
}

async function start(workerCount, delayMs) {
  paused = false;
  const todo = cards.filter((c) => c.status === 'pending').length;
  const workers = [];
  for (let w = 0; w < Math.min(workerCount, todo); w++) {
    workers.push((async () => { // @worker first second
      if (w > 0 && delayMs > 0) await nap(delayMs * w);
      while (!paused) {
        let card = null;
        for (let i = 0; i < cards.length; i++) {
          if (cards[i].status === 'pending') { card = cards[i]; break; }
        }
        if (!card) break;
        card.status = 'working';
        try {
          card.result = await generateCard(card, w);
          card.status = 'done';
        } catch (e) {
          card.status = 'failed';
          card.error = e.message;
        }
        if (++made === 5) paused = true; // the user presses Pause
      }
    })());
  }
  await Promise.all(workers); // @group first second
}

g = gt.group({ name: 'first', kind: 'pool', concurrency: 3, declared: 7 });
await start(3, 10);
g.end();
await nap(30);
g = gt.group({ name: 'second', kind: 'pool', concurrency: 3, declared: 5 });
await start(3, 10);
g.end();
