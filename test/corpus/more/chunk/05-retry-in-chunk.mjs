// @style chunk loop whose tasks retry themselves (up to 3 attempts, linear back-off); one gives up and is caught
// @expect uploads: chunk tasks=8 conc=3 chunks=3 ok=7 error=1 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'uploads', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 8 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const failures = { 1: 1, 4: 2, 6: 3 }; // how many times the server says no

async function put(id) {
  await sleep(gt.ms(id, 15, 35));
  if (failures[id]-- > 0) throw new Error(`503 for ${id}`);
}

async function uploadWithRetry(id) { // @task uploads
  const t = g.start(id);
  let last;
  for (let attempt = 1; attempt <= 3; attempt++) {
    const a = t.attempt();
    try {
      await put(id);
      a.ok();
      return t.ok(id);
    } catch (err) {
      a.fail();
      last = err;
      if (attempt < 3) await sleep(10 * attempt);
    }
  }
  throw t.fail(last);
}

const ids = gt.range(8);
const lost = [];
for (let i = 0; i < ids.length; i += 3) {
  await Promise.all(ids.slice(i, i + 3).map((id) => uploadWithRetry(id).catch((err) => lost.push(err.message)))); // @group uploads
}
g.end();
