/**
 * effect: fibers as tasks. `forEach` and what comes down to it (`all`, `filter`, …), with a limit; fibers that a program forks,
 * a group for each function that forks them; and what waits for a permit of a semaphore. A task is one effect, from when it is
 * first run to its exit. Versions 3 and 4.
 */
import { RejectionKind } from '../../model/facts';
import { replacedAt } from '../intrinsics';
import { groupPerObject } from './group-per-object';
import type { AdaptValue } from './libraries';
import type { AdapterSink, Failure, LibraryGroup, LibraryTask } from './sink';
import { around, isFn, isObject, replace, withArguments, type Fn } from './wrap';

const { apply } = Reflect;
const V3_EFFECT = Symbol.for('effect/Effect');
/** Under these names versions 3 and 4 keep the fiber that runs in the global scope. */
const CURRENT_FIBER: readonly string[] = ['effect/FiberCurrent', '~effect/Fiber/currentFiber'];
/** Functions of the library's that only hand on what a program asks for: `name file`. */
const HANDS_ON = /^(?:\w+\.)?(?:pipe|pipeArguments|withPermits?) |[\\/]Function\.[cm]?js$/;

type Version = 3 | 4;

/** What an adapter makes effects with. */
interface Parts {
  readonly suspend: Fn;
  readonly map: Fn;
  /** @returns an effect that does what `effect` does, and tells of its exit */
  readonly watched: (effect: unknown, exited: (exit: unknown) => void) => unknown;
  /** Makes an effect succeed with how it fared; of version 4, whose `all` does so with each of its effects where it is told to. */
  readonly result: Fn | undefined;
}

/** Known once the file is loaded that has them, which all others of its version load. */
const parts = new Map<Version, Parts>();

function learn({ suspend, map, sync, onExitPrimitive, matchCauseEffect, succeed, failCause, result }: Readonly<Record<string, unknown>>): void {
  if (!isFn(suspend) || !isFn(map)) return;
  if (isFn(onExitPrimitive) && isFn(sync)) {
    const nothing = sync(() => undefined);
    parts.set(4, { suspend, map, watched: (effect, exited) => onExitPrimitive(effect, (exit: unknown) => { exited(exit); return nothing; }), result: isFn(result) ? result : undefined });
  } else if (isFn(matchCauseEffect) && isFn(succeed) && isFn(failCause)) {
    // With `onExit` an interruption would have one more cause.
    parts.set(3, { suspend, map, result: undefined, watched: (effect, exited) => {
      const fiber = currentFiber();
      const hear = (exit: unknown): void => {
        if (isObject(fiber) && isFn(fiber.removeObserver)) fiber.removeObserver(hear);
        exited(exit);
      };
      // What is interrupted leaves the fiber without another word.
      if (isObject(fiber) && isFn(fiber.addObserver)) fiber.addObserver(hear);
      return matchCauseEffect(effect, {
        onFailure: (cause: unknown) => { hear({ _tag: 'Failure', cause }); return failCause(cause); },
        onSuccess: (value: unknown) => { hear({ _tag: 'Success' }); return succeed(value); },
      });
    } });
  }
}

const currentFiber = (): object | undefined => CURRENT_FIBER.map((name) => (globalThis as Record<string, unknown>)[name]).find(isObject);

const isEffect = (value: unknown): value is object => isObject(value) && ('~effect/Effect' in value || V3_EFFECT in value);

/** Bodies of `Effect.gen`, and functions that `Effect.callback` calls, by the effect they became: where a task's code is. */
const bodies = new WeakMap<object, object>();
/** Effects that are a task's already, or start one: nothing else is to be made of them. */
const known = new WeakSet<object>();
/** Functions that fork. */
const forks = new WeakSet<Fn>();

/** @param scope what `Parts` are made of */
export const adaptEffectGen: AdaptValue = (sink, gen, scope) => {
  sink.quietly(() => { learn(scope); });
  return adaptEffectBody(sink, gen, scope);
};

/** What makes an effect of a function that is its code. */
export const adaptEffectBody: AdaptValue = (_sink, make) => around(make, (target, self, args) => {
  const effect: unknown = apply(target, self, args);
  const body = args.find(isFn);
  if (isObject(effect) && body) bodies.set(effect, body);
  return effect;
});

/** Tasks that run: while there are any, a promise that an effect waits for is theirs. */
let open = 0;
/** The task that a fiber runs. */
const tasksOf = new WeakMap<object, LibraryTask>();

