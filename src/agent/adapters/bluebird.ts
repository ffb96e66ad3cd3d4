/** bluebird: `map`, `filter`, `each` and `mapSeries`, of the class and of a promise, and the combinators; coroutines, for where a task's code is. */
import { BluebirdCombinators, type Follower } from './bluebird-combinators';
import { limitIn, withTasks, type MapperShape } from './mapper';
import type { AdapterSink } from './sink';
import { around, asGroup, isFn, isObject, replace, type EndOf } from './wrap';

const { apply } = Reflect;

/** A promise of the library's, once cancelling is switched on: how many wait for it, and for which it does. */
interface Cancellable { _branchesRemainingToCancel?: unknown; _cancellationParent?: unknown }

export function adaptBluebird(sink: AdapterSink, Bluebird: unknown): unknown {
  if (!isFn(Bluebird) || !isObject(Bluebird.prototype)) return Bluebird;
  const follower: Follower = {
    // The library waits for it too, so nothing goes unhandled or handled that was not.
    follow(promise, task) {
      const { _branchesRemainingToCancel: waiting } = promise as Cancellable;
      const behind = apply(thenOf, promise, [() => { task.end(false); }, () => { task.end(true); }]) as Cancellable;
      if ((promise as Cancellable)._branchesRemainingToCancel === waiting) return;
      // Where promises can be cancelled, they count who waits for them: we do not.
      (promise as Cancellable)._branchesRemainingToCancel = waiting;
      behind._cancellationParent = undefined;
    },
  };
  const endOf: EndOf = (result, task) => {
    if (!(result instanceof Bluebird) || !isFn((result as { then?: unknown }).then)) return undefined;
    follower.follow(result, task);
    return { result };
  };
  const thenOf = (Bluebird.prototype as { then: (...args: unknown[]) => unknown }).then;
  const concurrent = (fn: number): MapperShape => ({ fn, limit: limitIn(fn + 1, 'concurrency', Infinity), endOf });
  const sequential = (fn: number): MapperShape => ({ fn, limit: () => 1, kind: 'sequential', endOf });
  for (const [holder, fn] of [[Bluebird, 1], [Bluebird.prototype, 0]] as const) {
    for (const name of ['map', 'filter']) replace(holder, name, (value) => asGroup(sink, value, (args) => withTasks(sink, 'bluebird', concurrent(fn), args)));
    for (const name of ['each', 'mapSeries']) replace(holder, name, (value) => asGroup(sink, value, (args) => withTasks(sink, 'bluebird', sequential(fn), args)));
  }
  new BluebirdCombinators(sink, Bluebird, follower).adapt();
  replace(Bluebird, 'coroutine', (coroutine) => around(coroutine, (target, self, args) => {
    const made: unknown = apply(target, self, args);
    const [generator] = args;
    return isFn(made) && isFn(generator) ? around(made, (run, on, given) => {
      sink.inner(generator);
      return apply(run, on, given);
    }) : made;
  }));
  return Bluebird;
}
