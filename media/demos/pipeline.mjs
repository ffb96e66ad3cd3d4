// A pipeline of four stages, six ways: StartItem → Step1Item → Step2Item → FinalItem.
//
//   node pipeline.mjs                              all six variants, 2 seconds each
//   node pipeline.mjs --variant NonTopic           one of them, stage by stage and lane by lane
//   node pipeline.mjs --final 50                   a slower last stage: all stages run at its pace
//   node pipeline.mjs --lanes2 4                   a narrow ordered stage: now it is the one that limits
import { setTimeout as sleep } from 'node:timers/promises';
import { tellFigures, tellScale, tellTable } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';
import { labelOf, say } from './lib/say.mjs';

const VARIANTS = ['Topic', 'NonTopic', 'NonFanOut', 'StepMinified', 'EfficientStepMinified', 'OrderingStepMinified'];
const parameters = readParameters('A pipeline of four stages with back-pressure, in six variants, throughput second by second', {
  variant: { is: 'all', of: ['all', ...VARIANTS], about: 'which variant' },
  seconds: { is: 2, from: 0.2, to: 120, step: 0.1, about: 'how long each variant runs, s' },
  items:   { is: 1_000_000, from: 1, to: 1_000_000, about: 'items at the most' },
  every:   { is: 0.1, from: 0.01, to: 1000, step: 0.01, about: 'time between two items, ms' },
  step1:   { is: 1, from: 0, to: 1000, about: 'step 1 takes up to, ms' },
  step2:   { is: 5, from: 0, to: 1000, about: 'step 2 takes up to, ms' },
  final:   { is: 10, from: 0, to: 1000, about: 'the last stage takes up to, ms' },
  lanes1:  { is: 16, from: 1, to: 256, about: 'lanes of step 1' },
  lanes2:  { is: 10, from: 1, to: 256, about: 'lanes of step 2' },
  lanes:   { is: 16, from: 1, to: 256, about: 'lanes of the last stage' },
  queue:   { is: 8, from: 1, to: 10_000, about: 'items a queue between two stages holds' },
  follow:  { is: 200, from: 1, to: 1_000_000, atMost: 'items', about: 'the item to follow through all stages' },
  scale:   { is: 2, from: 0.1, to: 100, step: 0.1, about: 'every delay is multiplied by this' },
});
const { seconds, items, every, step1, step2, final, lanes1, lanes2, lanes, queue, follow, scale } = parameters;

/**
 * A queue that holds a few items: `put` waits while it is full, and `take` waits while it is empty.
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

  /** The next item; undefined where no more will come. */
  async take() {
    while (this.items.length === 0) {
      if (this.isClosed) return undefined;
      await new Promise((go) => this.takers.push(go));
    }
    this.putters.shift()?.();
    return this.items.shift();
  }

  async *[Symbol.asyncIterator]() {
    for (let item = await this.take(); item; item = await this.take()) yield item;
  }
}

/** A stage: some lanes that take items out of a queue, and what they spend their time with. */
class Stage {
  count = 0;
  perSecond = [];
  // Milliseconds of all its lanes together.
  busy = 0;
  held = 0;
  blocked = 0;
  queued = [];
  ready = 0;
  next = 1;
  waiting = new Map();

  /** @param delays what it does to an item: up to so many ms, one after the other */
  constructor(name, width, delays, isOrdered = false) { Object.assign(this, { name, width, delays, isOrdered, began: performance.now() }); }

  /** All its lanes, side by side. @param input the queue they take from @param handOn where an item goes then */
  async run(input, handOn) {
    await Promise.all(Array.from({ length: this.width }, () => this.lane(input, handOn)));
  }

  /** One lane: item after item. @param isMine which of them are for this stage */
  async lane(input, handOn, isMine = () => true) {
    this.input = input;
    for (let item = await input.take(); item; item = await input.take()) {
      if (isMine(item)) await this.pass(item, handOn);
    }
  }