/** `Effect.promise` and `Effect.tryPromise`: a fiber calls their function when its turn has come. */
export const adaptEffectPromise: AdaptValue = (sink, make) => withArguments(sink, make, (args) => {
  const [given] = args;
  const inside = (fn: Fn): Fn => around(fn, (target, self, rest) => {
    if (open === 0) return apply(target, self, rest);
    const task = sink.quietly(() => { const fiber = currentFiber(); return fiber && tasksOf.get(fiber); });
    if (!task) return sink.within((): unknown => apply(target, self, rest));
    sink.quietly(() => { task.resume(); });
    try { return apply(target, self, rest); } finally { sink.quietly(() => { task.leave(); }); }
  });
  if (isFn(given)) return [inside(given), ...args.slice(1)];
  return isObject(given) && isFn(given.try) ? [{ ...given, try: inside(given.try) }, ...args.slice(1)] : undefined;
});

/** @param fn that gave the effect @param taskOf the task it is; by default a new one each time it is run */
function asTask({ suspend, watched }: Parts, group: LibraryGroup, effect: unknown, fn?: Fn, taskOf = (): LibraryTask => group.task(false)): unknown {
  if (!isEffect(effect) || known.has(effect)) return effect;
  const { sink } = group;
  const body = bodies.get(effect);
  const made: unknown = suspend(() => {
    const task = sink.quietly(() => {
      const one = taskOf();
      one.enter(fn);
      if (body) sink.inner(body);
      one.leave();
      return one;
    });
    if (!task) return effect;
    open++;
    const fiber = sink.quietly(currentFiber);
    const outer = fiber && tasksOf.get(fiber);
    if (fiber) tasksOf.set(fiber, task);
    return watched(effect, (exit) => {
      open--;
      sink.quietly(() => {
        // What came before goes on in the same fiber.
        if (fiber && outer) tasksOf.set(fiber, outer); else if (fiber) tasksOf.delete(fiber);
        endWith(task, exit);
      });
    });
  });
  if (isObject(made)) known.add(made);
  return made;
}

function endWith(task: LibraryTask, exit: unknown): void {
  if (!isObject(exit) || exit._tag !== 'Failure') task.end(false);
  else task.fail(failureIn(exit.cause ?? exit.effect_instruction_i0) ?? { kind: RejectionKind.aborted, reason: undefined });
}

/** @param cause a list of reasons, or in version 3 a tree of them @returns undefined where there is nothing but an interruption */
function failureIn(cause: unknown, depth = 0): Failure | undefined {
  if (!isObject(cause) || depth > 64) return undefined;
  if (Array.isArray(cause.reasons)) return cause.reasons.map((one) => failureIn(one, depth + 1)).find((one) => one !== undefined);
  if (cause._tag === 'Fail') return { reason: cause.error ?? cause.failure };
  if (cause._tag === 'Die') return { reason: cause.defect };
  return failureIn(cause.left, depth + 1) ?? failureIn(cause.right, depth + 1);
}

export const adaptEffectForEach = (version: Version): AdaptValue => (sink, forEach) => withArguments(sink, forEach, (args) => {
  const at = args.findIndex(isFn);
  const fn = args[at];
  const made = parts.get(version);
  if (!isFn(fn) || !made || at > 1 || (at === 1 && isRecordOfTasks(args[0]))) return undefined;
  if (forks.has(fn)) {
    const group = forkedBy(sink);
    return group && replacedAt(args, at, around(fn, (fork, self, [effect, ...rest]) => apply(fork, self, [asTask(made, group, effect), ...rest])));
  }
  const group = groupWith(sink, args[at + 1]);
  return replacedAt(args, at, around(fn, (target, self, given) => (target === made.result
    ? apply(target, self, [asTask(made, group, given[0]), ...given.slice(1)]) : asTask(made, group, apply(target, self, given), target))));
});

/** What `all` of version 4 gives its `forEach` for a record, once it is run: pairs of a name and an effect. */
const isRecordOfTasks = (list: unknown): boolean => Array.isArray(list) && list.length > 0
  && list.every((pair) => Array.isArray(pair) && pair.length === 2 && isObject(pair[1]) && known.has(pair[1]));

/** `all` of version 3, which in CommonJS gets by without the `forEach` that is adapted; of version 4, which takes a record apart only where it is run, and not where the program calls it. */
export const adaptEffectAll = (version: Version): AdaptValue => (sink, all) => withArguments(sink, all, (args) => {
  const [effects, ...rest] = args;
  const made = parts.get(version);
  if (!made || !isObject(effects) || isFn(effects) || isEffect(effects)) return undefined;
  const list: unknown = effects;
  if (Array.isArray(list) ? version === 4 : Symbol.iterator in effects) return undefined;
  const group = groupWith(sink, rest[0]);
  const task = (effect: unknown): unknown => asTask(made, group, effect);
  return [Array.isArray(list) ? list.map(task) : Object.fromEntries(Object.entries(effects).map(([key, effect]) => [key, task(effect)])), ...rest];
});

