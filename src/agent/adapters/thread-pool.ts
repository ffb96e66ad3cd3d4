/**
 * Pools of worker threads, seen from the thread that feeds them: a task runs from being posted to a worker to its answer.
 * piscina and tinypool are of one build: `run` makes a `TaskInfo`, `postTask` hands it to a worker, `done` takes the answer.
 */
import { proxyOf } from '../intrinsics';
import { Worker } from 'node:worker_threads';
import { groupPerObject } from './group-per-object';
import type { AdaptValue } from './libraries';
import type { AdapterSink, LibraryTask } from './sink';
import { around, isFn, isObject, replace, withArguments, type Fn } from './wrap';

const { apply, construct } = Reflect;

/** Tasks by what the library knows them by. */
const tasks = new WeakMap<object, LibraryTask>();
/** The task being submitted. */
let submitting: LibraryTask | undefined;

/** Notes to whom a task is handed. @param worker a `Worker` or a `ChildProcess`, or tinypool's holder of one */
function postTo(worker: unknown, task: LibraryTask): void {
  const held = isObject(worker) ? [worker.thread, worker.process].find(isObject) ?? worker : worker;
  if (held instanceof Worker) task.post(Math.max(held.threadId, 0));
  else task.post(0, isObject(held) && typeof held.pid === 'number' ? held.pid : 0);
}

/** A method by which a program submits. @param limitOf reads the pool's limit off it @param isOwn whether a call with these arguments is the library's own */
const adaptSubmit = (
  library: string, method: string, limitOf: (pool: Record<PropertyKey, unknown>) => unknown, isOwn: (args: readonly unknown[]) => boolean = () => false,
): AdaptValue => (sink, Pool) => {
  const groupOf = groupPerObject((pool) => sink.group(library, limitOf(pool), 'pool'));
  replace(Pool.prototype, method, (run) => around(run, (target, self, args) => {
    const task = submitting === undefined && !isOwn(args) ? sink.quietly(() => groupOf(self)?.task(true)) : undefined;
    if (!task) return apply(target, self, args);
    submitting = task;
    try {
      const result = apply(target, self, args) as unknown;
      sink.quietly(() => {
        if (!isObject(result)) return;
        task.submittedAs(result);
        tasks.set(result, task);
      });
      return result;
    } finally {
      submitting = undefined;
    }
  }));
  return Pool;
};

export const adaptThreadPool = (library: string): AdaptValue => adaptSubmit(library, 'run', ({ options }) => (isObject(options) ? options.maxThreads : undefined));

export const adaptTaskInfo: AdaptValue = (sink, TaskInfo) => {
  replace(TaskInfo.prototype, 'done', (done) => around(done, (target, self, args) => {
    sink.quietly(() => { if (isObject(self)) tasks.get(self)?.end(args[0] !== undefined && args[0] !== null); });
    return apply(target, self, args);
  }));
  return proxyOf(TaskInfo, { construct(target, args: unknown[], newTarget) {
    const info = construct(target, args, newTarget) as object;
    if (submitting) tasks.set(info, submitting);
    return info;
  } });
};

export const adaptWorkerInfo: AdaptValue = (sink, WorkerInfo) => {
  replace(WorkerInfo.prototype, 'postTask', (postTask) => around(postTask, (target, self, args) => {
    sink.quietly(() => {
      const task = isObject(args[0]) ? tasks.get(args[0]) : undefined;
      if (task) postTo(isObject(self) ? self.worker : undefined, task);
    });
    return apply(target, self, args);
  }));
  // The answer: the library posts the next task before it says that this one is done.
  replace(WorkerInfo.prototype, '_handleResponse', (handle) => around(handle, (target, self, args) => {
    sink.quietly(() => {
      const [message] = args;
      const infos = isObject(self) ? self.taskInfos : undefined;
      if (!isObject(message) || !(infos instanceof Map)) return;
      const info: unknown = infos.get(message.taskId);
      if (isObject(info)) tasks.get(info)?.end(message.error !== null && message.error !== undefined);
    });
    return apply(target, self, args);
  }));
  return WorkerInfo;
};

export const adaptWorkerpool: AdaptValue = adaptSubmit('workerpool', 'exec', ({ maxWorkers }) => maxWorkers,
  // What `proxy()` asks a worker for.
  (args) => args.length === 1 && args[0] === 'methods');

/** Tasks of workerpool that wait for their worker to be ready, by the number of the request. */
const unsent = new WeakMap<object, Map<unknown, LibraryTask>>();

function postWhenSent(sink: AdapterSink, worker: Record<PropertyKey, unknown>, request: number, task: LibraryTask): void {
  const known = unsent.get(worker);
  if (known) { known.set(request, task); return; }
  const waiting = new Map<unknown, LibraryTask>([[request, task]]);
  unsent.set(worker, waiting);
  replace(worker, 'send', (send) => around(send, (target, self, args) => {
    sink.quietly(() => {
      const id = isObject(args[0]) ? args[0].id : undefined;
      const sent = waiting.get(id);
      if (sent) postTo(worker, sent);
      waiting.delete(id);
    });
    return apply(target, self, args);
  }));
}

/** workerpool's side of a worker: a task's resolver goes with it. */
export const adaptWorkerHandler: AdaptValue = (sink, WorkerHandler) => {
  replace(WorkerHandler.prototype, 'exec', (exec) => around(exec, (target, self, args) => {
    sink.quietly(() => {
      const [, , resolver] = args;
      if (!isObject(resolver) || !isObject(resolver.promise)) return;
      const task = tasks.get(resolver.promise) ?? submitting;
      if (!task || task.started) return;
      if (isObject(self) && isObject(self.worker) && self.worker.ready !== true && typeof self.lastId === 'number') postWhenSent(sink, self.worker, self.lastId + 1, task);
      else postTo(isObject(self) ? self.worker : undefined, task);
      for (const [name, failed] of [['resolve', false], ['reject', true]] as const) {
        replace(resolver, name, (settle) => around(settle, (run, on, given) => {
          sink.quietly(() => { task.end(failed); });
          return apply(run, on, given);
        }));
      }
      // What is cancelled, or takes too long, is rejected by its promise itself: one of the library's own.
      const { promise } = resolver;
      if (isFn(promise.then)) apply(promise.then, promise, [undefined, (reason: unknown) => { sink.quietly(() => { task.fail({ reason }); }); }]);
    });
    return apply(target, self, args);
  }));
  return WorkerHandler;
};

/** In the worker: its functions are tasks of the thread that feeds it, and no loop of their own. */
export const adaptWorkerMethods: AdaptValue = (sink, worker) => withArguments(sink, worker, ([methods, ...rest]) => {
  if (!isObject(methods)) return undefined;
  const inside = (fn: Fn): Fn => around(fn, (target, self, args) => sink.within((): unknown => apply(target, self, args)));
  return [Object.fromEntries(Object.entries(methods).map(([name, fn]) => [name, isFn(fn) ? inside(fn) : fn])), ...rest];
});
