/**
 * listr2: a list is one group, from its `run` on, where all of its tasks begin to wait. A task goes on until it is through with its retries;
 * one that is skipped never begins. A list that a task gives is run by the library: it stands where it was made.
 */
import type { AdaptValue } from './libraries';
import { kindOfLimit, type Here, type LibraryTask } from './sink';
import { around, isObject, replace } from './wrap';

const { apply } = Reflect;

export const adaptListr: AdaptValue = (sink, Listr) => {
  const tasks = new WeakMap<object, LibraryTask>();
  const made = new WeakMap<object, Here>();
  // Its constructor calls this.
  replace(Listr.prototype, 'add', (add) => around(add, (target, self, args) => {
    sink.quietly(() => { if (isObject(self) && !made.has(self)) made.set(self, sink.here()); });
    return apply(target, self, args);
  }));
  replace(Listr.prototype, 'run', (run) => around(run, (target, self, args) => {
    sink.quietly(() => {
      if (!isObject(self) || !isObject(self.concurrency) || !Array.isArray(self.tasks)) return;
      const { concurrency: limit } = self.concurrency;
      const group = sink.group('listr2', limit, kindOfLimit(limit)).declare(made.get(self));
      for (const one of self.tasks as unknown[]) if (isObject(one)) tasks.set(one, group.task(true));
    });
    return apply(target, self, args);
  }));
  replace(Listr.prototype, 'runTask', (runTask) => around(runTask, (target, self, args) => {
    const [one] = args;
    const task = isObject(one) ? tasks.get(one) : undefined;
    if (!task) return apply(target, self, args) as unknown;
    let result: unknown = undefined;
    const endsWithResult = (): void => { if (task.started && isObject(result)) task.endsWith(result); };
    replace(one, 'taskFn', (fn) => around(fn, (code, on, given) => {
      sink.quietly(() => {
        if (task.started) { task.resume(); return; }
        task.enter(fn);
        endsWithResult();
      });
      try { return apply(code, on, given); } finally { sink.quietly(() => { task.leave(); }); }
    }));
    result = apply(target, self, args) as unknown;
    sink.quietly(endsWithResult);
    return result;
  }));
  return Listr;
};
