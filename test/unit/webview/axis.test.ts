import { describe, expect, it } from 'vitest';
import { ticksOf } from '../../../webview/diagram/ticks';
import { rangeOf } from '../../../webview/diagram/time-range';
import { RangeEase } from '../../../webview/diagram/range-ease';
import { Viewport } from '../../../webview/diagram/viewport';
import { makeGroup } from './group';

describe('the range of the axis', () => {
  const groups = [makeGroup({ id: 1, start: 40, makespanMs: 16_600 }), makeGroup({ id: 2, start: 17_000, makespanMs: 14_300 })];

  it('holds the longest group when each starts at its own zero', () => {
    const range = rangeOf(groups, 'same', 31_300, false);
    expect(range.start).toBe(0);
    expect(range.end).toBeGreaterThan(16_600);
    expect(range.end).toBeLessThan(17_100);
  });

  it('reaches from the first start to the last end by the wall clock', () => {
    const range = rangeOf(groups, 'wall', 31_300, false);
    expect(range.start).toBe(40);
    expect(range.end).toBeGreaterThan(31_300);
  });

  it('stands still at a round time ahead while the run grows', () => {
    const open = [makeGroup({ start: 0, end: undefined })];
    const ends = [4000, 4200, 4500].map((now) => rangeOf(open, 'same', now, true).end);
    expect(new Set(ends)).toEqual(new Set([5000]));
    expect(rangeOf(open, 'same', 4900, true).end).toBe(6000);
  });

  it('leaves no room behind a group that has ended for one that is still far from there', () => {
    const first = makeGroup({ id: 1, start: 0, makespanMs: 6000 });
    const second = makeGroup({ id: 2, start: 7000, end: undefined });
    expect(rangeOf([first, second], 'same', 8000, true).end).toBeCloseTo(6120);
    expect(rangeOf([first, second], 'same', 13_000, true).end).toBe(8000);
  });

  it('is never empty', () => {
    expect(rangeOf([], 'wall', 0, false)).toEqual({ start: 0, end: 1 });
    const moment = rangeOf([makeGroup({ makespanMs: 0 })], 'same', 0, false);
    expect(moment.end).toBeGreaterThan(moment.start);
  });

  it('glides to a new end, and is there at once where motion is not wanted', () => {
    const ease = new RangeEase();
    expect(ease.step({ start: 0, end: 100 }, 0, false)).toEqual({ start: 0, end: 100 });
    const half = ease.step({ start: 0, end: 200 }, 50, false);
    expect(half.end).toBeGreaterThan(100);
    expect(half.end).toBeLessThan(200);
    for (let at = 100; at < 3000; at += 50) ease.step({ start: 0, end: 200 }, at, false);
    expect(ease.isAt({ start: 0, end: 200 })).toBe(true);
    expect(ease.step({ start: 0, end: 300 }, 3000, true)).toEqual({ start: 0, end: 300 });
  });
});

describe('the viewport', () => {
  const make = (): Viewport => {
    const viewport = new Viewport();
    viewport.resize(44, 1044);
    viewport.setRange({ start: 0, end: 10_000 });
    return viewport;
  };

  it('shows all there is from edge to edge', () => {
    const viewport = make();
    expect([viewport.x(0), viewport.x(10_000)]).toEqual([44, 1044]);
    expect(viewport.time(544)).toBe(5000);
  });

  it('follows as the range grows while all is shown, and stays where the reader zoomed to', () => {
    const viewport = make();
    viewport.setRange({ start: 0, end: 20_000 });
    expect(viewport.x(20_000)).toBe(1044);
    viewport.isFitted = false;
    viewport.show(4000, 6000);
    viewport.setRange({ start: 0, end: 50_000 });
    viewport.resize(44, 544);
    expect(viewport.start).toBeCloseTo(4000);
    expect(viewport.end).toBeCloseTo(6000);
    viewport.fit();
    expect(viewport.end).toBeCloseTo(50_000);
  });

  it('goes neither beyond the range nor below a microsecond', () => {
    const viewport = make();
    viewport.isFitted = false;
    viewport.show(9000, 12_000);
    expect(viewport.end).toBeCloseTo(10_000);
    viewport.place(viewport.scale, 1e9);
    expect(viewport.start).toBeCloseTo(0);
    viewport.show(5, 5);
    expect(viewport.end - viewport.start).toBeCloseTo(0.001);
    viewport.place(viewport.scaleExtent[0], 44);
    expect(viewport.isFitted).toBe(true);
  });
});

describe('ticks', () => {
  it('are round in seconds, and in minutes and hours where seconds would be many', () => {
    expect(ticksOf(0, 16_900, 10).times).toEqual([0, 2000, 4000, 6000, 8000, 10_000, 12_000, 14_000, 16_000]);
    expect(ticksOf(0, 2_500_000, 9).times.map(ticksOf(0, 2_500_000, 9).write).slice(0, 3)).toEqual(['0 min', '5 min', '10 min']);
    expect(ticksOf(0, 40_000_000, 8).times.map((ms) => ms % 3_600_000)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('are few however long the run', () => {
    for (const end of [1, 1e3, 1e5, 1e7, 1e9, 1e12]) {
      const { times } = ticksOf(0, end, 10);
      expect(times.length).toBeGreaterThan(2);
      expect(times.length).toBeLessThan(25);
    }
  });
});
