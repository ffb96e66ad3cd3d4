/** effect: `forEach` and what comes down to it (`all`, `filter`, …). A task is one effect, from being asked for to its exit. */
import type { AdaptValue } from './libraries';
import { around, isFn, isObject, taskFunction, withArguments, type EndOf, type Fn } from './wrap';

/** Bodies of `Effect.gen`, by the effect they became: where a task's code is. */
const bodies = new WeakMap<object, object>();

export const adaptEffectGen: AdaptValue = (_sink, gen) => around(gen, (target, self, args) => {
  const effect: unknown = Reflect.apply(target, self, args);
  const body = args.find(isFn);
  if (isObject(effect) && body) bodies.set(effect, body);
  return effect;
});

/** Tasks that run: while there are any, a promise that an effect waits for is theirs. */
let open = 0;

/** `Effect.promise` and `Effect.tryPromise`: a fiber calls their function when its turn has come. */
export const adaptEffectPromise: AdaptValue = (sink, make) => withArguments(sink, make, (args) => {
  const [given] = args;
  const inside = (fn: Fn): Fn => around(fn, (target, self, rest) => (open > 0 ? sink.within((): unknown => Reflect.apply(target, self, rest)) : Reflect.apply(target, self, rest)));
  if (isFn(given)) return [inside(given), ...args.slice(1)];
  return isObject(given) && isFn(given.try) ? [{ ...given, try: inside(given.try) }, ...args.slice(1)] : undefined;
});

export const adaptEffectForEach: AdaptValue = (sink, forEach, { onExitPrimitive, exitVoid }) => {
  if (!isFn(onExitPrimitive) || !isObject(exitVoid)) return forEach;
  const endOf: EndOf = (effect, task) => {
    if (!isObject(effect) || !('~effect/Effect' in effect)) return undefined;
    open++;
    return { result: onExitPrimitive(effect, (exit: unknown) => {
      open--;
      task.end(isObject(exit) && exit._tag === 'Failure');
      return exitVoid;
    }) };
  };
  return withArguments(sink, forEach, (args) => {
    const [, fn, options] = args;
    if (!isFn(fn)) return undefined;
    const limit = isObject(options) ? options.concurrency : undefined;
    const kind = limit === 'unbounded' ? 'all' : limit === undefined ? 'sequential' : 'pool';
    const group = sink.group('effect', kind === 'sequential' ? 1 : limit, kind).declare();
    args[1] = taskFunction(group, around(fn, (target, self, given) => {
      sink.inner(target);
      const effect: unknown = Reflect.apply(target, self, given);
      const body = isObject(effect) ? bodies.get(effect) : undefined;
      if (body) sink.inner(body);
      return effect;
    }), { endOf });
    return args;
  });
};
