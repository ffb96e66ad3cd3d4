// @style interview question: class Scheduler with add(promiseCreator) returning a promise, at most 2 at once, addTask() four times and more
// @expect tasks: pool tasks=8 conc=2 ok=8 error=0 peak=2
// @hard no combinator: add() is called line by line and nothing awaits them all
const gt = require('../gt.cjs');
const g = gt.group({ name: 'tasks', kind: 'pool', concurrency: 2, declared: 8 });

class Scheduler {
  constructor(max = 2) {
    this.max = max;
    this.queue = [];
    this.running = 0;
  }

  add(promiseCreator) {
    return new Promise((resolve, reject) => {
      promiseCreator.resolve = resolve;
      promiseCreator.reject = reject;
      if (this.running < this.max) {
        this.runTask(promiseCreator);
      } else {
        this.queue.push(promiseCreator);
      }
    });
  }

  runTask(promiseCreator) {
    this.running++;
    promiseCreator() // @group tasks
      .then(promiseCreator.resolve, promiseCreator.reject)
      .finally(() => {
        this.running--;
        if (this.queue.length > 0) {
          this.runTask(this.queue.shift());
        }
      });
  }
}

const timeout = (time, order) => new Promise((resolve) => { // @task tasks
  const t = g.start(order);
  setTimeout(() => { t.ok(); resolve(); }, time);
});

const scheduler = new Scheduler();
const output = [];
const addTask = (time, order) => {
  scheduler.add(() => timeout(time, order)).then(() => {
    output.push(order);
    if (output.length === 8) g.end();
  });
};

addTask(40, '1');
addTask(20, '2');
addTask(30, '3');
addTask(15, '4');
addTask(25, '5');
addTask(35, '6');
addTask(10, '7');
addTask(20, '8');
// output starts with: 2 1 ...
