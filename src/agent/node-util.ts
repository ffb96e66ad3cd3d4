/** What we need of Node's `util`. An import would be bundled to a copy of all its properties, some of which make streams of the program's once they are read. */
import nodeModule from 'node:module';

export const { inspect, types: { isPromise, isProxy, isSet } } = nodeModule.createRequire(__filename)('node:util') as typeof import('node:util');

const { getPrototypeOf } = Object;
const { prototype } = Promise;

/** Whether a promise is one of a subclass of `Promise`, be that of another context's; what comes of a proxy is none, as asking it would run the program's code. */
export function isOfSubclass(promise: Promise<unknown>): boolean {
  const own: object | null = getPrototypeOf(promise) as object | null;
  if (own === prototype || own === null || isProxy(own)) return false;
  const base = getPrototypeOf(own) as object | null;
  // That of a context is right above its `Object.prototype`.
  return base !== null && !isProxy(base) && getPrototypeOf(base) !== null;
}
