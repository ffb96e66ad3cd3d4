/** Functions that are made to wait: `throat(3, fn)`, `limitAsync(fn, 3)`, `pThrottle({ limit, interval })(fn)`. What comes back is called as `fn` was. */
import { replacedAt } from '../intrinsics';
import type { AdaptValue } from './libraries';
import { limiterOf } from './limiter';
import type { LibraryGroup, LibraryTask } from './sink';
import { around, isFn, taskFunction, type Fn } from './wrap';

const { apply } = Reflect;

/** @param make is given the function, and returns the one that waits */
export function limited(group: LibraryGroup, fn: Fn, make: (fn: unknown) => unknown): unknown {
  const { sink } = group;
  const waiting: LibraryTask[] = [];
  const task = sink.quietly(() => taskFunction(group, fn, { taskOf: () => waiting.shift() })) ?? fn;
  const made = make(task);
  if (task === fn || !isFn(made)) return made;
  return around(made, (target, self, args) => {
    const submitted = sink.quietly(() => { const one = group.task(true); waiting.push(one); return one; });
    const result = apply(target, self, args) as unknown;
    sink.quietly(() => { if (result instanceof Promise) submitted?.submittedAs(result); });
    return result;
  });
}

/** @param shape 0-based places of the function and of the limit among the arguments */
export const adaptLimited = (library: string, shape: { readonly fn: number; readonly limit: number }): AdaptValue => (sink, make) =>
  around(make, (target, self, args) => {
    const fn = args[shape.fn];
    const group = isFn(fn) ? sink.quietly(() => sink.group(library, args[shape.limit], 'pool').declare()) : undefined;
    return group && isFn(fn) ? limited(group, fn, (task) => apply(target, self, replacedAt(args, shape.fn, task))) : apply(target, self, args);
  });

/** throat takes its limit and its function in either order; without a function it makes a limiter. */
export const adaptThroat: AdaptValue = (sink, throat) => around(throat, (target, self, args) => {
  const at = args.findIndex(isFn);
  const fn = args[at];
  const group = sink.quietly(() => sink.group('throat', args.find((arg) => typeof arg === 'number'), 'pool'));
  if (group && isFn(fn)) return limited(group, fn, (task) => apply(target, self, replacedAt(args, at, task)));
  const limiter: unknown = apply(target, self, args);
  return group && isFn(limiter) ? sink.quietly(() => limiterOf(limiter, group)) ?? limiter : limiter;
});

/** p-throttle: so many begin in an interval, and any number may run. */
export const adaptThrottle: AdaptValue = (sink, pThrottle) => around(pThrottle, (target, self, args) => {
  const throttle: unknown = apply(target, self, args);
  return isFn(throttle) ? around(throttle, (wrap, on, given) => {
    const [fn] = given;
    const group = isFn(fn) ? sink.quietly(() => sink.group('p-throttle', undefined, 'pool').declare()) : undefined;
    return group && isFn(fn) ? limited(group, fn, (task) => apply(wrap, on, replacedAt(given, 0, task))) : apply(wrap, on, given);
  }) : throttle;
});
