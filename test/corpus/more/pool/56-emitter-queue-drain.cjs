// @style an EventEmitter queue with a high-water mark: push() answers false when full, the producer waits for 'drain', 'idle' ends it
// @expect writes: pool tasks=15 conc=3 ok=15 error=0 peak=3
'use strict';
const { EventEmitter, once } = require('events');
const fs = require('fs');
const os = require('os');
const gt = require('../gt.cjs');

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class WorkQueue extends EventEmitter {
  constructor(worker, { concurrency = 1, highWaterMark = 8, lowWaterMark = 2 } = {}) {
    super();
    Object.assign(this, { worker, concurrency, highWaterMark, lowWaterMark });
    this.buffer = [];
    this.active = 0;
    this.needDrain = false;
  }
  push(item) {
    this.buffer.push(item);
    this.#pump();
    if (this.buffer.length < this.highWaterMark) return true;
    this.needDrain = true;
    return false;
  }
  get idle() { return this.active === 0 && this.buffer.length === 0; }
  #pump() {
    while (this.active < this.concurrency && this.buffer.length > 0) {
      this.active++;
      this.worker(this.buffer.shift()) // @group writes
        .catch((err) => this.emit('failed', err))
        .finally(() => this.#freed());
    }
  }
  #freed() {
    this.active--;
    this.#pump();
    if (this.needDrain && this.buffer.length <= this.lowWaterMark) {
      this.needDrain = false;
      this.emit('drain');
    }
    if (this.idle) this.emit('idle');
  }
}

class SearchIndex {
  constructor() {
    this.docs = new Map();
    this.group = gt.group({ name: 'writes', kind: 'pool', concurrency: 3, declared: 15 });
  }
  async write(doc) { // @task writes
    const t = this.group.start(doc.id);
    await sleep(gt.ms(doc.id, 10, 55));
    this.docs.set(doc.id, doc.title);
    t.ok();
  }
}

class ChangeFeed { // like a replication slot: hands out what it has, synchronously
  #next = 0;
  constructor(total) { this.total = total; }
  read() { return this.#next < this.total ? { id: this.#next, title: `page ${this.#next++}` } : null; }
}

async function reindex(feed, index, log) {
  const queue = new WorkQueue((doc) => index.write(doc), { concurrency: 3, highWaterMark: 5, lowWaterMark: 1 });
  queue.on('failed', (err) => log.write(err.message + '\n'));
  queue.on('drain', () => log.write('drain\n'));
  for (let doc = feed.read(); doc; doc = feed.read()) {
    if (!queue.push(doc)) await once(queue, 'drain');
  }
  if (!queue.idle) await once(queue, 'idle');
  index.group.end();
}

const log = fs.createWriteStream(os.devNull);
const index = new SearchIndex();
reindex(new ChangeFeed(15), index, log).then(() => {
  log.end();
  if (index.docs.size !== 15) process.exitCode = 2;
});
