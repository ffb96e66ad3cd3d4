/** How a run stands, told from its process and from what its threads have said. */
import type { ThreadIntake } from '../grouping/grouping';
import type { Notice, RunPhase, RunState } from '../model/run';
import type { Ending } from './launch';
import { noticesOf } from './notices';

export interface Standing {
  readonly threads: readonly ThreadIntake[];
  /** Undefined while the process runs. */
  readonly ending: Ending | undefined;
  /** True once the user has asked for the end. */
  readonly stopped: boolean;
  readonly groups: number;
  readonly elapsedMs: number;
  /** What is known to be wrong besides. */
  readonly notices: readonly Notice[];
}

export function stateOf(standing: Standing): RunState {
  const { threads, ending } = standing;
  const phase = phaseOf(standing);
  return {
    phase,
    exitCode: ending?.exitCode,
    signal: ending?.signal,
    elapsedMs: standing.elapsedMs,
    complete: isComplete(threads, ending),
    dropped: threads.reduce((sum, thread) => sum + thread.dropped, 0),
    sampledMs: threads.reduce((sum, thread) => sum + thread.sampledMs, 0),
    notices: [...standing.notices, ...noticesOf(phase, standing)],
  };
}

function phaseOf({ threads, ending, stopped }: Standing): RunPhase {
  if (!ending) return threads.some((thread) => thread.hello) ? 'running' : 'starting';
  if (stopped) return 'stopped';
  if (hasBeenKilled(ending)) return 'killed';
  // A crash its parent has coped with (a retried worker, a script of npm's that may fail) is not the run's.
  const crashed = ending.exitCode !== 0 && threads.some((thread) => thread.hello?.threadId === 0 && thread.end?.crashed);
  return crashed ? 'crashed' : 'finished';
}

/** Every process has said that it ends. Worker threads need not: their process may end them without a word. */
function isComplete(threads: readonly ThreadIntake[], ending: Ending | undefined): boolean {
  if (threads.some((thread) => thread.problem !== undefined)) return false;
  if (!ending) return true;
  if (hasBeenKilled(ending) || threads.length === 0) return false;
  return threads.every((thread) => thread.hello && (thread.hello.threadId > 0 || thread.end));
}

/** Without a status nobody was there to see the end: as with a signal, it came from outside. */
const hasBeenKilled = (ending: Ending): boolean => ending.signal !== undefined || ending.exitCode === undefined;
