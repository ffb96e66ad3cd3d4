/** Groups one fact file as a live run would, in pieces as the tail reads them, and prints what that took. Run with --expose-gc. */
import { readFileSync } from 'node:fs';
import { Grouping } from '../../src/grouping/grouping';
import { Fact } from '../../src/model/facts';
import { Timeline } from '../../src/timeline/timeline';
import { recordTypes } from '../support/records';

const PIECE_BYTES = 1 << 16;

const used = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Facts in a file: a record of a quick call stands for three. */
function countFacts(file: Buffer): number {
  let count = 0;
  for (const type of recordTypes(file)) count += type === Fact.quick ? 3 : 1;
  return count;
}

const bytes = readFileSync(process.argv[2]);
const before = used();
const timeline = new Timeline();
const grouping = new Grouping(timeline);
const start = performance.now();
const intake = grouping.openThread();
for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
  intake.push(bytes.subarray(at, at + PIECE_BYTES));
  grouping.update();
}
grouping.update();
const seconds = (performance.now() - start) / 1000;
const facts = countFacts(bytes);
const tasks = timeline.tasks.length;
const kept = used() - before;
// Asked after measuring, so that the timeline is still there to be measured.
const groups = timeline.groupIds().length;
console.log(JSON.stringify({ facts, tasks, groups, factsPerSecond: facts / seconds, bytesPerTask: kept / tasks }));
