/** How figures and ends are put into words. */
import type { RunState } from '../model/run';
import type { Group } from '../model/timeline';

/** A group's kind, with the name and the library it has. */
export const kindOf = ({ kind, name, library }: Group): string => [kind, ...(name === undefined ? [] : [name]), ...(library === undefined ? [] : [`(${library})`])].join(' ');

/** @param ms milliseconds */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 100_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(0)} s`;
}

export function endOf(state: RunState): string {
  switch (state.phase) {
    case 'starting': case 'running': return 'running';
    case 'stopped': return 'stopped';
    case 'crashed': return `crashed with status ${state.exitCode ?? '?'}`;
    case 'killed': return `killed by ${state.signal ?? 'a signal'}`;
    case 'finished': return state.exitCode === undefined ? 'finished' : `finished with status ${state.exitCode}`;
  }
}
