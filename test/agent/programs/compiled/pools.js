// What people write most often, to be compiled for older languages: chunks, workers, a semaphore, a loop and calls at once.
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function load(id) {
  await sleep(20 + 5 * id);
  if (id === 4) throw new Error('no such id');
  return id;
}

async function inChunks(ids, size) {
  for (let i = 0; i < ids.length; i += size) await Promise.allSettled(ids.slice(i, i + size).map((id) => load(id)));
}

class Store {
  async save(id) {
    await null;
    await sleep(15 + 4 * id);
    return sleep(5);
  }
}

async function worker(store, queue) {
  while (queue.length > 0) await store.save(queue.shift());
}

class Semaphore {
  constructor(free) { this.free = free; this.waiting = []; }
  async acquire() {
    if (this.free > 0) { this.free--; return; }
    await new Promise((resolve) => this.waiting.push(resolve));
  }
  release() {
    const next = this.waiting.shift();
    if (next) next(); else this.free++;
  }
}
const semaphore = new Semaphore(2);
const query = async (id) => {
  await semaphore.acquire();
  try {
    await sleep(20 + 3 * id);
  } finally {
    semaphore.release();
  }
};

async function check(id) {
  const found = await sleep(10 + id);
  return found;
}

async function main() {
  await inChunks([1, 2, 3, 4, 5, 6, 7], 3);
  const store = new Store();
  const queue = [1, 2, 3, 4, 5, 6, 7, 8];
  await Promise.all([worker(store, queue), worker(store, queue), worker(store, queue)]);
  await Promise.all([1, 2, 3, 4, 5, 6].map(query));
  for (const id of [1, 2, 3, 4]) await check(id);
}
main();
