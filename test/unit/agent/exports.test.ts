import { describe, expect, test } from 'vitest';
import { extendModule } from '../../../src/agent/adapters/esm-hook';
import { adaptExports } from '../../../src/agent/adapters/exports';
import type { AdaptValue } from '../../../src/agent/adapters/libraries';
import type { AdapterSink } from '../../../src/agent/adapters/sink';

/** None of the adapters here tells it anything. */
const sink = {} as AdapterSink;
const doubled: AdaptValue = (_, value) => (...args: unknown[]) => [value(...args), value(...args)];
const one = (): number => 1;
const call = (value: unknown): unknown => (value as () => unknown)();
const adapt = (exports: unknown, names: Record<string, AdaptValue>): unknown => adaptExports(sink, { path: 'some/index.js', exports: names }, exports);

describe('what a known file exports', () => {
  test('is put in the place of what was there', () => {
    const exports = { work: () => 1, other: one };
    expect(adapt(exports, { work: doubled })).toBe(exports);
    expect(call(exports.work)).toEqual([1, 1]);
    expect(exports.other).toBe(one);
  });

  test('is one function, and its own `default`', () => {
    const exports = Object.assign(() => 1, { default: undefined as unknown });
    exports.default = exports;
    const adapted = adapt(exports, { default: doubled });
    expect(call(adapted)).toEqual([1, 1]);
    expect(exports.default).toBe(adapted);
  });

  test('may be fixed, as getters of a bundle are', () => {
    const work = (): number => 1;
    const exports = Object.defineProperty({ other: one }, 'work', { enumerable: true, get: () => work }) as { work: unknown; other: unknown };
    const adapted = adapt(exports, { work: doubled }) as typeof exports;
    expect(call(adapted.work)).toEqual([1, 1]);
    expect(exports.work).toBe(work);
    expect(adapted.other).toBe(one);
    expect(Object.keys(adapted)).toEqual(['other', 'work']);
  });

  test('is adapted once, however often it is asked for', () => {
    const exports = { work: () => 1 };
    adapt(exports, { work: doubled });
    adapt(exports, { work: doubled });
    expect(call(exports.work)).toEqual([1, 1]);
  });

  test('is left alone where it is no function, or not there', () => {
    const exports = { work: 1 };
    expect(adapt(exports, { work: doubled, more: doubled })).toBe(exports);
    expect(exports).toEqual({ work: 1 });
    expect(adapt(undefined, { default: doubled })).toBeUndefined();
  });
});

describe('a known ES module', () => {
  const known = [{ path: 'some/index.js', names: ['default'], scope: [] }];
  const extended = (source: string): string | undefined => extendModule('file:///a/node_modules/some/index.js', source, known, '/agent.cjs');

  test.each([
    ['class Queue {}\nexport default Queue;\n', 'Queue = adapt('],
    ['export default class Queue {}\n', 'Queue = adapt('],
    ['export default async function map() {}\n', 'map = adapt('],
    ['const limit = () => {};\nexport default limit;\n', 'limit = adapt('],
  ])('gets a line for %s', (source, line) => {
    const text = extended(source);
    expect(text).toContain(line);
    expect(text?.split('\n').slice(0, -2)).toHaveLength(source.split('\n').length);
  });

  test.each(['export default () => 1;\n', 'export default class extends Base {}\n', 'export { queue as default };\n'])('stays as it is with %s', (source) => { expect(extended(source)).toBeUndefined(); });
});
