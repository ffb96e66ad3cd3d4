/** bluebird: its promises, coroutines and combinators, as if they were the language's own; and as a library's `map`, `filter`, `each`, `mapSeries` and `reduce`. */
import { BluebirdCombinators } from './bluebird-combinators';
import { BluebirdCoroutines } from './bluebird-coroutines';
import { BluebirdPromises } from './bluebird-promises';
import { limitIn, withTasks, type MapperShape } from './mapper';
import type { AdapterSink } from './sink';
import { around, asGroup, isFn, isObject, replace, type EndOf } from './wrap';

const { apply } = Reflect;
const FILES = /[\\/]node_modules[\\/]bluebird[\\/]js[\\/]/;

export function adaptBluebird(sink: AdapterSink, Bluebird: unknown): unknown {
  if (!isFn(Bluebird) || !isObject(Bluebird.prototype)) return Bluebird;
  const { promises } = sink;
  const bluebird = new BluebirdPromises(sink, promises, Bluebird);
  if (!bluebird.adapt()) return Bluebird;
  const frames = promises.begin(FILES, __filename);
  new BluebirdCombinators(promises, bluebird).adapt(Bluebird);
  new BluebirdCoroutines(sink, promises, bluebird, frames).adapt(Bluebird);
  const endOf: EndOf = (result, task) => (bluebird.numberOf(result) !== 0 && task.endsWith(result as object) ? { result } : undefined);
  const shapeOf = (name: string, fn: number): MapperShape => (name === 'map' || name === 'filter'
    ? { fn, limit: limitIn(fn + 1, 'concurrency', Infinity), endOf } : { fn, limit: () => 1, kind: 'sequential', endOf });
  for (const [holder, fn] of [[Bluebird, 1], [Bluebird.prototype, 0]] as const) {
    for (const name of ['map', 'filter', 'each', 'mapSeries', 'reduce']) {
      replace(holder, name, (value) => asGroup(sink, value, (given) => {
        const call = withTasks(sink, 'bluebird', shapeOf(name, fn), given);
        return call && { ...call, args: call.args.map((arg, at) => (at === fn && isFn(arg) ? around(arg, (target, self, args) => bluebird.outside(() => apply(target, self, args))) : arg)) };
      }));
    }
  }
  return Bluebird;
}
