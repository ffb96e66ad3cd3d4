/** What the JVM's ThreadPoolExecutor decided: recorded by ExecutorReplay.java, four times over with the same outcome. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutorSettings } from '../../../src/analysis/executor';

export interface Recording {
  readonly settings: ExecutorSettings;
  /** Real milliseconds a unit of time takes in the replay; 0: it does not wait for real. */
  readonly unitMs: number;
  readonly submitAt: readonly number[];
  readonly durations: readonly number[];
  /** `outcome,thread,start` of each task, separated by blanks; start is -1 where it never ran. */
  readonly decisions: string;
}

const file = join(import.meta.dirname, 'executor-recordings.json');
export const RECORDINGS = (JSON.parse(readFileSync(file, 'utf8')) as { readonly scenarios: readonly Recording[] }).scenarios;
