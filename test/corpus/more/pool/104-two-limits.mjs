// @style home-made limit function (p-limit like) used twice in one program (4 downloads, 2 disk writes): items.map((x) => apiLimit(() => get(x)).then((b) => diskLimit(() => save(x, b)))), one Promise.all over all the chains
// @hard two pools of one limiter helper run at the same time under one Promise.all
// @expect gets: pool tasks=12 conc=4 ok=12 error=0 peak=4
// @expect saves: pool tasks=12 conc=2 ok=12 error=0 peak=2
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import gt from '../gt.cjs';

export default function makeLimit(seats) {
  const line = [];
  let taken = 0;
  const sit = (guest) => {
    taken += 1;
    const meal = new Promise((r) => r(guest.fn()));
    guest.serve(meal);
    meal.catch(() => {}).then(() => {
      taken -= 1;
      if (line.length) sit(line.shift());
    });
  };
  return (fn) => new Promise((serve) => {
    const guest = { fn, serve };
    if (taken < seats) sit(guest);
    else line.push(guest);
  });
}

const gets = gt.group({ name: 'gets', kind: 'pool', concurrency: 4, declared: 12 });
const saves = gt.group({ name: 'saves', kind: 'pool', concurrency: 2, declared: 12 });
const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'tiles-'));

async function getTile(n) { // @task gets
  const t = gets.start(n);
  await new Promise((r) => setTimeout(r, gt.ms(n, 30, 70)));
  return t.ok(Buffer.alloc(512, n));
}

async function saveTile(n, bytes) { // @task saves
  const t = saves.start(n);
  const fh = await fs.open(path.join(dir, `${n}.tile`), 'w');
  try {
    await fh.write(bytes);
    await new Promise((r) => setTimeout(r, gt.ms(n + 500, 15, 35)));
    await fh.sync();
  } finally {
    await fh.close();
  }
  t.ok();
}

const apiLimit = makeLimit(4);
const diskLimit = makeLimit(2);
const chains = gt.range(12).map((n) =>
  apiLimit(() => getTile(n)) // @group gets
    .then((bytes) => diskLimit(() => saveTile(n, bytes)))); // @group saves
await Promise.all(chains); // @group gets saves
gets.end();
saves.end();
await fs.rm(dir, { recursive: true });
