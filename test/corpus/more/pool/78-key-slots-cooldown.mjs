// @style fixed slot objects with a lock promise each: acquire looks for a free one, else Promise.race over all locks and calls itself again; release frees the slot only after a cool-down timer
// @expect prompts: pool tasks=8 conc=2 ok=8 error=0 peak=2 lanes=2
import gt from '../gt.cjs';
const g = gt.group({ name: 'prompts', kind: 'pool', concurrency: 2, declared: 8 });

const seats = ['KEY_A', 'KEY_B'].map((key) => ({ key, busy: false, lock: Promise.resolve(), unlock: null, calls: 0 }));

async function acquireSeat() {
  for (let i = 0; i < seats.length; i++) {
    const seat = seats[i];
    if (seat.busy) continue;
    seat.busy = true;
    const before = seat.lock;
    seat.lock = new Promise((r) => { seat.unlock = r; });
    await before;
    return i;
  }
  await Promise.race(seats.map((s) => s.lock));
  return acquireSeat();
}

function releaseSeat(i, coolDown = 15) {
  setTimeout(() => {
    seats[i].busy = false;
    seats[i].unlock?.();
  }, coolDown);
}

const callModel = (i, n) => new Promise((resolve) => { // @task prompts
  const t = g.start(n, { worker: i });
  seats[i].calls++;
  setTimeout(() => resolve(t.ok(`answer ${n} by ${seats[i].key}`)), gt.ms(n, 30, 70));
});

async function ask(n) {
  const i = await acquireSeat();
  try {
    return await callModel(i, n);
  } finally {
    releaseSeat(i);
  }
}

await Promise.all(gt.range(8).map(ask)); // @group prompts
g.end();
