import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics';

test('idle is what the slots of all chunks could have worked and did not', () => {
  // The document's figure: two chunks of five slots, 8.3 long each, with 25.3 and 24 of work in them.
  const metrics = metricsOf(16.6, 25.3 + 24, [{ slots: 5, durationMs: 8.3 }, { slots: 5, durationMs: 8.3 }]);
  expect(metrics.makespanMs).toBe(16.6);
  expect(metrics.busyMs).toBeCloseTo(49.3, 9);
  expect(metrics.idleMs).toBeCloseTo(83 - 49.3, 9);
  expect(metrics.utilization).toBeCloseTo(49.3 / 83, 9);
});

test('a last chunk that is not full counts with the slots it has', () => {
  expect(metricsOf(15, 22, [{ slots: 2, durationMs: 10 }, { slots: 1, durationMs: 5 }]).idleMs).toBe(3);
});

test('a group without time in it has a utilization of 0, not of NaN', () => {
  expect(metricsOf(0, 0, [])).toEqual({ makespanMs: 0, busyMs: 0, idleMs: 0, utilization: 0 });
});

test('a fully busy group is not less than 0 idle by a rounding error', () => {
  const busy = 0.1 + 0.2;
  expect(metricsOf(0.3, busy, [{ slots: 1, durationMs: 0.3 }])).toMatchObject({ idleMs: 0, utilization: 1 });
});

test('utilization is always between 0 and 1', () => {
  const time = fc.double({ min: 0, max: 1e9, noNaN: true });
  const spans = fc.array(fc.record({ slots: fc.nat(100), durationMs: time }), { maxLength: 5 });
  fc.assert(fc.property(time, time, spans, (makespan, busy, list) => {
    const { utilization, idleMs } = metricsOf(makespan, busy, list);
    expect(utilization).toBeGreaterThanOrEqual(0);
    expect(utilization).toBeLessThanOrEqual(1);
    expect(idleMs).toBeGreaterThanOrEqual(0);
  }));
});
