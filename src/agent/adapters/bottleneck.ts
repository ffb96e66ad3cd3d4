/** bottleneck: `schedule`, `submit`, and `wrap`, which schedules. A limiter is one pool. */
import { replacedAt } from '../intrinsics';
import { groupPerObject } from './group-per-object';
import type { AdaptValue } from './libraries';
import { around, isFn, isObject, replace, submit, type Ends } from './wrap';

const { apply } = Reflect;

export const adaptBottleneck: AdaptValue = (sink, Bottleneck) => {
  const groupOf = groupPerObject(({ _store: store, maxNb }) => {
    const options = isObject(store) ? store.storeOptions : undefined;
    // Its first version kept the limit itself, where 0 is none.
    return sink.group('bottleneck', isObject(options) ? options.maxConcurrent : maxNb === 0 ? undefined : maxNb, 'pool');
  });
  for (const [method, ends] of [['schedule', 'auto'], ['submit', 'callback']] as const satisfies readonly (readonly [string, Ends])[]) {
    replace(Bottleneck.prototype, method, (original) => around(original, (target, self, args) => {
      const at = isFn(args[0]) ? 0 : 1;
      const group = sink.quietly(() => (isStop(args[0]) ? undefined : groupOf(self)));
      if (!group) return apply(target, self, args);
      const isTriedAgain = ends === 'auto' && sink.quietly(() => hasRetries(self)) === true;
      return submit(group, args[at], (task) => apply(target, self, replacedAt(args, at, task)), { ends, answers: ends !== 'callback', isTriedAgain });
    }));
  }
  return Bottleneck;
};

/** `limiter.on('failed', (error, { retryCount }) => (retryCount < 2 ? 100 : undefined))`: whether a job that has failed may be tried again, which keeps its slot. */
function hasRetries(limiter: unknown): boolean {
  const events = isObject(limiter) && limiter.Promise === Promise ? limiter.Events : undefined;
  return isObject(events) && isFn(events.listenerCount) && Number(events.listenerCount('failed')) > 0;
}

/** `stop()` schedules something of its own, which weighs nothing. */
const isStop = (options: unknown): boolean => isObject(options) && !isFn(options) && options.weight === 0;
