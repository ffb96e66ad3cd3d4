import { describe, expect, it } from 'vitest';
import { changesOf, isUsual, matchGroups, spreadOf, type Measure, type Recognizable } from '../../../src/analysis/compare';
import type { GroupFigures } from '../../../src/model/comparison';

const site = (line: number, name = 'main', file = '/w/a.mjs') => ({ file, line, column: 3, function: name });
const pairs = (first: readonly Recognizable[], second: readonly Recognizable[]) =>
  matchGroups(first, second).map((match) => [match.first ? first.indexOf(match.first) : undefined, match.second ? second.indexOf(match.second) : undefined, match.by]);

const figures = (change: Partial<GroupFigures> = {}): GroupFigures => ({
  group: 1, kind: 'pool', tasks: 10, lanes: 5, makespanMs: 1000, idleMs: 500, utilization: 0.9, medianMs: 40, p95Ms: 90, rejected: 0, pending: 0, ...change,
});
const changeOf = (measure: Measure, first: Partial<GroupFigures>, second: Partial<GroupFigures>) => changesOf(figures(first), figures(second)).find((change) => change.measure === measure);

describe('groups of two runs are matched', () => {
  it('by their place, the k-th at a place with the k-th', () => {
    const groups: Recognizable[] = [{ kind: 'chunk', site: site(20) }, { kind: 'pool', site: site(30) }, { kind: 'chunk', site: site(20) }];
    expect(pairs(groups, [groups[1], groups[0], { ...groups[2] }])).toEqual([[0, 1, 'place'], [1, 0, 'place'], [2, 2, 'place']]);
  });

  it('by their functions where the lines have moved, also where a chunk loop has become a pool', () => {
    const task = site(7, 'fetchUser');
    const before: Recognizable[] = [{ kind: 'chunk', site: site(20), taskSite: task }, { kind: 'sequential', site: site(40), taskSite: site(9, 'save') }];
    const after: Recognizable[] = [{ kind: 'pool', site: site(24), taskSite: site(8, 'fetchUser') }, { kind: 'sequential', site: site(44), taskSite: site(10, 'save') }];
    expect(pairs(before, after)).toEqual([[0, 0, 'function'], [1, 1, 'function']]);
  });

  it('by their kind only where each is the last one left', () => {
    const other = '/w/b.mjs';
    expect(pairs([{ kind: 'chunk', site: site(20) }], [{ kind: 'chunk', site: site(9, 'run', other) }])).toEqual([[0, 0, 'kind']]);
    expect(pairs([{ kind: 'chunk', site: site(20) }, { kind: 'chunk', site: site(30) }], [{ kind: 'chunk', site: site(9, 'run', other) }])).toEqual([[0, undefined, undefined], [1, undefined, undefined], [undefined, 0, undefined]]);
  });

  it('with nothing where the other run ran it less often', () => {
    const group: Recognizable = { kind: 'all', site: site(5) };
    expect(pairs([{ ...group }, { ...group }], [{ ...group }])).toEqual([[0, 0, 'place'], [1, undefined, undefined]]);
  });
});

describe('what differs', () => {
  it('is told in the measure and by the first run', () => {
    expect(changeOf('makespan', { makespanMs: 2000 }, { makespanMs: 1500 })).toEqual({ measure: 'makespan', first: 2000, second: 1500, difference: -500, share: -0.25, verdict: 'better' });
    expect(changeOf('utilization', { utilization: 0.9 }, { utilization: 0.6 })).toMatchObject({ verdict: 'worse' });
    expect(changeOf('rejected', {}, { rejected: 1 })).toMatchObject({ difference: 1, share: undefined, verdict: 'worse' });
    expect(changeOf('tasks', {}, { tasks: 12 })).toMatchObject({ verdict: 'changed' });
  });

  it('is nothing below a hundredth, which clocks do not tell apart', () => {
    expect(changeOf('makespan', { makespanMs: 1000 }, { makespanMs: 1009 })?.verdict).toBe('same');
    expect(changeOf('makespan', { makespanMs: 1000 }, { makespanMs: 1011 })?.verdict).toBe('worse');
    // Of 5 lanes for a second: what is left idle of that is no more certain than all of it.
    expect(changeOf('idle', { idleMs: 100 }, { idleMs: 140 })?.verdict).toBe('same');
    expect(changeOf('idle', { idleMs: 100 }, { idleMs: 160 })?.verdict).toBe('worse');
  });

  it('has no limit and nothing pending where neither run had', () => {
    const told = (first?: GroupFigures, second?: GroupFigures) => changesOf(first, second).map(({ measure }) => measure);
    expect(told(figures(), figures())).not.toContain('limit');
    expect(told(figures({ limit: 5 }), figures())).toContain('limit');
    expect(changesOf(figures(), undefined)[0]).toMatchObject({ first: 1000, second: undefined, verdict: undefined });
  });
});

describe('the spread of repeated runs', () => {
  it('is from the least to the most', () => {
    expect(spreadOf([1, 2, 4, 9])).toEqual({ n: 4, min: 1, median: 3, max: 9, range: 8 });
    expect(spreadOf([])).toBeUndefined();
  });

  it('holds two runs for usual that lie within the others, and says nothing by less than three others', () => {
    expect(isUsual([1, 2, 3, 4, 5], 2, 4)).toBe(true);
    expect(isUsual([1, 2, 3, 4, 9], 2, 9)).toBe(false);
    expect(isUsual([1, 2, 3, 4], 2, 3)).toBeUndefined();
  });
});
