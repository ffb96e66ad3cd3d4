/** Limiters that are functions: `const limit = pLimit(3); limit(() => work())`. However many places use one, it is one pool. */
import { proxyOf, replacedAt } from '../intrinsics';
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { around, isFn, submit, taskFunction, type Fn } from './wrap';

const { defineProperties, getOwnPropertyDescriptor, getOwnPropertyDescriptors } = Object;
const { apply, get } = Reflect;

/**
 * For a factory of limiters; the limit is its argument, or that argument's `concurrency`.
 * @param hasInnerMap the limiter's `map` puts its items through the limiter as the library knows it, not through ours
 */
export const adaptLimiter = (library: string, hasInnerMap: boolean): AdaptValue => (sink, factory) => proxyOf(factory, {
  apply(target, self, args: unknown[]) {
    const limiter = apply(target, self, args) as unknown;
    return isFn(limiter) ? sink.quietly(() => {
      const [given] = args;
      const limit = typeof given === 'object' && given !== null && 'concurrency' in given ? given.concurrency : given;
      return limiterOf(limiter, sink.group(library, limit, 'pool'), hasInnerMap);
    }) ?? limiter : limiter;
  },
});

/** A limiter that tells of what it is given: in all else it is the library's own, also in what that changes later. */
export function limiterOf(limiter: Fn, group: LibraryGroup, hasInnerMap = false): Fn {
  const call = (target: Fn, self: unknown, args: unknown[]): unknown =>
    submit(group, args[0], (task) => apply(target, self, args.length === 0 ? args : replacedAt(args, 0, task)));
  const map = getOwnPropertyDescriptor(limiter, 'map');
  const inner: unknown = map?.value;
  if (!hasInnerMap || !map || !isFn(inner)) return around(limiter, call);
  const outerMap = proxyOf(inner, {
    apply: (target, self, [items, fn, ...rest]: unknown[]) =>
      apply(target, self, [items, group.sink.quietly(() => taskFunction(group.declare(), fn)) ?? fn, ...rest]) as unknown,
  });
  if (map.writable === true || map.configurable === true) {
    return proxyOf(limiter, { apply: call, get(target, key) {
      const value: unknown = get(target, key);
      return key === 'map' && value === inner ? outerMap : value;
    } });
  }
  // A proxy has to show a fixed property as it is: here the program gets another function that has all of the limiter's, of which the
  // others are accessors or fixed as well. A method: it has no `prototype`, as the arrow function it stands for has none.
  const { outer } = { outer(this: unknown, ...args: unknown[]): unknown { return call(limiter, this, args); } };
  return proxyOf(defineProperties(outer, { ...getOwnPropertyDescriptors(limiter), map: { ...map, value: outerMap } }), {});
}
