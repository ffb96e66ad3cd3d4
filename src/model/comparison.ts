/** Two runs held against each other, as a host tells a view of them: which group stands for which, in figures. */
import type { RunState } from './run';
import type { Combinator, GroupKind, Site } from './timeline';

/** A group in the figures that are compared. Times are milliseconds. */
export interface GroupFigures {
  /** `Group.id`. */
  readonly group: number;
  readonly kind: GroupKind;
  readonly combinator?: Combinator;
  readonly name?: string;
  readonly library?: string;
  readonly site?: Site;
  readonly taskSite?: Site;
  readonly tasks: number;
  readonly lanes: number;
  /** The limit the code sets, when it can be known. */
  readonly limit?: number;
  readonly makespanMs: number;
  readonly idleMs: number;
  /** 0 to 1. */
  readonly utilization: number;
  /** Of the durations of tasks that have settled; missing where none has. */
  readonly medianMs?: number;
  readonly p95Ms?: number;
  readonly rejected: number;
  readonly pending: number;
}

/** What two groups were told to be the same by. */
export const MATCHED_BY = ['place', 'function', 'kind'] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/** Makespans of a group over all runs of its target that are kept, in milliseconds, ascending; the compared ones are among them. */
export interface Repeats {
  /** Which of the two compared runs are of that target. */
  readonly of: 'both' | 'first' | 'second';
  readonly makespansMs: readonly number[];
}

/** A group of the first run beside that of the second; one is missing where the other run has nothing like it. */
export interface ComparedGroups {
  readonly first?: GroupFigures;
  readonly second?: GroupFigures;
  readonly matchedBy?: MatchedBy;
  /** Empty until they were read, and where nothing was run more than twice. */
  readonly repeats: readonly Repeats[];
}

export interface ComparedRun {
  /** What the user calls it. */
  readonly title: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly state: RunState;
}

export interface Comparison {
  readonly type: 'comparison';
  /** BCP 47 tag. */
  readonly locale: string;
  /** The earlier one first. */
  readonly runs: readonly [ComparedRun, ComparedRun];
  /** In the order in which they began in the first run; what only the second one has comes last. */
  readonly groups: readonly ComparedGroups[];
  /** Groups that are left out, for there are too many. */
  readonly more: number;
}
