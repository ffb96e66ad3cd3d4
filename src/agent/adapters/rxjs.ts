/** rxjs: what `mergeMap`, `mergeAll`, `concatMap`, `mergeScan` and `expand` come down to. A task ends with its inner observable. */
import type { AdaptValue } from './libraries';
import type { LibraryTask } from './sink';
import { around, isFn, isObject, taskFunction, type EndOf } from './wrap';

const { apply } = Reflect;

export const adaptRxjsMerge: AdaptValue = (sink, mergeInternals) => around(mergeInternals, (target, self, args) => {
  const [source, subscriber, project, limit, ...rest] = args;
  const task = sink.quietly(() => {
    const group = sink.group('rxjs', limit, limit === 1 ? 'sequential' : limit === Infinity ? 'all' : 'pool').declare();
    return taskFunction(group, project, { endOf });
  });
  return apply(target, self, [source, subscriber, task ?? project, limit, ...rest]);
});

/** The inner observable goes to nobody but `mergeInternals`, which subscribes to it: one that looks like it takes its place. */
const endOf: EndOf = (result, task) => {
  if (!isObject(result) || !isFn(result.subscribe) || !isFn(result.lift)) return undefined;
  const { subscribe } = result;
  return { result: Object.create(result, { subscribe: { value: (...args: unknown[]): unknown => {
    hearEnd(args[0], task);
    task.resume();
    try { return apply(subscribe, result, args); } finally { task.leave(); }
  } } }) };
};

function hearEnd(subscriber: unknown, task: LibraryTask): void {
  if (!isObject(subscriber) || !isFn(subscriber.add) || !isFn(subscriber._error)) return;
  const { add, _error: fail } = subscriber;
  let failed = false;
  subscriber._error = around(fail, (target, self, args) => {
    failed = true;
    return apply(target, self, args);
  });
  apply(add, subscriber, [() => { task.end(failed); }]);
}
