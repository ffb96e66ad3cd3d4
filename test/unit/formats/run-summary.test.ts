import { expect, it } from 'vitest';
import { idleShareOf, pathOf } from '../../../src/formats/place-results';
import { parseSummary, summarize } from '../../../src/formats/run-summary';
import { sampleRun } from './runs';

it('sums a run up by place, the longest first, with the figures of its groups', () => {
  const run = sampleRun();
  const summary = summarize(run);
  expect(summary).toMatchObject({ phase: 'finished', exitCode: 0, elapsedMs: 100, groups: 2, tasks: 4, rejected: 1 });
  expect(summary.places.map(({ file, line, kind, tasks, chunks, rejected, groups }) => ({ file, line, kind, tasks, chunks, rejected, groups }))).toEqual([
    { file: '/w/a.mjs', line: 30, kind: 'pool', tasks: 1, chunks: 0, rejected: 0, groups: 1 },
    { file: '/w/a.mjs', line: 20, kind: 'chunk', tasks: 3, chunks: 2, rejected: 1, groups: 1 },
  ]);
  const chunk = run.timeline.group(summary.places[1].group, run.now());
  expect(idleShareOf(summary.places[1])).toBeCloseTo(1 - (chunk?.metrics.utilization ?? 0));
});

it('takes groups that began at one line together', () => {
  const run = sampleRun();
  const again = run.timeline.addGroup({ thread: 1, kind: 'chunk', combinator: 'all', site: { file: '/w/a.mjs', line: 20, column: 24, function: 'main' } });
  run.timeline.addTask({ group: again, ordinal: 1, lane: 1, chunk: 1, queued: NaN, start: 60, end: 70, state: 1 });
  const [chunk] = summarize(run).places.filter(({ line }) => line === 20);
  expect(chunk).toMatchObject({ groups: 2, tasks: 4, chunks: 3 });
  expect(chunk.elapsedMs).toBeCloseTo(45);
});

it('reads a summary as it was written, and nothing that is none', () => {
  const summary = summarize(sampleRun());
  expect(parseSummary(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
  expect(parseSummary({ ...summary, places: [{ file: 7 }, summary.places[0]] })?.places).toEqual([summary.places[0]]);
  for (const wrong of [undefined, 7, {}, { ...summary, phase: 'running' }, { ...summary, tasks: -1 }, { ...summary, places: 'many' }]) expect(parseSummary(wrong)).toBeUndefined();
});

it('knows which places are files', () => {
  expect(pathOf('file:///w/a%20b.mjs')).toBe('/w/a b.mjs');
  expect(pathOf('/w/a.mjs')).toBe('/w/a.mjs');
  for (const none of ['node:fs', 'template:batch.js', 'http://host/a.js', 'file://host/%']) expect(pathOf(none)).toBeUndefined();
});
