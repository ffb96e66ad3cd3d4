/** Functions that run a function of the program's once for each item: `pMap(items, fn, { concurrency })`, `asyncMap(items, fn, 3)`. */
import type { AdaptValue } from './libraries';
import type { AdapterSink, Kind } from './sink';
import { isFn, isObject, taskFunction, withArguments, type EndOf, type Ends } from './wrap';

const { apply } = Reflect;

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
  withArguments(sink, value, (args) => withTasks(sink, library, shape, args));

/** @returns the arguments with the tasks' functions replaced; undefined where there are none */
export function withTasks(sink: AdapterSink, library: string, { fn, limit, kind, ends, endOf }: MapperShape, args: unknown[]): unknown[] | undefined {
  const given = args[fn];
  if (!isFn(given) && !isGenerator(given) && !isAsyncGenerator(given) && !(isObject(given) && Object.values(given).some((value) => isFn(value) || isDependent(value)))) return undefined;
  const declared = limit(args);
  const group = sink.group(library, declared, kind ?? (declared === Infinity || declared === undefined ? 'all' : 'pool')).declare();
  const task = (value: unknown): unknown => taskFunction(group, value, { ends, endOf });
  if (isFn(given)) args[fn] = task(given);
  else if (Array.isArray(given)) args[fn] = given.map(task);
  else if (isGenerator(given)) args[fn] = mapped(given, task);
  else if (isAsyncGenerator(given)) args[fn] = mappedAsync(sink, given, task);
  else if (isObject(given)) args[fn] = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, isDependent(value) ? [...value.slice(0, -1), task(value.at(-1))] : task(value)]));
  return args;
}

/** A function behind the names of those that come first: `{ load: async () => …, save: ['load', async () => …] }`. */
const isDependent = (value: unknown): value is readonly unknown[] => Array.isArray(value) && isFn(value.at(-1));

const { getPrototypeOf } = Object;
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