function groupWith(sink: AdapterSink, options: unknown): LibraryGroup {
  const limit = isObject(options) ? options.concurrency : undefined;
  const kind = limit === 'unbounded' ? 'all' : limit === undefined || limit === 1 ? 'sequential' : 'pool';
  return sink.group('effect', kind === 'sequential' ? 1 : limit, kind).declare();
}

/** Groups of what is forked, by the fiber that forks and the number of the function in which it does. */
const forked = new WeakMap<object, Map<number, LibraryGroup>>();
/** Stands for the fiber where none runs. */
const nobody = {};

/** @returns the group of what the program's function that is calling forks; undefined where the library forks for itself */
function forkedBy(sink: AdapterSink): LibraryGroup | undefined {
  const fn = sink.callingPlace(HANDS_ON)?.fn;
  if (fn === undefined) return undefined;
  const fiber = currentFiber() ?? nobody;
  let groups = forked.get(fiber);
  if (!groups) forked.set(fiber, (groups = new Map()));
  let group = groups.get(fn);
  if (!group) groups.set(fn, (group = sink.group('effect', undefined, 'loose').declare()));
  return group;
}

/** `fork` and its kin, which take an effect, and `forkAll`, which takes a list of them. */
export const adaptEffectFork = (version: Version): AdaptValue => (sink, fork) => {
  const tasksOf = ([given, ...rest]: readonly unknown[]): unknown[] | undefined => {
    const made = parts.get(version);
    if (!made || (isEffect(given) ? known.has(given) : !Array.isArray(given))) return undefined;
    const group = forkedBy(sink);
    return group && [isEffect(given) ? asTask(made, group, given) : (given as unknown[]).map((effect) => asTask(made, group, effect)), ...rest];
  };
  const call = (target: Fn, self: unknown, args: unknown[]): unknown => {
    const result: unknown = apply(target, self, sink.quietly(() => tasksOf(args)) ?? args);
    // Told how to fork, and not yet what.
    if (isFn(result)) return around(result, call);
    if (isObject(result)) known.add(result);
    return result;
  };
  const adapted = around(fork, call);
  forks.add(adapted);
  return adapted;
};

/** Effects that wait for fibers: what they are waiting for is drawn already. */
export const adaptEffectWait: AdaptValue = (_sink, wait) => around(wait, (target, self, args) => {
  const effect: unknown = apply(target, self, args);
  if (isObject(effect)) known.add(effect);
  return effect;
});

/** What runs under a permit of a semaphore is a task, which waits until it gets one. @param hold makes an effect wait for its permit */
const holding = (sink: AdapterSink, version: Version, groupOf: () => LibraryGroup | undefined, hold: Fn): Fn => around(hold, (target, self, args) => {
  const [effect, ...rest] = args;
  const made = parts.get(version);
  // What the library itself uses one for is no task of the program's.
  const group = made && isEffect(effect) && !known.has(effect)
    ? sink.quietly(() => (sink.callingPlace(HANDS_ON) === undefined ? undefined : groupOf()?.declare())) : undefined;
  if (!made || !group) return apply(target, self, args);
  const waiting: unknown = made.suspend(() => {
    const task = sink.quietly(() => group.task(true));
    if (!task) return apply(target, self, args);
    const held = apply(target, self, [asTask(made, group, effect, undefined, () => task), ...rest]);
    // It may be called off before its turn has come.
    return made.watched(held, () => { sink.quietly(() => { task.end(true); }); });
  });
  if (isObject(waiting)) known.add(waiting);
  return waiting;
});

const adaptPermits = (sink: AdapterSink, version: Version, holder: unknown): void => {
  const groupOf = groupPerObject((semaphore) => sink.group('effect', semaphore.permits, 'pool'));
  replace(holder, 'withPermits', (withPermits) => around(withPermits, (target, self, args) => {
    const hold: unknown = apply(target, self, args);
    return isFn(hold) ? holding(sink, version, () => groupOf(self), hold) : hold;
  }));
};

/** The class of semaphores of version 4. */
export const adaptEffectSemaphore: AdaptValue = (sink, Semaphore) => {
  adaptPermits(sink, 4, Semaphore.prototype);
  return Semaphore;
};

const adapted = new WeakSet<object>();

/** Version 3: what makes a semaphore, or an effect that does. */
export const adaptEffectMakeSemaphore: AdaptValue = (sink, make) => around(make, (target, self, args) => {
  const semaphore: unknown = apply(target, self, args);
  const adapt = (one: unknown): unknown => {
    if (isObject(one) && !adapted.has(one)) {
      adapted.add(one);
      sink.quietly(() => { adaptPermits(sink, 3, one); });
    }
    return one;
  };
  return isEffect(semaphore) ? parts.get(3)?.map(semaphore, adapt) ?? semaphore : adapt(semaphore);
});
