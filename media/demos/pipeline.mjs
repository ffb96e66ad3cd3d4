// A pipeline of four stages, six ways: StartItem → Step1Item → Step2Item → FinalItem.
//
//   node pipeline.mjs                              all six variants, 1.5 seconds each
//   node pipeline.mjs --variant NonTopic           one of them, second by second
//   node pipeline.mjs --final 50                   a slower last stage: all stages run at its pace
//   node pipeline.mjs --lanes2 4                   a narrow ordered stage: now it is the one that limits
import { setTimeout as sleep } from 'node:timers/promises';
import { tellFigures } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';

const VARIANTS = ['Topic', 'NonTopic', 'NonFanOut', 'StepMinified', 'EfficientStepMinified', 'OrderingStepMinified'];
const parameters = readParameters('A pipeline of four stages with back-pressure, in six variants, throughput second by second', {
  variant: { is: 'all', of: ['all', ...VARIANTS], about: 'which variant' },
  seconds: { is: 1.5, from: 0.2, to: 120, step: 0.1, about: 'how long each variant runs, s' },
  items:   { is: 1_000_000, from: 1, to: 1_000_000, about: 'items at the most' },
  every:   { is: 0.1, from: 0.01, to: 1000, step: 0.01, about: 'time between two items, ms' },
  step1:   { is: 1, from: 0, to: 1000, about: 'step 1 takes up to, ms' },
  step2:   { is: 5, from: 0, to: 1000, about: 'step 2 takes up to, ms' },
  final:   { is: 10, from: 0, to: 1000, about: 'the last stage takes up to, ms' },
  lanes1:  { is: 16, from: 1, to: 256, about: 'lanes of step 1' },
  lanes2:  { is: 32, from: 1, to: 256, about: 'lanes of step 2' },
  lanes:   { is: 16, from: 1, to: 256, about: 'lanes of the last stage' },
  queue:   { is: 32, from: 1, to: 10_000, about: 'items a queue between two stages holds' },
  follow:  { is: 500, from: 1, to: 1_000_000, atMost: 'items', about: 'the item to follow through all stages' },
  scale:   { is: 1, from: 0.1, to: 100, step: 0.1, about: 'every delay is multiplied by this' },
});
const { seconds, items, every, step1, step2, final, lanes1, lanes2, lanes, queue, follow, scale } = parameters;

/**
 * A queue that holds a few items: `put` waits while it is full, and whoever loops over it waits while it is empty.
 * Back-pressure is nothing more: a stage that cannot get rid of its items takes no new ones.
 */
class BoundedQueue {
  items = [];
  takers = [];
  putters = [];
  isClosed = false;

  constructor(size) { this.size = size; }

  async put(item) {
    while (this.items.length >= this.size) await new Promise((go) => this.putters.push(go));
    this.items.push(item);
    this.takers.shift()?.();
  }

  close() {
    this.isClosed = true;
    for (const go of this.takers.splice(0)) go();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.items.length === 0) {
        if (this.isClosed) return;
        await new Promise((go) => this.takers.push(go));
      }
      const item = this.items.shift();
      this.putters.shift()?.();
      yield item;
    }
  }
}

/** Counts what a stage does: items second by second, the time its lanes work, and the time order holds items back. */
class Stage {
  perSecond = [];
  count = 0;
  busy = 0;
  held = 0;
  waiting = [];

  constructor(name, width, began) { Object.assign(this, { name, width, began }); }

  async work(item, upTo) {
    const start = performance.now();
    item.log.push([this.name, start - item.madeAt]);
    await sleep(Math.random() * upTo * scale);
    item.doneAt = performance.now();
    this.busy += item.doneAt - start;
    return item;
  }

  passed() {
    this.count++;
    const second = Math.floor((performance.now() - this.began) / 1000);
    this.perSecond[second] = (this.perSecond[second] ?? 0) + 1;
  }
}

