/** What is known of one run: who it is (fixed) and how it stands (changes while it lasts). */

/** Identity of a run; never changes once the run has a process. */
export interface RunInfo {
  /** The command as the user would type it, e.g. `["node", "a.mjs"]`. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Node's own version with its `v`, e.g. `v22.1.0`; empty until the first process has said hello. */
  readonly node: string;
  /** Epoch milliseconds of the run's zero: every other time of the run is milliseconds after it. */
  readonly timeOrigin: number;
  /** What to call the run in titles: the script's base name, or the command. */
  readonly title: string;
}

/**
 * `starting` until a process has said hello; `finished`: exited by itself with any status but a crash;
 * `crashed`: ended by an uncaught error; `killed`: by a signal nobody here sent; `stopped`: by the user's Stop.
 */
export type RunPhase = 'starting' | 'running' | 'finished' | 'crashed' | 'killed' | 'stopped';

/** Something the user should know of a run, told where the run is shown. */
export interface Notice {
  readonly severity: 'info' | 'warning' | 'error';
  /** Stable key for translation and tests, e.g. `no-node`. */
  readonly code: string;
  /** The sentence in English: what happened, why, and what to do. */
  readonly text: string;
  /** What the sentence names, for whoever says the same in another language; missing: it is to be shown as it is. */
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface RunState {
  readonly phase: RunPhase;
  /** The script's own exit status, once it ended by itself. */
  readonly exitCode?: number;
  /** The signal that ended it, e.g. `SIGKILL`. */
  readonly signal?: string;
  /** Milliseconds from `timeOrigin` to the end, or to now while it lasts. */
  readonly elapsedMs: number;
  /** False when the process was killed or the trace is cut short: what is shown may lack its last moments. */
  readonly complete: boolean;
  /** Facts that could not be recorded. */
  readonly dropped: number;
  /** Milliseconds in which the agent had stepped back from a promise-hot stretch. */
  readonly sampledMs: number;
  readonly notices: readonly Notice[];
}

/** One thread of one process of the run. */
export interface Thread {
  /** 1-based, in order of appearance. */
  readonly id: number;
  readonly pid: number;
  /** 0 for the main thread, else the worker's `threadId`. */
  readonly threadId: number;
  readonly name: string;
  /** Whether its requests in libuv's thread pool are known (`ActivityKind.requests`); where not, it may have had some. */
  readonly requests: boolean;
}

export const isOver = (phase: RunPhase): boolean => phase !== 'starting' && phase !== 'running';
