/** The steps of each lesson, in their order, and the parameters a step is about: it sets them, and the rest is as the script has it. */
import type { Values } from '../../src/model/demos';

export interface Step {
  readonly step: string;
  /** Runs with these; a step without is only read. */
  readonly set?: Values;
  /** Whether the step is about the ten tasks to be drawn by hand. */
  readonly draws?: boolean;
}

const FIGURE: Values = { tasks: 'figure', size: 5, scale: 0.2 };

export const STEPS: Readonly<Record<string, readonly Step[]>> = {
  'chunk-vs-rail': [
    { step: 'problem' }, { step: 'draw', draws: true }, { step: 'figure', set: FIGURE }, { step: 'experiment', set: {} },
    { step: 'similar', set: { tasks: 'similar' } }, { step: 'heavy', set: { tasks: 'heavy' } }, { step: 'connections', set: { count: 300, free: 20 } },
    { step: 'libraries', set: { count: 500, library: 'both' } }, { step: 'advice' },
  ],
  'read-files': [{ step: 'question' }, { step: 'ways', set: {} }, { step: 'libuv' }, { step: 'threads' }, { step: 'share', set: { share: 0.3 } }],
  'fail-fast': [{ step: 'rule' }, { step: 'rejects', set: {} }, { step: 'none', set: { fails: 0 } }, { step: 'advice' }],
  'pipeline': [
    { step: 'stages' }, { step: 'variants', set: {} }, { step: 'pressure', set: { variant: 'NonTopic', final: 50, seconds: 3 } },
    { step: 'order', set: { variant: 'NonTopic', lanes2: 4, seconds: 3 } }, { step: 'lessons' },
  ],
  'sync-vs-async': [{ step: 'question' }, { step: 'table', set: {} }, { step: 'more', set: { many: 200 } }, { step: 'blocked' }],
  'thread-pool': [
    { step: 'rules' }, { step: 'example', set: {}, draws: true }, { step: 'queue', set: { queue: 10 } }, { step: 'nested' }, { step: 'burst', set: { burst: 150, rejection: 'callerRuns' } },
    { step: 'starved', set: { inner: 2, rejection: 'callerRuns' } }, { step: 'forkJoin', set: { connections: 20, rejection: 'callerRuns' } },
  ],
};
