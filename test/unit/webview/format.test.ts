import { describe, expect, it } from 'vitest';
import { baseName, formatChange, formatCount, formatMs, formatShare, tickFormat } from '../../../webview/format';

describe('formatMs', () => {
  it.each([
    [0, '0.00 ms'], [0.314, '0.31 ms'], [9.994, '9.99 ms'], [9.996, '10.0 ms'], [55.62, '55.6 ms'], [219.4, '219 ms'], [999.4, '999 ms'],
    [999.6, '1.00 s'], [1976.9, '1.98 s'], [9996, '10.0 s'], [26455, '26.5 s'], [119_900, '119.9 s'],
    [120_000, '2 min 00 s'], [1_250_000, '20 min 50 s'], [7_500_000, '2 h 05 min'], [-1500, '−1.50 s'], [NaN, '–'], [Infinity, '–'],
  ])('writes %d ms as %s', (ms, text) => { expect(formatMs(ms)).toBe(text); });

  it('never writes sixty seconds or sixty minutes', () => {
    for (let ms = 119_000; ms < 4e7; ms += 997) expect(formatMs(ms)).not.toMatch(/\b60 (s|min)/);
  });
});

it('writes shares and changes in whole per cent, with a minus sign and no hyphen', () => {
  expect(formatShare(0.685)).toBe('69 %');
  expect([-0.331, 0.08, 0.001, -0.004].map(formatChange)).toEqual(['−33 %', '+8 %', '±0 %', '±0 %']);
});

it('groups the digits of large counts', () => {
  expect([7, 1000, 10_000, 1_234_567].map(formatCount)).toEqual(['7', '1000', '10\u202f000', '1\u202f234\u202f567']);
});

it('writes all ticks of an axis in one unit, with the decimals their distance needs', () => {
  expect([0, 200, 400].map(tickFormat(900, 200))).toEqual(['0 ms', '200 ms', '400 ms']);
  expect([0, 200, 1000].map(tickFormat(1900, 200))).toEqual(['0.0 s', '0.2 s', '1.0 s']);
  expect([0, 5000].map(tickFormat(16_600, 5000))).toEqual(['0 s', '5 s']);
  expect([12_345].map(tickFormat(12_350, 1))).toEqual(['12.345 s']);
  expect([0, 300_000, 7_500_000].map(tickFormat(9e6, 300_000))).toEqual(['0 min', '5 min', '2 h 05 min']);
});

it('takes the file’s name off a path of either kind of system, and off a URL', () => {
  expect(['/a/b.mjs', 'C:\\a\\b.mjs', 'file:///a/b.mjs', 'b.mjs'].map(baseName)).toEqual(['b.mjs', 'b.mjs', 'b.mjs', 'b.mjs']);
});
