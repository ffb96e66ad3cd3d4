import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../../media/webview.css', import.meta.url), 'utf8');

/** Custom properties of the rule with that selector. */
function rule(selector: string): Map<string, string> {
  const body = css.split(`\n${selector} {`)[1]?.split('\n}')[0] ?? '';
  return new Map([...body.matchAll(/--lanes-([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
}

const themes = [
  { name: 'light', background: '#ffffff', colors: rule('body') },
  { name: 'dark', background: '#1f1f1f', colors: new Map([...rule('body'), ...rule('body.vscode-dark')]) },
  { name: 'high contrast', background: '#000000', colors: new Map([...rule('body'), ...rule('body.vscode-high-contrast')]) },
  { name: 'high contrast light', background: '#ffffff', colors: new Map([...rule('body'), ...rule('body.vscode-high-contrast'), ...rule('body.vscode-high-contrast-light')]) },
];

type Rgb = readonly [number, number, number];
const linear = (hex: string): Rgb => [1, 3, 5].map((at) => {
  const value = parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}) as unknown as Rgb;
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a: Rgb, b: Rgb): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
/** Linear RGB as seen without long, middle or short cones (Viénot 1999; Brettel 1997 for the last, simplified). */
const SIGHT: Readonly<Record<string, (rgb: Rgb) => Rgb>> = {
  full: (rgb) => rgb,
  protanope: ([r, g, b]) => [0.1124 * r + 0.8876 * g, 0.1124 * r + 0.8876 * g, 0.0040 * r - 0.0040 * g + b],
  deuteranope: ([r, g, b]) => [0.2927 * r + 0.7073 * g, 0.2927 * r + 0.7073 * g, -0.0223 * r + 0.0223 * g + b],
  tritanope: ([r, g, b]) => [r + 0.1274 * g - 0.1274 * b, 0.8739 * g + 0.1261 * b, 0.8739 * g + 0.1261 * b],
};
/** Distance in CIE Lab. */
function distance(a: Rgb, b: Rgb): number {
  const lab = ([r, g, bl]: Rgb): number[] => {
    const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    const [x, y, z] = [(0.4124 * r + 0.3576 * g + 0.1805 * bl) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * bl, (0.0193 * r + 0.1192 * g + 0.9505 * bl) / 1.089].map(f);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const [p, q] = [lab(a), lab(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

describe.each(themes)('the palette in $name', ({ name, background, colors }) => {
  const color = (key: string): Rgb => linear(colors.get(key) ?? 'missing');
  const LOOKS = ['fulfilled', 'rejected', 'aborted', 'timedOut', 'pending', 'unsettled', 'ignored'];

  it.each(LOOKS)('numerals can be read on %s bars', (look) => { expect(contrast(color(`${look}-text`), color(look))).toBeGreaterThanOrEqual(4.5); });

  it.each(LOOKS)('%s bars, by fill or outline, stand out from the background', (look) => {
    const best = Math.max(contrast(color(look), linear(background)), contrast(color(`${look}-line`), linear(background)));
    expect(best).toBeGreaterThanOrEqual(3);
  });

  it.each(['longest', 'winner', 'saved', 'frame', 'blocked', 'gc', 'unwatched'])('%s marks stand out from the background', (mark) => { expect(contrast(color(mark), linear(background))).toBeGreaterThanOrEqual(3); });

  it.each(Object.keys(SIGHT))('bands of a blocked loop and of garbage collection are told apart with %s sight', (sight) => {
    expect(distance(SIGHT[sight](color('blocked')), SIGHT[sight](color('gc')))).toBeGreaterThan(20);
  });

  it.each(Object.keys(SIGHT))('fulfilled, rejected, cut short and pending are told apart with %s sight', (sight) => {
    const seen = SIGHT[sight];
    const key = name.startsWith('high') ? '-line' : '';
    const pairs = [['fulfilled', 'rejected'], ['fulfilled', 'pending'], ['rejected', 'pending'], ['fulfilled', 'aborted'], ['fulfilled', 'timedOut']];
    for (const [a, b] of pairs) {
      // In high contrast light, fulfilled and pending share a colour: solid and dashed outlines tell them apart.
      if (name === 'high contrast light' && a === 'fulfilled' && b === 'pending') continue;
      expect(distance(seen(color(a + key)), seen(color(b + key))), `${a} and ${b}`).toBeGreaterThan(20);
    }
  });
});
