import { expect, test } from 'vitest';
import { inspect } from 'node:util';
import { ErrorWords, wordsIn, wordsOf } from '../../../src/agent/promises/error-words';

class TooSlow extends Error {}
class Named extends Error { override readonly name = 'NamedError'; }

test.each([
  [new Error('no connection'), 'Error: no connection'],
  [new TypeError('x is not a function'), 'TypeError: x is not a function'],
  [new TooSlow('gave up'), 'TooSlow: gave up'],
  [new Named('gave up'), 'NamedError: gave up'],
  [new Error(), 'Error'],
  [new DOMException('This operation was aborted', 'AbortError'), 'AbortError: This operation was aborted'],
  [AbortSignal.abort().reason, 'AbortError: This operation was aborted'],
  ['just a word', 'just a word'], [404, '404'], [10n, '10'],
  [{ message: 'no error at all' }, 'no error at all'], [{}, ''], [undefined, ''], [null, ''], [Symbol('x'), ''], [() => 1, ''],
])('%s', (reason, words) => { expect(wordsOf(reason)).toBe(words); });

test('code of the program’s never runs for it', () => {
  const never = (): never => { throw new Error('ran'); };
  const evil = Object.defineProperties(new Error('real'), { message: { get: never }, name: { get: never }, toString: { value: never } });
  expect(wordsOf(evil)).not.toContain('ran');
  expect(wordsOf(new Proxy(new Error('real'), { get: never, getOwnPropertyDescriptor: never, getPrototypeOf: never }))).toBe('');
  expect(wordsOf(Object.create(DOMException.prototype, { message: { value: 'x' } }))).toBe('x');
  expect(wordsOf({ message: { toString: never } })).toBe('');
});

test.each([
  [new Error('no connection'), 'Error: no connection'], [new TooSlow('gave up'), 'Error: gave up'],
  [new DOMException('This operation was aborted', 'AbortError'), 'AbortError: This operation was aborted'], [new Error(), 'Error'],
  [Object.assign(new RangeError('with more'), { code: 7 }), 'RangeError'], [{ message: 'no error' }, ''], ['a word', ''], [null, ''],
])('%s, as it is described where no reaction can be put on it any more', (reason, words) => {
  const rejected = Promise.reject(reason);
  rejected.catch(() => undefined);
  const described = /<rejected>\s+([^]*)/u.exec(inspect(rejected, { depth: 0, customInspect: false, breakLength: Infinity, maxStringLength: 0, maxArrayLength: 0 }))?.[1] ?? '';
  expect(wordsIn(described.slice(0, 300))).toBe(words);
});

test('a long text is cut', () => {
  expect(wordsOf(new Error('x'.repeat(1e6)))).toHaveLength(200);
  expect(wordsOf('x'.repeat(1e6))).toHaveLength(200);
});

test('each text is told once, and no more than some thousands of them', () => {
  const told: string[] = [];
  const words = new ErrorWords((text) => told.push(text));
  expect([words.idOf('a'), words.idOf('b'), words.idOf('a'), words.idOf('')]).toEqual([1, 2, 1, 0]);
  expect(told).toEqual(['a', 'b']);
  for (let i = 0; i < 10_000; i++) words.idOf(`item ${i}`);
  expect(told).toHaveLength(4096);
  expect(words.idOf('b')).toBe(2);
});