/** Makes items, each `every` ms. The clock of Node knows no tenths of a millisecond: it makes those that are due. */
async function makeItems(stage, output) {
  const began = performance.now();
  let number = 0;
  const elapsed = () => performance.now() - began;
  while (number < items && elapsed() < seconds * 1000) {
    const due = Math.min(items, elapsed() / (every * scale));
    while (number < due && elapsed() < seconds * 1000) {
      await output.put({ number: ++number, madeAt: performance.now(), log: [] });
      stage.passed();
    }
    await sleep(1);
  }
  output.close();
}

/** Works on several items at once and hands them on in the order in which they came: a slow one holds back all behind it. */
async function ordered(stage, input, output, convert) {
  const inOrder = new BoundedQueue(stage.width);
  const handOn = async () => {
    for await (const promise of inOrder) {
      const item = await promise;
      const held = performance.now() - item.doneAt;
      stage.held += held;
      item.log.push([`${stage.name} let it go`, performance.now() - item.madeAt]);
      stage.passed();
      await output.put(item);
    }
    output.close();
  };
  const handingOn = handOn();
  for await (const item of input) await inOrder.put(convert(item));
  inOrder.close();
  await handingOn;
}

/** The last stage on one lane: it takes what is its own. */
async function finalLane(stage, input, isMine = () => true) {
  for await (const item of input) {
    if (!isMine(item)) continue;
    await stage.work(item, final);
    stage.passed();
    item.log.push(['done', item.doneAt - item.madeAt]);
    followed = item.number === follow ? item : followed;
  }
}
let followed;

/** Runs one variant. @returns its stages */
async function run(variant) {
  const began = performance.now();
  const stage = (name, width) => new Stage(name, width, began);
  const between = () => new BoundedQueue(queue);
  const start = stage('start', 1);
  const one = stage('step 1', lanes1);
  const two = stage('step 2', lanes2);
  const both = stage('steps 1+2', lanes1 + lanes2);
  const made = between();
  const stepped = between();
  const isJoined = variant.endsWith('StepMinified');
  const work = [makeItems(start, made)];
  followed = undefined;

  // Steps 1 and 2: two ordered stages with a queue between them, or one ordered stage that does both.
  if (isJoined) {
    work.push(ordered(both, made, stepped, async (item) => both.work(await both.work(item, step1), step2)));
  } else {
    const first = between();
    work.push(ordered(one, made, first, (item) => one.work(item, step1)), ordered(two, first, stepped, (item) => two.work(item, step2)));
  }

  // The last stage: one for all, or a queue for each of its lanes.
  const finals = variant === 'NonFanOut' ? [stage('final', lanes)] : Array.from({ length: lanes }, (_, i) => stage(`final_${i}`, 1));
  const queues = finals.map(between);
  const mine = (i) => (item) => item.number % lanes === i;
  if (variant === 'NonFanOut') {
    for (let i = 0; i < lanes; i++) work.push(finalLane(finals[0], stepped));
  } else {
    for (const [i, each] of finals.entries()) work.push(finalLane(each, queues[i], variant === 'Topic' ? mine(i) : undefined));
    work.push(fanOut(variant, stepped, queues, mine));
  }
  const steps = isJoined ? [both] : [one, two];
  const looking = setInterval(() => { steps.at(-1).waiting.push(stepped.items.length); start.waiting.push(made.items.length); }, 20);
  await Promise.all(work);
  clearInterval(looking);
  return { start, steps, finals, elapsed: performance.now() - began };
}

/** From the ordered stages to the lanes. */
async function fanOut(variant, input, queues, mine) {
  const tests = queues.map((_, i) => mine(i));
  const send = {
    // A topic: everybody is sent everything, and picks out what is his.
    Topic: (item) => Promise.all(queues.map((each) => each.put(item))),
    // Each lane is asked whether the item is its own.
    NonTopic: (item) => queues.find((_, i) => tests[i](item)).put(item),
    // One look at the number tells the lane.
    EfficientStepMinified: (item) => queues[item.number % lanes].put(item),
  };
  const handOn = send[variant] ?? send.NonTopic;
  const dispatch = async () => { for await (const item of input) await handOn(item); };
  // Order is kept up to here only where a single hand distributes.
  await Promise.all(Array.from({ length: variant === 'OrderingStepMinified' || variant === 'Topic' ? 1 : 4 }, dispatch));
  for (const each of queues) each.close();
}

