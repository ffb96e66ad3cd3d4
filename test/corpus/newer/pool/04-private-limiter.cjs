// @style limiter class with private fields and methods, a static block for the defaults, Promise.withResolvers per job, structuredClone of the payload, errors wrapped with cause
// @minNode 22
// @expect render: pool tasks=11 conc=4 ok=9 error=2 peak=4
const gt = require('../gt.cjs');

class Limiter {
  static #defaults;
  static {
    Limiter.#defaults = Object.freeze({ max: 4 });
  }

  #max;
  #busy = 0;
  #backlog = [];

  constructor(options) {
    this.#max = { ...Limiter.#defaults, ...options }.max;
  }

  submit(fn, payload) {
    const deferred = Promise.withResolvers();
    this.#backlog.push({ fn, payload: structuredClone(payload), deferred });
    this.#drain();
    return deferred.promise;
  }

  #drain() {
    for (; this.#busy < this.#max && this.#backlog.length; this.#busy++) this.#exec(this.#backlog.shift());
  }

  async #exec({ fn, payload, deferred: { resolve, reject } }) {
    try {
      resolve(await fn(payload));
    } catch (cause) {
      reject(new Error('render failed', { cause }));
    } finally {
      this.#busy--;
      this.#drain();
    }
  }
}

const g = gt.group({ name: 'render', kind: 'pool', concurrency: 4, declared: 11 });

function render({ page }) { // @task render
  const t = g.start(page);
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      if (page === 2 || page === 9) reject(t.fail(new SyntaxError('bad template ' + page)));
      else resolve(t.ok(`<h1>${page}</h1>`));
    }, gt.ms(page));
  });
}

const limiter = new Limiter();
Promise.allSettled(gt.range(11).map((page) => limiter.submit(render, { page }))) // @group render
  .then((all) => {
    g.end();
    const causes = all.filter((r) => r.reason).map((r) => r.reason.cause.name);
    if (causes.join() !== 'SyntaxError,SyntaxError') process.exitCode = 2;
  });
