import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { labelsKo } from '../../../media/demos/lib/ko.mjs';
import { problemOf } from '../../../media/demos/lib/parameters.mjs';
import { describeDemos } from '../../../scripts/demos.mjs';
import type { Lesson } from '../../../src/model/protocol';
import { parseDemoRun } from '../../../src/session/demo-run';
import { loadDemos } from '../../../src/session/demos';
import { lessonsEn } from '../../../webview/lesson/en';
import { lessonsKo } from '../../../webview/lesson/ko';
import { parseLesson } from '../../../webview/lesson/parse';
import { STEPS } from '../../../webview/lesson/steps';

const dist = mkdtempSync(join(tmpdir(), 'async-lanes-lessons-'));
afterAll(() => { rmSync(dist, { recursive: true, force: true }); });
describeDemos(dist);
const demos = loadDemos(dist);

describe.each(demos.map((demo) => [demo.name, demo] as const))('the lesson of %s', (name, { parameters }) => {
  const steps = STEPS[name];

  it('has words for each of its steps in both languages, and no others', () => {
    for (const lessons of [lessonsEn, lessonsKo]) expect(Object.keys(lessons[name].steps)).toEqual(steps.map(({ step }) => step));
  });

  it('names its parameters in Korean, and why figures differ', () => {
    for (const parameter of [...Object.keys(parameters), 'why']) expect(labelsKo[`${name}.${parameter}`], parameter).toMatch(/[가-힣]/);
  });

  it('sets in its steps only what the demo takes', () => {
    const own = Object.fromEntries(Object.entries(parameters).map(([parameter, { is }]) => [parameter, is]));
    for (const { set = {} } of steps) {
      for (const [parameter, value] of Object.entries(set)) expect(problemOf(parameters, parameter, String(value), { ...own, ...set }), parameter).toBeUndefined();
    }
  });
});

describe('figures that a demo has left', () => {
  const row = { figure: 'rails', label: 'rails', unit: 's', measured: 26 };
  it('are taken as they are', () => {
    expect(parseDemoRun({ values: { size: 5 }, rows: [{ ...row, documented: '24–27', atLeast: true }], why: 'x' }))
      .toEqual({ values: { size: 5 }, rows: [{ ...row, documented: '24–27', expected: undefined, atLeast: true, atMost: false }], why: 'x', tables: [] });
  });
  it.each([[null], [[]], [{ rows: [] }], ['figures'], [{ values: {}, rows: 'many' }]])('are none in %j', (value) => { expect(parseDemoRun(value)).toBeUndefined(); });
  it('leave out what is no figure', () => {
    expect(parseDemoRun({ values: { a: {}, b: 1 }, rows: [row, { ...row, measured: 'much' }, null, 3] })).toMatchObject({ values: { b: 1 }, rows: [row] });
  });
});

describe('tables that a demo has left', () => {
  const run = (tables: unknown) => parseDemoRun({ values: {}, rows: [], why: '', tables })?.tables;
  it('have as many cells in each row as columns', () => {
    const table = { table: 'stages', subject: 'Topic', title: 'stage by stage', columns: [{ column: 'a', label: 'A' }, { column: 'b', label: 'B' }] };
    expect(run([{ ...table, rows: [['1', '2'], ['3'], 4, ['5', 6, '7']] }])).toEqual([{ ...table, rows: [['1', '2'], ['3', ''], ['', ''], ['5', '']] }]);
  });
  it.each([[undefined], ['many'], [[null, 3, { rows: [] }]]])('are none in %j', (tables) => { expect(run(tables)).toEqual([]); });
});

describe('a lesson from a host', () => {
  it('keeps what makes sense of it', () => {
    const demo = { name: 'x', about: 'y', parameters: { good: { is: 1, from: 0, to: 9, about: 'z' }, word: { is: 'a', of: ['a', 'b'], about: '' } } };
    const message = { type: 'lesson', locale: 'ko', demo: { ...demo, parameters: { ...demo.parameters, bad: { is: 'x' }, worse: null } }, values: { good: 2, odd: [] }, runs: [{ rows: [{ measured: 1 }] }, 7], isRunning: 'yes' };
    const parsed = parseLesson(message as unknown as Lesson);
    expect(parsed).toMatchObject({ locale: 'ko', isRunning: false, values: { good: 2 }, demo: { name: 'x' } });
    expect(Object.keys(parsed.demo.parameters)).toEqual(['good', 'word']);
    expect(parsed.runs).toEqual([{ values: {}, rows: [], why: '', tables: [] }, { values: {}, rows: [], why: '', tables: [] }]);
  });
  it('without a demo is refused', () => { expect(() => parseLesson({ type: 'lesson' } as unknown as Lesson)).toThrow('a lesson without a demo'); });
});
