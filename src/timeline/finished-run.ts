/** A run that is over, and read to its end, as a view needs it. */
import type { RunInfo, RunState } from '../model/run';
import type { RunSource } from './feed';
import type { Timeline } from './timeline';

export class FinishedRun implements RunSource {
  /** @param end milliseconds after `timeOrigin` at which its clock stands */
  constructor(readonly timeline: Timeline, readonly info: RunInfo, private readonly final: RunState, private readonly end = final.elapsedMs) {}

  state(): RunState { return this.final; }
  now(): number { return this.end; }
  onDidChange(): { dispose(): void } { return { dispose: () => { /* It never changes. */ } }; }
}
