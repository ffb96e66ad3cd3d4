/** What a view is fed from. */
import type { RunInfo, RunState } from '../model/run';
import type { Timeline } from './timeline';

/** A run as a view needs it, live or recorded. */
export interface RunSource {
  /** Another object once more is known of the run. */
  readonly info: RunInfo;
  readonly timeline: Timeline;
  state(): RunState;
  /** Milliseconds after `timeOrigin`; stands still once the run is over. */
  now(): number;
  onDidChange(listener: () => void): { dispose(): void };
}