  /** An item on its way through a lane: work, then its turn, then room behind it. */
  async pass(item, handOn) {
    const start = this.note(item, 'begins');
    await this.work();
    const done = this.note(item, 'done');
    // An ordered stage lets items go in the order in which they came: whoever is done waits for the slow one before it.
    if (this.isOrdered) await this.turnOf(item.number);
    if (this.isOrdered) this.note(item, 'let go');
    await handOn(item);
    if (this.isOrdered) this.giveTurn();
    // It could go once it and all before it were done; from then on only room was missing.
    this.ready = this.isOrdered ? Math.max(this.ready, done) : done;
    this.busy += done - start;
    this.held += this.ready - done;
    this.blocked += performance.now() - this.ready;
    this.passed();
  }

  /** The conversion: it only takes its time. */
  async work() {
    for (const upTo of this.delays) await sleep(Math.random() * upTo * scale);
  }

  turnOf(number) {
    if (number !== this.next) return new Promise((go) => this.waiting.set(number, go));
  }

  giveTurn() {
    const go = this.waiting.get(++this.next);
    this.waiting.delete(this.next);
    go?.();
  }

  passed() {
    this.count++;
    const second = Math.floor((performance.now() - this.began) / 1000);
    this.perSecond[second] = (this.perSecond[second] ?? 0) + 1;
  }

  /** Keeps what happens to the item that is followed. @returns now */
  note(item, what) {
    const now = performance.now();
    if (item.number === follow) followed.push([this.name, what, now - item.madeAt]);
    return now;
  }
}
let followed = [];

/** Makes items, each `every` ms. The clock of Node knows no tenths of a millisecond: it makes those that are due. */
async function makeItems(start, output) {
  let number = 0;
  const elapsed = () => performance.now() - start.began;
  while (number < items && elapsed() < seconds * 1000) {
    const due = Math.min(items, elapsed() / (every * scale));
    while (number < due && elapsed() < seconds * 1000) {
      const from = performance.now();
      await output.put({ number: ++number, madeAt: from });
      start.blocked += performance.now() - from;
      start.passed();
    }
    await sleep(1);
  }
  output.close();
}

/** Runs one variant. @returns its stages, and how long it ran in ms */
async function run(variant) {
  followed = [];
  const began = performance.now();
  const start = new Stage('start', 1, []);
  const isJoined = variant.endsWith('StepMinified');
  // Steps 1 and 2: two ordered stages, or one that does both on the lanes of both.
  const steps = isJoined ? [new Stage('steps 1+2', lanes1 + lanes2, [step1, step2], true)]
    : [new Stage('step 1', lanes1, [step1], true), new Stage('step 2', lanes2, [step2], true)];
  // The last stage: one with all lanes, or one for each lane with a queue of its own.
  const finals = variant === 'NonFanOut' ? [new Stage('final, one', lanes, [final])] : Array.from({ length: lanes }, (_, i) => new Stage(`final_${i}`, 1, [final]));

  const queueFor = () => new BoundedQueue(queue);
  const made = queueFor();
  const stepped = queueFor();
  const work = [makeItems(start, made)];
  let input = made;
  for (const step of steps) {
    const output = step === steps.at(-1) ? stepped : queueFor();
    work.push(step.run(input, (item) => output.put(item)).then(() => output.close()));
    input = output;
  }
  const drop = () => undefined;
  if (variant === 'NonFanOut') {
    work.push(finals[0].run(stepped, drop));
  } else {
    const queues = finals.map(queueFor);
    const isFor = (i) => (item) => item.number % lanes === i;
    work.push(Promise.all(finals.map((each, i) => each.lane(queues[i], drop, variant === 'Topic' ? isFor(i) : undefined))));
    work.push(fanOut(variant, stepped, queues, isFor));
  }
  const stages = [...steps, ...finals];
  const looking = setInterval(() => { for (const stage of stages) stage.queued.push(stage.input.items.length); }, 20);
  await Promise.all(work);
  clearInterval(looking);
  return { start, steps, finals, elapsed: performance.now() - began };
}

