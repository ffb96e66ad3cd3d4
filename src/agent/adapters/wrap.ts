/**
 * How an adapter gets between a program and a library: proxies of functions, which keep name, length, properties,
 * prototype, `new` and `instanceof` of what they stand for. Their text is that of native code. A call through one adds a frame to error stacks.
 */
import { lastFunction, proxyOf, putInstead, replacedAt } from '../intrinsics';
import type { AdapterSink, LibraryGroup, LibraryTask } from './sink';

export type Fn = (this: unknown, ...args: unknown[]) => unknown;
export const isFn = (value: unknown): value is Fn => typeof value === 'function';
export const isObject = (value: unknown): value is Record<PropertyKey, unknown> => (typeof value === 'object' && value !== null) || typeof value === 'function';

const { apply, construct } = Reflect;
const PlainPromise = Promise;
const promisePrototype = Promise.prototype;
const promiseThen = promisePrototype.then as unknown;
const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const { isArray } = Array;
/** Functions that are a task's already: a library that hands one on to another does not make it two. */
const taskFunctions = new WeakSet();

/** A proxy of `fn` whose calls go through `call`. */
export const around = (fn: Fn, call: (target: Fn, self: unknown, args: unknown[]) => unknown): Fn =>
  proxyOf(fn, { apply: call });

/** A proxy of `fn` that is called with what `change` makes of its arguments. */
export function withArguments(sink: AdapterSink, fn: Fn, change: (args: unknown[], self: unknown) => unknown[] | undefined): Fn {
  return proxyOf(fn, {
    apply: (target, self, args: unknown[]) => apply(target, self, sink.quietly(() => change([...args], self)) ?? args),
    construct: (target, args: unknown[], newTarget) => construct(target, sink.quietly(() => change([...args], undefined)) ?? args, newTarget) as object,
  });
}

/** What a library's function is called with to run tasks as one group. */
export interface GroupCall { readonly args: readonly unknown[]; readonly group: LibraryGroup }

/** A proxy of `fn`, which runs all tasks of a group and may give a promise for the whole. */
export const asGroup = (sink: AdapterSink, fn: Fn, begin: (args: unknown[], self: unknown) => GroupCall | undefined): Fn => around(fn, (target, self, args) => {
  const call = sink.quietly(() => begin([...args], self));
  if (!call) return apply(target, self, args);
  const result = apply(target, self, call.args);
  sink.quietly(() => { if (result instanceof PlainPromise || (isObject(result) && sink.promises.has(result))) call.group.givenAs(result); });
  return result;
});

/** Puts something else in a function's place, with all else as it was. @returns false where that cannot be: nothing happens then */
export function replace(holder: unknown, name: string, make: (value: Fn) => unknown): boolean {
  if (!isObject(holder)) return false;
  const descriptor = getOwnPropertyDescriptor(holder, name);
  if (!descriptor || !isFn(descriptor.value) || !(descriptor.writable === true || descriptor.configurable === true)) return false;
  putInstead(holder, name, make(descriptor.value));
  return true;
}

/** How a task's function tells that it is through. `callback`: it calls its last argument; `auto`: by what it returns; `either`: an async function as `auto`, another one as `callback`. */
export type Ends = 'auto' | 'callback' | 'either';
/** For what is returned and is no promise of V8's. @returns what to return instead, or undefined where it is not known either */
export type EndOf = (result: unknown, task: LibraryTask) => { readonly result: unknown } | undefined;

export interface TaskOptions {
  readonly ends?: Ends;
  readonly endOf?: EndOf | undefined;
  /** False where what the submitter gets says only that the task was taken in. */
  readonly answers?: boolean;
  /** The task that a call begins; where there is none, a new one. */
  readonly taskOf?: (args: readonly unknown[]) => LibraryTask | undefined;
  /** A call has begun a task. */
  readonly entered?: () => void;
  /** True where the library calls the function of a task again that had failed: all of that is the task, which is over with what the submitter gets. */
  readonly isTriedAgain?: boolean | undefined;
}

/** A task's function that says when it is entered and when it is through. @returns `fn` itself where it is none, or a task's already */
export function taskFunction(group: LibraryGroup, fn: unknown, { ends = 'auto', endOf, taskOf, entered, isTriedAgain }: TaskOptions = {}): unknown {
  if (!isFn(fn) || taskFunctions.has(fn)) return fn;
  const { sink } = group;
  const proxy = around(fn, (target, self, args) => {
    const task = sink.quietly(() => {
      const waiting = taskOf?.(args);
      const task = waiting && (isTriedAgain === true || !waiting.started) ? waiting : group.task(false);
      task.enter(target);
      entered?.();
      return task;
    });
    if (!task) return apply(target, self, args);
    // An item may be a function too: an async function's last argument is one, and no callback.
    const callback = ends === 'callback' || (ends === 'either' && !isAsync(target)) ? lastFunction(args) : -1;
    const given = callback < 0 ? args : replacedAt(args, callback, endingCallback(args[callback] as Fn, task, sink));
    let result: unknown;
    try {
      result = apply(target, self, given);
    } catch (error) {
      sink.quietly(() => { task.leave(); if (isTriedAgain !== true) task.end(true); });
      throw error;
    }
    if (callback >= 0) { sink.quietly(() => { task.leave(); }); return result; }
    if (isTriedAgain === true) { sink.quietly(() => { task.leave(); if (isObject(result)) task.tries(result); }); return result; }
    return sink.quietly(() => { task.leave(); return returned(result, task, endOf); })?.result ?? result;
  });
  taskFunctions.add(proxy);
  return proxy;
}

const isAsync = (fn: Fn): boolean => Object.prototype.toString.call(fn) === '[object AsyncFunction]';

/** Whether hooks hear of the promise. */
export const isPlainPromise = (value: unknown): value is Promise<unknown> => value instanceof PlainPromise && getPrototypeOf(value) === promisePrototype;

function returned(result: unknown, task: LibraryTask, endOf: EndOf | undefined): { readonly result: unknown } | undefined {
  // One with a `then` of its own is over when that says so, whatever becomes of it itself.
  if (result instanceof PlainPromise && result.then === promiseThen) { task.endsWith(result); return undefined; }
  const known = endOf?.(result, task);
  if (known) return known;
  // A thenable nobody knows may begin its work with `then`: only what the library makes of it can tell.
  if (!isObject(result) || !isFn(result.then)) task.end(false);
  return undefined;
}

function endingCallback(callback: Fn, task: LibraryTask, sink: AdapterSink): Fn {
  return around(callback, (target, self, args) => {
    sink.quietly(() => { task.end(args[0] !== undefined && args[0] !== null && args[0] !== false); });
    return apply(target, self, args);
  });
}

/** A task submitted now that waits for its turn. @param call is given its function, and returns what the submitter gets */
export function submit(group: LibraryGroup, fn: unknown, call: (fn: unknown) => unknown, options: TaskOptions = {}): unknown {
  const task = isFn(fn) && !taskFunctions.has(fn) ? group.sink.quietly(() => group.task(true)) : undefined;
  if (!task) return call(fn);
  const result = call(taskFunction(group, fn, { ...options, taskOf: () => task }));
  group.sink.quietly(() => {
    // `[promise, cancel]`.
    const answer: unknown = isArray(result) ? result[0] : result;
    if (options.answers !== false && answer instanceof PlainPromise) task.submittedAs(answer);
  });
  return result;
}
