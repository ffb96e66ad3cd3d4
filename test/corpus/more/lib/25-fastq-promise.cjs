// @style fastq.promise(this, worker, 2): push and unshift, rejections kept by the caller, concurrency raised while it runs, drained()
// @lib fastq
// @expect thumbs: pool tasks=13 ok=11 error=2 peak=4
const fastq = require('fastq');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'thumbs', kind: 'pool', lib: 'fastq', concurrency: 2, declared: 13 });

class Thumbnailer {
  constructor() {
    this.made = 0;
    this.broken = [];
    this.queue = fastq.promise(this, this.make, 2);
  }

  async make({ id, width }) { // @task thumbs
    const t = g.start(id);
    await new Promise((resolve) => setTimeout(resolve, 10 + width));
    if (id % 6 === 4) throw t.fail(new Error('not an image'));
    this.made++;
    t.ok();
    if (this.made === 4) this.widen(4);
    return `${id}@${width}.jpg`;
  }

  widen(n) {
    g.setConcurrency(n);
    this.queue.concurrency = n;
  }

  async run(images) {
    for (const image of images) {
      this.queue.push(image).catch((err) => this.broken.push([image.id, err.message])); // @group thumbs
    }
    this.queue.unshift({ id: 12, width: 20 });
    await this.queue.drained();
  }
}

(async () => {
  const app = new Thumbnailer();
  await app.run(gt.range(12).map((id) => ({ id, width: gt.ms(id, 15, 50) })));
  g.end();
  if (app.broken.length !== 2) process.exitCode = 9;
})();