/** From the ordered stages to the lanes. */
async function fanOut(variant, input, queues, isFor) {
  const tests = queues.map((_, i) => isFor(i));
  const ask = (item) => queues[tests.findIndex((isMine) => isMine(item))].put(item);
  const send = {
    // A topic: everybody is sent everything, and picks out what is his. The next item has to wait for the fullest of all queues.
    Topic: (item) => Promise.all(queues.map((each) => each.put(item))),
    // Each lane is asked in turn whether the item is its own.
    NonTopic: ask, StepMinified: ask, OrderingStepMinified: ask,
    // One look at the number tells the lane.
    EfficientStepMinified: (item) => queues[item.number % lanes].put(item),
  }[variant];
  // A single hand distributes in order; of four, one may overtake another.
  const hands = variant === 'OrderingStepMinified' || variant === 'Topic' ? 1 : 4;
  const distribute = async () => { for await (const item of input) await send(item); };
  await Promise.all(Array.from({ length: hands }, distribute));
  for (const each of queues) each.close();
}

// The document's items per second: at the start, through steps 1 and 2, and on each of the 16 lanes (NonFanOut: in all, shared here by 16).
const DOCUMENTED = {
  Topic: [2312, 2311, 144], NonTopic: [9180, 6187, 387], NonFanOut: [11333, 4969, 4969 / 16], StepMinified: [11642, 7111, 444],
  EfficientStepMinified: [11045, 7055, 441], OrderingStepMinified: [undefined, undefined, 444],
};
const isDocumented = lanes === 16 && final === 10 && step1 === 1 && step2 === 5;
// In the document's own times, so that it can be held against the document's figures.
const rate = ({ count }, ms) => count / ms * 1000 * scale;
const whole = (value) => (value === undefined ? '–' : value.toFixed(0));
const rows = [];
const table = [];
let topic;
tellScale(scale, 1);

for (const variant of parameters.variant === 'all' ? VARIANTS : [parameters.variant]) {
  const { start, steps, finals, elapsed } = await run(variant);
  const last = together(finals);
  const lane = rate(last, elapsed) / lanes;
  topic ??= variant === 'Topic' ? lane : undefined;
  const [documentedStart, documentedSteps, documentedLane] = DOCUMENTED[variant];

  const isAlone = parameters.variant !== 'all';
  tellTable({
    table: 'stages', subject: variant, title: 'stage by stage',
    columns: { stage: 'stage', rate: 'items/s', busy: 'works', held: 'held by order', blocked: 'no room behind', idle: 'nothing to do', queued: 'in the queue', ...(seconds >= 2 ? { seconds: 'second by second' } : {}) },
    rows: [start, ...steps, last, ...(isAlone && finals.length > 1 ? finals : [])].map((stage) => stageRow(stage, elapsed)),
  });
  // The stage whose lanes are kept from work least by its neighbours is the one they all wait for.
  const limit = [...steps, last].map((stage) => ({ stage, share: (stage.busy + stage.held) / (stage.width * elapsed) })).sort((a, b) => b.share - a.share)[0];
  const taken = (limit.share * 100).toFixed(0);
  const name = labelOf(limit.stage.name, limit.stage.name);
  console.log(say`  ${last.count} items in ${(elapsed / 1000).toFixed(2)} s.`);
  console.log(limit.share > 0.7 ? say`  ${name} limits: its lanes are taken ${taken} % of the time, and all others run at its pace.`
    : say`  No stage limits: even the lanes of ${name} are taken no more than ${taken} % of the time. What limits is how items get from one stage to the next.`);
  if (isAlone && followed.length > 0) {
    tellTable({
      table: 'item', subject: `#${follow}`, title: 'an item on its way', columns: { stage: 'stage', what: 'what', at: 'ms after it was made' },
      rows: followed.map(([stage, what, at]) => [stage, what, at.toFixed(1)]),
    });
  } else if (followed.length > 0) {
    console.log(say`  item ${follow}: ${followed.map(([stage, what, at]) => `${labelOf(stage, stage)} ${labelOf(what, what)} ${at.toFixed(1)} ms`).join(', ')}`);
  }

  table.push([variant, whole(rate(start, elapsed)), whole(rate(together(steps.slice(-1)), elapsed)), lane.toFixed(0), topic ? (lane / topic).toFixed(2) : '–',
    ...(isDocumented ? [whole(documentedStart), whole(documentedSteps), whole(documentedLane), (documentedLane / 144).toFixed(2)] : [])]);
  rows.push({ figure: `${variant}-lane`, label: `${variant}, per final lane`, unit: '/s', measured: lane, documented: isDocumented ? documentedLane : undefined, expected: mostPerLane(), atMost: true });
  if (topic && variant !== 'Topic') rows.push({ figure: `${variant}-ratio`, label: `${variant} over Topic`, unit: '×', measured: lane / topic, documented: isDocumented ? documentedLane / 144 : undefined });
}

