/** Functions that run a function of the program's once for each item: `pMap(items, fn, { concurrency })`, `asyncMap(items, fn, 3)`. */
import { proxyOf, putValue, replacedAt } from '../intrinsics';
import type { AdaptValue } from './libraries';
import type { AdapterSink, Kind } from './sink';
import { asGroup, isFn, isObject, taskFunction, type EndOf, type Ends, type GroupCall } from './wrap';

const { apply, get, set } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf, isFrozen, keys } = Object;
const { isArray } = Array;

export interface MapperShape {
  /** 0-based place of the function among the arguments, or of the list of functions. */
  readonly fn: number;
  readonly limit: (args: readonly unknown[]) => unknown;
  readonly kind?: Kind;
  readonly ends?: Ends;
  readonly endOf?: EndOf;
}

/** The limit in an options object. @param otherwise where the program gives none */
export const limitIn = (at: number, key: string, otherwise: number) => (args: readonly unknown[]): unknown => {
  const options = args[at];
  return (isObject(options) ? options[key] : undefined) ?? otherwise;
};

export const adaptMapper = (library: string, shape: MapperShape): AdaptValue => (sink, value) =>
  asGroup(sink, value, (args) => withTasks(sink, library, shape, args));

/** @returns the arguments with the tasks' functions replaced, and their group; undefined where there are none */
export function withTasks(sink: AdapterSink, library: string, { fn, limit, kind, ends, endOf }: MapperShape, args: unknown[]): GroupCall | undefined {
  const given = args[fn];
  if (!isFn(given) && !isGenerator(given) && !isAsyncGenerator(given) && !(isObject(given) && mayHoldTasks(given))) return undefined;
  const declared = limit(args);
  const group = sink.group(library, declared, kind ?? (declared === Infinity || declared === undefined ? 'all' : 'pool')).declare();
  const task = (value: unknown): unknown => taskFunction(group, value, { ends, endOf });
  if (isFn(given)) args[fn] = task(given);
  else if (isGenerator(given)) args[fn] = mapped(given, task);
  else if (isAsyncGenerator(given)) args[fn] = mappedAsync(sink, given, task);
  else if (isObject(given)) args[fn] = withItems(given, task);
  return { args, group };
}

/** A function behind the names of those that come first: `{ load: async () => …, save: ['load', async () => …] }`. */
const isDependent = (value: unknown): value is readonly unknown[] => isArray(value) && isFn(value[value.length - 1]);

/** Whether there is a function in a list, or a getter, which is not to be asked before the library does. */
function mayHoldTasks(given: object): boolean {
  for (const key of keys(given)) {
    const item = getOwnPropertyDescriptor(given, key);
    if (item && (item.get !== undefined || isFn(item.value) || isDependent(item.value))) return true;
  }
  return false;
}

/** A list or an object with its functions changed, as whoever reads them sees it: the program may put in more for as long as the library is at it. */
function withItems(given: object, change: (value: unknown) => unknown): object {
  const made = new WeakMap<object, unknown>();
  const givenFor = new WeakMap<object, unknown>();
  const changed = (value: unknown): unknown => {
    if (!isFn(value) && !isDependent(value)) return value;
    let known = made.get(value);
    if (known === undefined) {
      known = isFn(value) ? change(value) : replacedAt(value, value.length - 1, change(value[value.length - 1]));
      made.set(value, known);
      if (isObject(known)) givenFor.set(known, value);
    }
    return known;
  };
  // What cannot be changed, a proxy could not show changed.
  if (isFrozen(given)) {
    const copy = (isArray(given) ? [] : {}) as Record<string, unknown>;
    for (const key of keys(given)) putValue(copy, key, changed(get(given, key)));
    return copy;
  }
  return proxyOf(given, {
    get(target, key) {
      const value: unknown = get(target, key);
      const own = getOwnPropertyDescriptor(target, key);
      return own && (own.configurable === true || own.writable === true) ? changed(value) : value;
    },
    set: (target, key, value) => set(target, key, isObject(value) ? givenFor.get(value) ?? value : value),
  });
}

const generatorPrototype: unknown = getPrototypeOf(getPrototypeOf((function* () { /* only for its prototype */ })()));
const asyncGeneratorPrototype: unknown = getPrototypeOf(getPrototypeOf((async function* () { /* only for its prototype */ })()));
const isGenerator = (value: unknown): value is Generator => isObject(value) && getPrototypeOf(getPrototypeOf(value) as object) === generatorPrototype;
const isAsyncGenerator = (value: unknown): value is AsyncGenerator => isObject(value) && getPrototypeOf(getPrototypeOf(value) as object) === asyncGeneratorPrototype;
/** Taken now: a program may replace it later. */
const { then } = Promise.prototype;

/** A generator that yields what `change` makes of what the given one yields. */
function mapped(given: Generator, change: (value: unknown) => unknown): unknown {
  const changed = (step: IteratorResult<unknown>): IteratorResult<unknown> => (step.done === true ? step : { done: false, value: change(step.value) });
  return Object.create(given, {
    next: { value: (...sent: [] | [unknown]) => changed(given.next(...sent)) },
    return: { value: (value: unknown) => changed(given.return(value)) },
    throw: { value: (error: unknown) => changed(given.throw(error)) },
  });
}

/** The same of an async generator. A reaction put on each step before anybody else's changes it in place, so that what the library gets is the very promise, and comes no later. */
function mappedAsync(sink: AdapterSink, given: AsyncGenerator, change: (value: unknown) => unknown): unknown {
  const changing = (step: Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> => {
    sink.quietly(() => { void apply(then, step, [(result: IteratorResult<unknown>) => { if (result.done !== true) result.value = change(result.value); }, () => { /* the library hears of it itself */ }]); });
    return step;
  };
  return Object.create(given, {
    next: { value: (...sent: [] | [unknown]) => changing(given.next(...sent)) },
    return: { value: (value: unknown) => changing(given.return(value)) },
    throw: { value: (error: unknown) => changing(given.throw(error)) },
  });
}
