/** Limiters that are functions: `const limit = pLimit(3); limit(() => work())`. However many places use one, it is one pool. */
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { isFn, submit, taskFunction, type Fn } from './wrap';

const { getOwnPropertyDescriptors, defineProperties } = Object;
const { apply } = Reflect;

/**
 * For a factory of limiters; the limit is its argument, or that argument's `concurrency`.
 * @param hasInnerMap the limiter's `map` puts its items through the limiter as the library knows it, not through ours
 */
export const adaptLimiter = (library: string, hasInnerMap: boolean): AdaptValue => (sink, factory) => new Proxy(factory, {
  apply(target, self, args: unknown[]) {
    const limiter = apply(target, self, args) as unknown;
    return isFn(limiter) ? sink.quietly(() => {
      const [given] = args;
      const limit = typeof given === 'object' && given !== null && 'concurrency' in given ? given.concurrency : given;
      return limiterOf(limiter, sink.group(library, limit, 'pool'), hasInnerMap);
    }) ?? limiter : limiter;
  },
});

/** A limiter that tells of what it is given. Its properties cannot be changed where they are, so the program gets a function that has them all. */
export function limiterOf(limiter: Fn, group: LibraryGroup, hasInnerMap = false): Fn {
  // A method: it has no `prototype`, as the arrow function it stands for has none.
  const { outer } = { outer(this: unknown, ...args: unknown[]): unknown {
    const [fn, ...rest] = args;
    return submit(group, fn, (task) => apply(limiter, this, args.length === 0 ? args : [task, ...rest]));
  } };
  const { map, ...descriptors } = getOwnPropertyDescriptors(limiter) as Record<string, PropertyDescriptor>;
  const inner: unknown = map?.value;
  if (map) {
    descriptors.map = isFn(inner) && hasInnerMap ? { ...map, value: new Proxy(inner, {
      apply: (target, self, [items, fn, ...rest]: unknown[]) =>
        apply(target, self, [items, group.sink.quietly(() => taskFunction(group.declare(), fn)) ?? fn, ...rest]) as unknown,
    }) } : map;
  }
  return defineProperties(outer, descriptors);
}
