/** fastq: a worker and a queue, with callbacks or, as `fastq.promise`, with promises. */
import { adaptQueue } from './queue';
import type { AdapterSink } from './sink';
import { isFn, replace } from './wrap';

export function adaptFastq(sink: AdapterSink, exports: unknown): unknown {
  if (!isFn(exports)) return exports;
  const promise = adaptQueue(sink, 'fastq', ['push', 'unshift'], 'auto');
  replace(exports, 'promise', promise);
  const callback = adaptQueue(sink, 'fastq', ['push', 'unshift'], 'callback')(exports);
  return callback;
}
