/** BullMQ: a worker takes jobs out of Redis, `concurrency` of them at once. A worker is one pool; each attempt at a job is a task. */
import { proxyOf } from '../intrinsics';
import type { AdaptValue } from './libraries';
import type { LibraryGroup } from './sink';
import { isObject, replace, taskFunction } from './wrap';

const { construct } = Reflect;

/** @returns epoch milliseconds since when the job could have been taken; undefined of a second attempt, which waits for reasons of its own */
function readySince(job: unknown): number | undefined {
  if (!isObject(job) || typeof job.timestamp !== 'number' || (typeof job.attemptsMade === 'number' && job.attemptsMade > 0)) return undefined;
  const delay = isObject(job.opts) && typeof job.opts.delay === 'number' ? job.opts.delay : 0;
  return job.timestamp + delay;
}

export const adaptBullmq: AdaptValue = (sink, Worker) => {
  const adapted = proxyOf(Worker, { construct(target, args: unknown[], newTarget) {
    const worker = construct(target, args, newTarget) as Record<PropertyKey, unknown>;
    sink.quietly(() => {
      const limit = isObject(worker.opts) ? worker.opts.concurrency : undefined;
      const group: LibraryGroup = sink.group('bullmq', limit, 'pool').declare();
      replace(worker, 'processFn', (processor) => taskFunction(group, processor, { taskOf: ([job]) => group.taskSince(readySince(job)) }));
    });
    return worker;
  } });
  // A worker's `constructor` is the class that the program knows.
  replace(Worker.prototype, 'constructor', () => adapted);
  return adapted;
};
