/** Rate limiters that give a turn as a promise: `await limiter.removeTokens(1)`. A task is what the waiting function does from then on. */
import { groupPerObject } from './group-per-object';
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { around, isFn, isObject, replace } from './wrap';

const { apply } = Reflect;

/** @param call asks for a turn @returns what `call` does */
function turnIn(group: LibraryGroup | undefined, call: () => unknown): unknown {
  const { sink } = group ?? {};
  const task = sink?.quietly(() => group?.section(true));
  const turn = call();
  sink?.quietly(() => { if (isObject(turn)) task?.waitsFor(turn); });
  return turn;
}

/** A class whose method gives a turn. */
export const adaptRateClass = (library: string, method: string): AdaptValue => (sink, Limiter) => {
  const groupOf = groupPerObject(() => sink.group(library, undefined, 'pool'));
  replace(Limiter.prototype, method, (take) => around(take, (target, self, args) =>
    turnIn(groupOf(self), () => apply(target, self, args))));
  return Limiter;
};

/** A function that makes functions that give turns. */
export const adaptRateFactory = (library: string): AdaptValue => (sink, factory) => around(factory, (target, self, args) => {
  const take = apply(target, self, args) as unknown;
  if (!isFn(take)) return take;
  const group = sink.group(library, undefined, 'pool');
  return around(take, (turn, on, given) => turnIn(group, () => apply(turn, on, given)));
});