tellTable({
  table: 'variants', title: 'items per second, as the document has them',
  columns: { variant: 'variant', start: 'start', steps: 'steps 1 and 2', lane: 'a final lane', ratio: '× Topic', ...(isDocumented ? { documentedStart: 'document: start', documentedSteps: 'steps 1 and 2', documentedLane: 'a final lane', documentedRatio: '× Topic' } : {}) },
  rows: table,
});

/** Several stages as one. */
function together(stages) {
  const sum = (of) => stages.reduce((total, stage) => total + of(stage), 0);
  return {
    name: stages.length > 1 ? 'final, all' : stages[0].name, width: sum(({ width }) => width), count: sum(({ count }) => count), busy: sum(({ busy }) => busy), held: sum(({ held }) => held),
    blocked: sum(({ blocked }) => blocked), queued: stages.flatMap(({ queued }) => queued), perSecond: stages[0].perSecond.map((_, i) => sum(({ perSecond }) => perSecond[i] ?? 0)),
  };
}

/** What the lanes of a stage spent their time with, in per cent of it. */
function stageRow({ name, width, busy, held, blocked, count, queued, perSecond }, elapsed) {
  const share = (ms) => `${(ms / (width * elapsed) * 100).toFixed(0)} %`;
  const waiting = queued.length ? `${(queued.reduce((sum, length) => sum + length, 0) / queued.length).toFixed(0)}/${queue}` : '–';
  const times = name === 'start' ? ['–', '–', share(blocked), '–'] : [share(busy), share(held), share(blocked), share(Math.max(0, width * elapsed - busy - held - blocked))];
  return [name, rate({ count }, elapsed).toFixed(0), ...times, waiting, ...(seconds >= 2 ? [perSecond.join(' ')] : [])];
}

/** Items per second and final lane that theory allows: no stage does more than its lanes can. Node's timers take 1 ms at the least, and whole ones. */
function mostPerLane() {
  const mean = (upTo) => {
    const most = upTo * scale;
    let sum = 0;
    for (let i = 0; i < 1000; i++) sum += Math.max(1, Math.trunc((i + 0.5) / 1000 * most));
    return sum / 1000;
  };
  return Math.min(1000 / every, lanes1 / mean(step1) * 1000 * scale, lanes2 / mean(step2) * 1000 * scale, lanes / mean(final) * 1000 * scale) / lanes;
}

tellFigures(parameters, rows, 'the document ran real threads, which wait for fractions of a millisecond, and does not say how many of them its steps had or what its '
  + 'queues held. One thread of Node does all of this, and its timers take whole milliseconds: so compare the ratios, not the rates. NonFanOut loses nothing here, '
  + 'for one queue that all final lanes take from costs one thread nothing; the document\'s threads had to fight for it. Watched by Async Lanes each promise costs more, '
  + 'and a topic makes some thirty for each item: for the ratios, run this script with node alone.');
