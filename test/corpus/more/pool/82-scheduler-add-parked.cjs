// @style class Scheduler, async add(): parks itself on a stored resolve when two are running; nobody collects the promises
// @expect homework: pool tasks=7 conc=2 ok=7 error=0 peak=2
const gt = require('../gt.cjs');
const g = gt.group({ name: 'homework', kind: 'pool', concurrency: 2, declared: 7 });

class Scheduler {
  constructor(max = 2) {
    this.max = max;
    this.busy = 0;
    this.parked = []; // 先停在这里,等前面的做完
  }

  async add(create) {
    if (this.busy >= this.max) {
      await new Promise((wake) => this.parked.push(wake));
    }
    this.busy++;
    const value = await create(); // @group homework
    this.busy--;
    if (this.parked.length) this.parked.shift()();
    return value;
  }
}

const study = (ms, subject) => new Promise((resolve) => { // @task homework
  const t = g.start(subject);
  setTimeout(() => { t.ok(); resolve(subject); }, ms);
});

const scheduler = new Scheduler();
const finished = [];
const assign = (ms, subject) => {
  scheduler.add(() => study(ms, subject)).then((s) => {
    finished.push(s);
    if (finished.length === 7) g.end();
  });
};

assign(gt.ms(0), '语文');
assign(gt.ms(1), '数学');
assign(gt.ms(2), '英语');
assign(gt.ms(3), '物理');
assign(gt.ms(4), '化学');
assign(gt.ms(5), '生物');
assign(gt.ms(6), '历史');
