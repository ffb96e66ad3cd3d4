/** The JSON report, exactly as CONTRACT.md fixes it. `null` and not `undefined` here: it is JSON. */
import type { Combinator, GroupKind, Metrics, Site, StateName } from './timeline';

export interface Report {
  readonly format: 'async-lanes-report';
  readonly version: 1;
  readonly run: ReportRun;
  readonly threads: readonly { readonly id: number; readonly pid: number; readonly threadId: number; readonly name: string }[];
  readonly groups: readonly ReportGroup[];
}

export interface ReportRun {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly node: string;
  /** Epoch milliseconds. */
  readonly timeOrigin: number;
  readonly elapsedMs: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly complete: boolean;
  readonly dropped: number;
  readonly sampledMs: number;
}

export interface ReportGroup {
  readonly id: number;
  readonly thread: number;
  readonly kind: GroupKind;
  readonly combinator: Combinator | null;
  readonly library: string | null;
  readonly site: Site | null;
  readonly taskSite: Site | null;
  readonly parent: { readonly group: number; readonly task: number } | null;
  readonly declared: number | null;
  readonly peak: number;
  readonly lanes: number;
  readonly chunks: number | null;
  readonly start: number;
  readonly end: number | null;
  readonly status: StateName;
  readonly taskCount: number;
  readonly fulfilled: number;
  readonly rejected: number;
  readonly pending: number;
  readonly metrics: Metrics;
  readonly tasks: readonly ReportTask[];
}

export interface ReportTask {
  readonly id: number;
  readonly ordinal: number;
  readonly lane: number;
  readonly chunk: number | null;
  readonly queued: number | null;
  readonly start: number;
  readonly end: number | null;
  readonly status: StateName;
  readonly ignored: boolean;
  readonly label: string | null;
}
