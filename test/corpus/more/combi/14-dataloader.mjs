// @style DataLoader style: load(key) collects keys for a debounced batch function (one query a batch), callers run under Promise.all
// @expect comments: all tasks=9 conc=9 ok=8 error=1 peak=9
import gt from '../gt.cjs';

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class BatchLoader {
  constructor(batchFn, { wait = 2 } = {}) {
    this.batchFn = batchFn;
    this.wait = wait;
    this.queue = [];
    this.timer = null;
    this.cache = new Map();
  }

  load(key) {
    if (this.cache.has(key)) return this.cache.get(key);
    const promise = new Promise((resolve, reject) => {
      this.queue.push({ key, resolve, reject });
      clearTimeout(this.timer); // debounce
      this.timer = setTimeout(() => this.dispatch(), this.wait);
    });
    this.cache.set(key, promise);
    return promise;
  }

  async dispatch() {
    const batch = this.queue;
    this.queue = [];
    try {
      const values = await this.batchFn(batch.map((item) => item.key));
      batch.forEach(({ resolve, reject }, i) => {
        if (values[i] instanceof Error) reject(values[i]);
        else resolve(values[i]);
      });
    } catch (err) {
      batch.forEach(({ reject }) => reject(err));
    }
  }
}

// SELECT * FROM users WHERE id IN (...)
const userLoader = new BatchLoader(async (ids) => {
  await sleep(15);
  return ids.map((id) => (id === 3 ? new Error('user 3 was deleted') : { id, name: `user${id}` }));
});

const comments = gt.range(9).map((id) => ({ id, authorId: id === 8 ? 3 : id % 3, length: id }));
const g = gt.group({ name: 'comments', kind: 'all', combinator: 'all', concurrency: 9, declared: 9 });

async function renderComment(comment) { // @task comments
  const t = g.start(comment.id);
  try {
    const author = await userLoader.load(comment.authorId);
    await sleep(gt.ms(comment.id, 5, 25));
    return t.ok(`${author.name}: ${comment.length}`);
  } catch (err) {
    throw t.fail(err, err.message);
  }
}

await Promise.all(comments.map((c) => renderComment(c).catch(() => '[deleted]'))); // @group comments
g.end();
