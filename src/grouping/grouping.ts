/** Facts in, timeline out: the one door of this room. */
import type { Hello } from '../model/facts';
import type { Site } from '../model/timeline';
import type { Timeline } from '../timeline/timeline';

export interface GroupingOptions {
  /** Turns a place in running code into the place in its source (source maps); may be called often: cache. */
  readonly mapSite?: (site: Site) => Site;
}

/** The facts of one thread, as its file grows. */
export interface ThreadIntake {
  /** Takes the next bytes of the file, cut anywhere. */
  push(bytes: Uint8Array): void;
  /** Undefined until the file's first record is whole. */
  readonly hello: Hello | undefined;
  /** Undefined until the thread has said that it ends. */
  readonly end: { readonly exitCode: number | undefined; readonly crashed: boolean } | undefined;
  readonly dropped: number;
  readonly sampledMs: number;
  /** A sentence, once the bytes turned out to be no fact file; what comes after is ignored. */
  readonly problem: string | undefined;
}

export class Grouping {
  private readonly intakes: ThreadIntake[] = [];

  constructor(private readonly timeline: Timeline, private readonly options: GroupingOptions = {}) {}

  /** Epoch milliseconds of the run's zero: the first thread's; undefined until its hello is in. */
  get timeOrigin(): number | undefined { return this.intakes[0]?.hello?.timeOrigin; }

  /** Opens the intake of one more thread. The first one sets the run's clock. */
  openThread(): ThreadIntake {
    void this.timeline; void this.options;
    throw new Error('not yet');
  }

  /** Brings the timeline up to date with all facts that have come in; cheap where little has. */
  update(): void { /* not yet */ }
}
