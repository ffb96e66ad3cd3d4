// @style a service with two fastq.promise queues as fields (bound methods): libraries one at a time, each pushes its games to the metadata queue of 3 and goes on
// @lib fastq
// @expect libraries: pool tasks=3 conc=1 ok=3 error=0 peak=1
// @expect metadata: pool tasks=11 conc=3 ok=9 error=2 peak=3
const fastq = require('fastq');
const { setTimeout: idle } = require('timers/promises');
const gt = require('../gt.cjs');
const libs = gt.group({ name: 'libraries', kind: 'pool', lib: 'fastq', concurrency: 1, declared: 3 });
const meta = gt.group({ name: 'metadata', kind: 'pool', lib: 'fastq', concurrency: 3, declared: 11 });

class SyncService {
  libraryQueue = fastq.promise(this.libraryWorker.bind(this), 1); // @group libraries
  metadataQueue = fastq.promise(this.metadataWorker.bind(this), 3); // @group metadata
  failures = [];
  games = new Map();

  constructor(shelves) { this.shelves = shelves; }

  async libraryWorker(name) { // @task libraries
    const t = libs.start(name);
    await idle(40 + 10 * this.shelves[name].length);
    for (const game of this.shelves[name]) {
      this.metadataQueue.push({ name, game }).catch((err) => { this.failures.push({ game, message: err.message }); }); // @group metadata
    }
    t.ok();
  }

  async metadataWorker({ name, game }) { // @task metadata
    const t = meta.start(game);
    await idle(gt.ms(game, 30, 90));
    if (game === 4 || game === 9) throw t.fail(new Error('no such title in ' + name));
    this.games.set(game, { name });
    t.ok();
  }

  async sync() {
    for (const name of Object.keys(this.shelves)) this.libraryQueue.push(name); // @group libraries
    await this.libraryQueue.drained();
    libs.end();
    if (!this.metadataQueue.idle()) await this.metadataQueue.drained();
    meta.end();
    return this.failures;
  }
}

new SyncService({ steamy: [0, 1, 2, 3], epical: [4, 5, 6, 7, 8], gogo: [9, 10] }).sync().then((failures) => {
  if (failures.length !== 2) throw new Error('failures: ' + failures.length);
});
