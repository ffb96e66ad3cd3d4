// @style looks like a sliding pool but is batches: push until full, await Promise.race(busy), then at once await Promise.all(busy.splice(0)); a last Promise.all for the rest
// @expect scores: chunk tasks=10 conc=4 chunks=3 ok=10 error=0 peak=4
import gt from '../gt.cjs';
const g = gt.group({ name: 'scores', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 10 });

export async function parallelMap(items, concurrency, fn) {
  if (items.length === 0) return [];
  const results = [];
  const busy = [];

  for (let i = 0; i < items.length; i++) {
    const promise = fn(items[i]).then((value) => {
      results[i] = value;
    });
    busy.push(promise);

    if (busy.length >= concurrency) {
      await Promise.race(busy); // @group scores
      // there is no cheap way to see which one it was, so wait for all of them
      await Promise.all(busy.splice(0, busy.length)); // @group scores
    }
  }

  await Promise.all(busy); // @group scores
  return results;
}

const scorePage = function (id) { // @task scores
  const t = g.start(id);
  return new Promise((resolve) => setTimeout(resolve, gt.ms(id))).then(() => t.ok(id % 5));
};

const scores = await parallelMap(gt.range(10), 4, scorePage);
g.end(scores.length === 10 ? 'ok' : 'error');
