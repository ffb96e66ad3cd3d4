import { expect, test } from 'vitest';
import { Grouping } from '../../../src/grouping/grouping';
import { Fact, RootKind } from '../../../src/model/facts';
import { Timeline } from '../../../src/timeline/timeline';
import { FactStream } from './fact-stream';

/** Number of V8's own frame, and of the stack below it. */
const RESOLVE = 1000;

/**
 * `Promise.all([1, 2].map(() => Promise.resolve().then(next)))`, where `next` gives `load().then(next)`.
 * @param lateness milliseconds between the making of `Promise.resolve()` and its being told settled
 */
function rails(lateness: number): FactStream {
  const facts = new FactStream();
  const at = facts.stack(9, 1, 0);
  facts.record(Fact.frame, 1, RESOLVE, 0, facts.string('resolve'), 0, 0, 0);
  facts.record(Fact.stack, 0, RESOLVE, at, RESOLVE, 0, 0, 0);
  const load = facts.stack(3, 3, facts.stack(6, 5, 0, '/work/a.mjs', 'next'), '/work/a.mjs', 'load');
  const derive = (id: number, from: number): void => { facts.record(Fact.derived, 0, id, from, 0, 0, 0, 0); };
  for (const id of [1, 3]) {
    facts.call(id, RESOLVE, 0, 1, id, RootKind.other);
    facts.settled(id, id + lateness, 0, 1);
    derive(id + 1, id);
  }
  facts.all(5, at, 0, 1, 20, [2, 4]);
  // Each turn is a call of `load`, made in a reaction to the link before, which is resolved with the chain that begins with it.
  let id = 6;
  let tick = 2;
  const turn = (link: number, time: number): { call: number; link: number } => {
    const call = id;
    facts.record(Fact.root, RootKind.other, call, load, 0, time, tick++, link);
    facts.record(Fact.consumed, 0, call, 0, call + 1, 0, 0, 0);
    derive(call + 1, call);
    facts.record(Fact.adopted, 0, link, call + 1, 0, 0, 0, 0);
    id += 2;
    return { call, link: call + 1 };
  };
  const lanes = [turn(2, 21), turn(4, 22)];
  for (let time = 40; time < 100; time += 10) {
    const lane = (time / 10) % 2;
    facts.settled(lanes[lane].call, time, 0, tick++);
    if (time < 80) lanes[lane] = turn(lanes[lane].link, time);
  }
  return facts;
}

test.for([0, 5])('rails that begin with what is settled at once are a pool, be the agent %i ms late to say so', (lateness) => {
  const timeline = new Timeline();
  const grouping = new Grouping(timeline);
  grouping.openThread().push(rails(lateness).bytes);
  grouping.update();
  expect(timeline.groupIds().map((group) => timeline.group(group, 1000))).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, taskSite: { function: 'load' } }]);
});
