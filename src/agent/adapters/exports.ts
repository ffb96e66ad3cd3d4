/** Puts adapted values in the place of what a library's file exports. */
import { proxyOf } from '../intrinsics';
import type { AdaptValue, KnownFile } from './libraries';
import type { AdapterSink } from './sink';
import { isFn, isObject, replace, type Fn } from './wrap';

const { get } = Reflect;

/** What adapters have made: an ES module may be adapted from within, and be required after that. */
const made = new WeakSet();

/** @returns what takes an export's place @param scope other names of its module that the adapter needs */
export function adaptValue(sink: AdapterSink, adapt: AdaptValue, value: Fn, scope: Readonly<Record<string, unknown>>): unknown {
  if (made.has(value)) return value;
  const adapted = adapt(sink, value, scope);
  if (isObject(adapted)) made.add(adapted);
  return adapted;
}

/** Adapts what `require` gives of a file, be it CommonJS or an ES module. @returns what it gives from now on */
export function adaptExports(sink: AdapterSink, file: KnownFile, exports: unknown): unknown {
  if (file.whole) return isNamespace(exports) ? exports : file.whole(sink, exports);
  if (!isObject(exports) || (file.inside && isNamespace(exports))) return exports;
  const whole = file.exports.default;
  if (whole && isFn(exports)) {
    const adapted = adaptValue(sink, whole, exports, {});
    // For those who import it as TypeScript once did.
    replace(exports, 'default', (own) => (own === exports ? adapted : own));
    return adapted;
  }
  const fixed = new Map<PropertyKey, unknown>();
  for (const [name, adapt] of Object.entries(file.exports)) {
    const value = exports[name];
    const adapted = isFn(value) ? adaptValue(sink, adapt, value, exports) : value;
    if (adapted === value) continue;
    // Bundlers make getters of them, and those of an ES module are its own.
    if (isNamespace(exports) || !replace(exports, name, () => adapted)) fixed.set(name, adapted);
  }
  return fixed.size === 0 ? exports : proxyOf(exports, { get: (target, key) => (fixed.has(key) ? fixed.get(key) : get(target, key)) as unknown });
}

/** What `require` of an ES module gives. */
const isNamespace = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Module]';
