import { describe, expect, it } from 'vitest';
import { formatMs } from '../../../webview/format';
import { ticksOf } from '../../../webview/diagram/ticks';
import { Viewport } from '../../../webview/diagram/viewport';
import { LiveEdge, liveEdgeOf } from '../../../webview/time/live-edge';
import { Playhead } from '../../../webview/time/playhead';
import { makeGroup } from './group';

const ALL = { start: 0, end: 1000 };

describe('the playhead', () => {
  it('goes on at its speed and stops at the end', () => {
    const head = new Playhead();
    head.speed = 10;
    head.play(ALL, 5000);
    head.step(5016, 1000, false);
    expect(head.at).toBe(160);
    head.step(9000, 1000, false);
    expect([head.at, head.isPlaying]).toEqual([1000, false]);
    head.play(ALL, 9000);
    expect(head.at).toBe(0);
  });

  it('goes on in steps where motion is not wanted', () => {
    const head = new Playhead();
    head.play(ALL, 0);
    const seen = new Set<number | undefined>();
    for (let now = 0; now <= 900; now += 16) {
      head.step(now, 1000, true);
      seen.add(head.at);
    }
    expect(seen.size).toBe(2);
  });
});

describe('the live edge', () => {
  const groups = [makeGroup({ id: 1, start: 0, end: undefined }), makeGroup({ id: 2, start: 50, makespanMs: 900 })];
  const zoomed = (): Viewport => {
    const viewport = new Viewport();
    viewport.resize(0, 100);
    viewport.setRange(ALL);
    viewport.isFitted = false;
    viewport.show(0, 100);
    return viewport;
  };

  it('is where the groups that still grow end', () => {
    expect(liveEdgeOf(groups, 'wall', 400)).toBe(400);
    expect(liveEdgeOf(groups.slice(1), 'wall', 400)).toBeUndefined();
  });

  it('takes a view along that looks at it, and leaves one that looks elsewhere', () => {
    const [live, viewport] = [new LiveEdge(), zoomed()];
    live.moved(viewport, 90);
    live.step(viewport, 300);
    expect([Math.round(viewport.start), Math.round(viewport.end)]).toEqual([206, 306]);
    viewport.show(0, 100);
    live.moved(viewport, 300);
    live.step(viewport, 400);
    expect(viewport.end).toBeCloseTo(100);
    live.follow(viewport, 400);
    expect([live.isFollowing, Math.round(viewport.end)]).toEqual([true, 406]);
  });
});

describe('ticks far apart from zero and close to each other', () => {
  it('leave what they share to the base', () => {
    const { times, write, base } = ticksOf(8300.0001, 8300.0009, 8);
    expect(base).toBe('8.300000 s');
    expect(times.map(write).slice(0, 3)).toEqual(['+100 ns', '+200 ns', '+300 ns']);
  });

  it('stand in one unit from nanoseconds to hours', () => {
    const written = (end: number): string => { const { times, write } = ticksOf(0, end, 4); return write(times[1]); };
    expect([4e-6, 4e-3, 4, 4000, 4 * 3_600_000].map(written)).toEqual(['1 ns', '1 µs', '1 ms', '1 s', '1 h']);
  });
});

describe('short times', () => {
  it('are written in microseconds and nanoseconds, three figures at the most', () => {
    expect([3.2e-4, 0.00523, 0.0556, 0.31, 0].map(formatMs)).toEqual(['320 ns', '5.23 µs', '55.6 µs', '0.31 ms', '0.00 ms']);
  });
});
