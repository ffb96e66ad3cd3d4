import { describe, expect, it } from 'vitest';
import { barTop, geometryFor, labelStep, laneAt, rowTop } from '../../../webview/diagram/geometry';

describe('the rows of a diagram', () => {
  it('stand with lane 1 at the bottom', () => {
    const geometry = geometryFor(5, 1000, 0);
    expect(rowTop(geometry, 1)).toBeGreaterThan(rowTop(geometry, 5));
    expect(rowTop(geometry, 5)).toBe(geometry.rowsTop);
    for (const lane of [1, 3, 5]) expect(laneAt(geometry, barTop(geometry, lane) + 1)).toBe(lane);
    expect([laneAt(geometry, geometry.rowsTop - 1), laneAt(geometry, geometry.frameBottom)]).toEqual([0, 0]);
  });

  it('get thinner to fit, never thinner than can be told apart', () => {
    const heights = [1, 5, 50, 400, 5000].map((lanes) => geometryFor(lanes, 400, 1).rowHeight);
    expect(heights).toEqual([30, 30, 5, 3, 1]);
    expect(geometryFor(50, 400, 1).height).toBeLessThanOrEqual(400);
    // In a panel too low for them, few lanes scroll rather than shrink.
    expect([5, 10, 50].map((lanes) => geometryFor(lanes, 100, 1).rowHeight)).toEqual([14, 14, 3]);
  });

  it('have a gap between bars wherever there is a pixel for it', () => {
    for (const lanes of [1, 20, 50, 400]) {
      const { rowHeight, barHeight } = geometryFor(lanes, 400, 0);
      expect(barHeight).toBeGreaterThan(0);
      expect(barHeight).toBeLessThan(rowHeight);
      expect(Number.isInteger(barTop(geometryFor(lanes, 400, 0), 1))).toBe(true);
    }
  });

  it('are numbered so that no two numbers touch', () => {
    expect([30, 13, 6, 5, 3, 1].map(labelStep)).toEqual([1, 1, 5, 5, 5, 20]);
  });
});
