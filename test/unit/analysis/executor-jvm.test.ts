import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needed } from '../../support/needs';
import { RECORDINGS } from './executor-recordings';

const MINUTE = 60_000;

/** Undefined where there is no JVM that can run a source file. */
function replay(input: string): string | undefined {
  const { status, stdout } = spawnSync('java', [join(import.meta.dirname, 'ExecutorReplay.java')], { input, encoding: 'utf8', timeout: MINUTE });
  return status === 0 ? stdout : undefined;
}

// Keep-alive is a matter of real time: a machine that stood still for 100 ms may be asked again.
it('a JVM decides today as it did when it was recorded', { timeout: 3 * MINUTE, retry: 2 }, (context) => {
  const input = RECORDINGS.map(({ settings, unitMs, submitAt, durations }) => [
    `${settings.core} ${settings.max} ${settings.keepAlive} ${settings.queue} ${settings.rejection} ${unitMs}`,
    ...submitAt.map((at, i) => `${at} ${durations[i]}`),
  ].join(' ; ')).join('\n');
  const output = needed(context, 'JVM', replay(input));
  expect(output.trim().split('\n')).toEqual(RECORDINGS.map(({ decisions }) => decisions));
});