// The document's items per second: at the start, and on each of the 16 lanes (NonFanOut: in all, shared here by 16).
const DOCUMENTED = {
  Topic: [2312, 144], NonTopic: [9180, 387], NonFanOut: [11333, 4969 / 16], StepMinified: [11642, 444], EfficientStepMinified: [11045, 441], OrderingStepMinified: [undefined, 444],
};
const isDocumented = lanes === 16 && final === 10 && step1 === 1 && step2 === 5 && scale === 1;
const perSecond = (stage, ms) => stage.count / ms * 1000;
const rows = [];
let topic;

for (const variant of parameters.variant === 'all' ? VARIANTS : [parameters.variant]) {
  const { start, steps, finals, elapsed } = await run(variant);
  const [documentedStart, documentedLane] = DOCUMENTED[variant];
  const done = finals.reduce((sum, { count }) => sum + count, 0);
  const lane = done / elapsed * 1000 / lanes;
  const busy = (stages) => stages.reduce((sum, each) => sum + each.busy, 0) / (stages.reduce((sum, { width }) => sum + width, 0) * elapsed);
  console.log(`\n${variant}: ${done} items in ${(elapsed / 1000).toFixed(2)} s`);
  for (const each of [start, ...steps]) tellStage(each, elapsed, each === start ? 0 : busy([each]));
  console.log(`  ${'final lanes'.padEnd(12)} ${lane.toFixed(0).padStart(6)}/s each   busy ${(busy(finals) * 100).toFixed(0).padStart(3)} %`);
  if (parameters.variant !== 'all') for (const each of finals) tellStage(each, elapsed, busy([each]));
  const limit = [...steps.map((each) => [each.name, busy([each])]), ['the last stage', busy(finals)]].sort((a, b) => b[1] - a[1])[0];
  console.log(`  ${limit[0]} limits: its lanes are busy ${(limit[1] * 100).toFixed(0)} % of the time, and all others run at its pace.`);
  if (followed) console.log(`  item ${follow}: ${followed.log.map(([what, at]) => `${what} ${at.toFixed(1)} ms`).join(', ')}`);

  rows.push({ figure: variant, label: `${variant}, per final lane`, unit: '/s', measured: lane, documented: isDocumented ? documentedLane : undefined });
  rows.push({ figure: `${variant}-start`, label: `${variant}, start`, unit: '/s', measured: perSecond(start, elapsed), documented: isDocumented ? documentedStart : undefined });
  topic ??= variant === 'Topic' ? lane : undefined;
  if (topic && variant !== 'Topic') rows.push({ figure: `${variant}-ratio`, label: `${variant} over Topic`, unit: '×', measured: lane / topic, documented: isDocumented ? documentedLane / 144 : undefined });
}

function tellStage(stage, elapsed, busy) {
  const queued = stage.waiting.reduce((sum, length) => sum + length, 0) / (stage.waiting.length || 1);
  console.log(`  ${stage.name.padEnd(12)} ${perSecond(stage, elapsed).toFixed(0).padStart(6)}/s`
    + (busy ? `        busy ${(busy * 100).toFixed(0).padStart(3)} %` : ''.padEnd(18))
    + (stage.held ? `   held back by order ${(stage.held / stage.count).toFixed(1)} ms an item` : '')
    + (stage.waiting.length ? `   ${queued.toFixed(0)} of ${queue} waiting behind it` : '')
    + (seconds >= 2 ? `   each second: ${stage.perSecond.join(' ')}` : ''));
}

tellFigures(parameters, rows, 'the document ran real threads that wait for fractions of a millisecond. One thread of Node does all of this, and its timers '
  + 'take a millisecond at the least: so compare the ratios, not the rates. Here the last stage limits, whatever feeds it; what a topic costs still shows.');
