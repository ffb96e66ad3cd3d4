/**
 * rxjs: what `mergeMap`, `mergeAll`, `concatMap`, `mergeScan` and `expand` come down to, and `forkJoin`. A task ends with its inner observable. All begins
 * when somebody subscribes, which may be an operator further out: then a group stands where the program asked for its own.
 */
import type { AdaptValue } from './libraries';
import { kindOfLimit, type AdapterSink, type Here, type LibraryGroup, type LibraryTask } from './sink';
import { around, isFn, isObject, isPlainPromise, replace, taskFunction, type EndOf, type Fn } from './wrap';

const { apply } = Reflect;
const { isArray } = Array;
const { getPrototypeOf } = Object;

/** Where the program asked for an operator, by the function that it gave for it; undefined where it gave one for several. */
const asked = new WeakMap<object, Here | undefined>();

/** By the group in whose tasks they begin, which runs one after the other, and the program's line where they were asked for: groups of which each such task holds a chunk. */
const chunks = new WeakMap<LibraryGroup, Map<string, LibraryGroup>>();

/** A group of what is subscribed to now. `concatMap((batch) => forkJoin(batch.map(load)))`: all that begins at once in tasks one after the other is a chunk each time. */
function openGroup(sink: AdapterSink, limit: unknown, at: Here | undefined): LibraryGroup {
  const kind = kindOfLimit(limit);
  const around = sink.enteredTask?.group;
  if (kind !== 'all' || around?.isInRow('rxjs') !== true) return sink.group('rxjs', limit, kind).declare(at);
  let groups = chunks.get(around);
  if (!groups) chunks.set(around, groups = new Map());
  const place = at?.near ? `${at.near.line} ${at.near.file}` : '';
  // A function that was given each time anew tells of no place of its own.
  let group = place === '' && groups.size === 1 ? groups.values().next().value : groups.get(place);
  if (!group) groups.set(place, group = sink.group('rxjs', undefined, 'chunks').declare(at));
  return group;
}

/** A project function whose calls are tasks. */
const merging = (sink: AdapterSink, project: unknown, limit: unknown): unknown => sink.quietly(() => {
  return taskFunction(openGroup(sink, limit, isObject(project) ? asked.get(project) : undefined), project, { endOf });
}) ?? project;

/** `mergeMap` itself, which `concatMap` and others call: gives an operator, whoever subscribes to that later on. */
export const adaptRxjsAsking: AdaptValue = (sink, mergeMap) => around(mergeMap, (target, self, args) => {
  const [project] = args;
  sink.quietly(() => {
    if (!isFn(project)) return;
    const here = sink.here();
    asked.set(project, !asked.has(project) || asked.get(project)?.stack === here.stack ? here : undefined);
  });
  return apply(target, self, args);
});

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

/** `forkJoin`: each time somebody subscribes, all of its sources are tasks that are begun at once. */
export const adaptRxjsJoin: AdaptValue = (sink, forkJoin) => around(forkJoin, (target, self, args) => {
  const joined = sink.quietly(() => {
    const [only] = args;
    const at = sink.here();
    const tasks = new Joined(sink, at);
    if (args.length !== 1 || isObservable(only) || !isObject(only)) return tasks.list(args);
    return [isArray(only) ? tasks.list(only) : getPrototypeOf(only) === Object.prototype ? tasks.named(only) : only];
  });
  return apply(target, self, joined ?? args);
});

/** The sources of a `forkJoin`; its latest subscription is a group. */
class Joined {
  private group: LibraryGroup | undefined;
  private readonly begun = new Set<object>();

  constructor(private readonly sink: AdapterSink, private readonly at: Here) {}

  list(sources: readonly unknown[]): unknown[] { return sources.map((source) => this.source(source)); }
  named(sources: Record<PropertyKey, unknown>): object { return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, this.source(source)])); }

  /** A promise has begun just before; what is neither that nor an observable is over at once. */
  private source(source: unknown): unknown {
    if (isObservable(source)) return subscribedAs(source, () => this.sink.quietly(() => this.begin(source)));
    if (isPlainPromise(source)) {
      const task = this.begin(source);
      task.resume();
      task.leave();
      task.endsWith(source);
    }
    return source;
  }

  private begin(source: object): LibraryTask {
    if (!this.group || this.begun.has(source)) {
      this.group = openGroup(this.sink, Infinity, this.at);
      this.begun.clear();
    }
    this.begun.add(source);
    return this.group.task(false);
  }
}

interface Observable extends Record<PropertyKey, unknown> { readonly subscribe: Fn }

const isObservable = (value: unknown): value is Observable => isObject(value) && isFn(value.subscribe) && isFn(value.lift);

/** An observable that looks like another one, of which each subscription is a task. */
const subscribedAs = (observable: Observable, taskOf: () => LibraryTask | undefined): unknown => Object.create(observable, { subscribe: { value: (...args: unknown[]): unknown => {
  const task = taskOf();
  if (!task) return apply(observable.subscribe, observable, args);
  hearEnd(args[0], task);
  task.resume();
  try { return apply(observable.subscribe, observable, args); } finally { task.leave(); }
} } });

/** The inner observable goes to nobody but those, who subscribe to it: one that looks like it takes its place. */
const endOf: EndOf = (result, task) => (isObservable(result) ? { result: subscribedAs(result, () => task) } : undefined);

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
