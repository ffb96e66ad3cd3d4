// @style redux-saga-like: generators yield effects as data ({ type: 'CALL' | 'ALL' | 'SETTLE' }), a small runtime carries them out
// @expect load: all tasks=3 conc=3 ok=3 error=0 peak=3
// @expect save: allSettled tasks=4 conc=4 ok=3 error=1 peak=4
'use strict';
const gt = require('../gt.cjs');

const call = (fn, ...args) => ({ type: 'CALL', fn, args });
const all = (effects) => ({ type: 'ALL', effects });
const settle = (effects) => ({ type: 'SETTLE', effects });

const carryOut = {
  CALL: async ({ fn, args }) => {
    const value = fn(...args);
    return isGenerator(value) ? runSaga(value) : value;
  },
  ALL: ({ effects }) => Promise.all(effects.map((e) => perform(e))), // @group load
  SETTLE: ({ effects }) => Promise.allSettled(effects.map((e) => perform(e))), // @group save
};
const isGenerator = (x) => typeof x?.next === 'function' && typeof x?.throw === 'function';
function perform(effect) { return carryOut[effect.type](effect); }

async function runSaga(saga) {
  let step = saga.next();
  while (!step.done) {
    let answer, failed = false;
    try { answer = await perform(step.value); } catch (err) { answer = err; failed = true; }
    step = failed ? saga.throw(answer) : saga.next(answer);
  }
  return step.value;
}

const http = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
let g;
async function fetchResource(name, n) { // @task load
  const t = g.start(name);
  const body = await http(gt.ms(n, 20, 60), { name });
  return t.ok(body);
}
function* saveLine(line) { // @task save
  const t = g.start(line.no);
  const checked = yield call(http, gt.ms(line.no + 20, 10, 25), line.qty > 0);
  if (!checked) throw t.fail(new Error('line ' + line.no + ' has no quantity'));
  yield call(http, gt.ms(line.no + 30, 10, 25));
  return t.ok(line.no);
}

function* checkout(cart) {
  g = gt.group({ name: 'load', kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });
  const [user, prices, stock] = yield all([
    call(fetchResource, 'user', 1),
    call(fetchResource, 'prices', 2),
    call(fetchResource, 'stock', 3),
  ]);
  g.end();
  const order = yield call(http, 20, { user, prices, stock, no: 77 });
  g = gt.group({ name: 'save', kind: 'allSettled', combinator: 'allSettled', concurrency: 4, declared: 4 });
  const saved = yield settle(cart.map((line) => call(saveLine, line)));
  g.end();
  return { order, saved };
}

runSaga(checkout([{ no: 0, qty: 1 }, { no: 1, qty: 2 }, { no: 2, qty: 0 }, { no: 3, qty: 4 }]))
  .then(({ saved }) => { process.exitCode = saved.filter((s) => s.status === 'rejected').length === 1 ? 0 : 4; });
