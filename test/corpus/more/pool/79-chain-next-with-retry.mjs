// @style new Array(n).fill(Promise.resolve()).map(chainNext): each lane takes its next argument first, awaits the promise handed to it, starts the operation and recurses with that; retries inside the operation, errors become results
// @expect rows: pool tasks=10 conc=3 ok=9 error=1 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'rows', kind: 'pool', concurrency: 3, declared: 10 });

const again = async (fn, args, more) => {
  try {
    return await fn(...args);
  } catch (e) {
    if (more <= 0) throw e;
    return again(fn, args, more - 1);
  }
};

export async function parallel(elements, operation, limit = 10) {
  const todo = elements.map((value, index) => ({ value, index }));
  const results = [];
  const lanes = new Array(limit).fill(Promise.resolve());

  const chainNext = async (previous) => { // @worker rows
    if (todo.length > 0) {
      const mine = todo.shift();
      await previous;
      const current = operation(mine.value)
        .then((r) => { results.push(r); })
        .catch((e) => e);
      return await chainNext(current);
    }
    return await previous;
  };

  await Promise.all(lanes.map(chainNext)); // @group rows
  return results;
}

const failing = new Map([[3, 1], [6, 9]]);
const importRow = async (row) => { // @task rows
  const t = g.start(row);
  try {
    return t.ok(await again(async () => {
      const a = t.attempt();
      await new Promise((r) => setTimeout(r, gt.ms(row, 15, 45)));
      const left = failing.get(row) ?? 0;
      failing.set(row, left - 1);
      if (left > 0) { a.fail(); throw new Error(`row ${row} locked`); }
      a.ok();
      return row * 2;
    }, [], 2));
  } catch (e) {
    throw t.fail(e);
  }
};

const saved = await parallel(gt.range(10), importRow, 3);
g.end(saved.length === 9 ? 'ok' : 'error');
