import type { RunSource } from '../timeline/feed';

/** A run of this window, or one recorded before the window was reloaded. */
export interface ShownRun {
  readonly source: RunSource;
  /** Absolute path of its recording. */
  readonly folder: string;
  /** Resolves once it has ended and all of it was read. */
  readonly finished: Promise<void>;
  /** Resolves once its terminal is free for another run; later than `finished`, by a moment. */
  readonly closed: Promise<void>;
  stop(): Promise<void>;
  /** Lets go of it; a process that still runs goes on in its terminal. */
  dispose(): void;
}
