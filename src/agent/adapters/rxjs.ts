/** rxjs: what `mergeMap`, `mergeAll`, `concatMap`, `mergeScan` and `expand` come down to. A task ends with its inner observable. */
import type { AdaptValue } from './libraries';
import { kindOfLimit, type AdapterSink, type LibraryTask } from './sink';
import { around, isFn, isObject, replace, taskFunction, type EndOf } from './wrap';

const { apply } = Reflect;

/** A project function whose calls are tasks. */
const merging = (sink: AdapterSink, project: unknown, limit: unknown): unknown => sink.quietly(() => {
  return taskFunction(sink.group('rxjs', limit, kindOfLimit(limit)).declare(), project, { endOf });
}) ?? project;

export const adaptRxjsMerge: AdaptValue = (sink, mergeInternals) => around(mergeInternals, (target, self, args) => {
  const [source, subscriber, project, limit, ...rest] = args;
  return apply(target, self, [source, subscriber, merging(sink, project, limit), limit, ...rest]);
});

/** rxjs 5 and 6: the operator of `mergeMap`, which is asked for each subscription. */
export const adaptRxjsMergeOperator: AdaptValue = (sink, MergeMapOperator) => {
  replace(MergeMapOperator.prototype, 'call', (call) => around(call, (target, self, args) => {
    if (!isObject(self) || !isFn(self.project)) return apply(target, self, args);
    return apply(target, Object.create(self, { project: { value: merging(sink, self.project, self.concurrent) } }), args);
  }));
  return MergeMapOperator;
};

/** The inner observable goes to nobody but those, who subscribe to it: one that looks like it takes its place. */
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
