/** Two runs as a comparison: their groups matched, each in the figures that the panel and the report tell of it. */
import { matchGroups, type Match } from '../analysis/compare';
import { quantile } from '../analysis/quantile';
import type { ComparedGroups, ComparedRun, Comparison, GroupFigures, Repeats } from '../model/comparison';
import type { Group } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import { mergeRuns, type GroupPair } from '../timeline/merged-runs';
import type { Timeline } from '../timeline/timeline';
import { groupsOf } from './report';

/** More groups than this are shown as pictures only, without a row in the table. */
export const MAX_COMPARED = 500;
/** Groups of which pictures are made, of each run. */
const MAX_SHOWN = 5000;

/** The figures of all groups of a run, in the order in which they began. */
export const figuresOf = (run: RunSource): GroupFigures[] => groupsOf(run).slice(0, MAX_SHOWN).map((group) => figuresOfGroup(run.timeline, group));

function figuresOfGroup(timeline: Timeline, group: Group): GroupFigures {
  const { id, kind, combinator, name, library, site, taskSite, taskCount, lanes, declared, rejected, pending, metrics } = group;
  const { start, end } = timeline.tasks;
  const durations = Float64Array.from(timeline.rowsOf(id).filter((row) => !Number.isNaN(end[row])), (row) => end[row] - start[row]);
  const { makespanMs, idleMs, utilization } = metrics;
  return {
    group: id, kind, combinator, name, library, site, taskSite, tasks: taskCount, lanes, limit: declared, makespanMs, idleMs, utilization, rejected, pending,
    ...(durations.length > 0 ? { medianMs: quantile(durations, 0.5), p95Ms: quantile(durations, 0.95) } : {}),
  };
}

export interface RunToCompare {
  readonly title: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly source: RunSource;
}

/** Two runs beside each other: as one run for the diagrams, and in figures. */
export class ComparedRuns {
  /** Both at once, each from its own beginning. */
  readonly source: RunSource;
  private readonly runs: readonly [ComparedRun, ComparedRun];
  private readonly figures: readonly [GroupFigures[], GroupFigures[]];
  private groups: readonly ComparedGroups[];
  private readonly more: number;
  private readonly matches: readonly Match<GroupFigures>[];

  constructor(first: RunToCompare, second: RunToCompare) {
    this.figures = [figuresOf(first.source), figuresOf(second.source)];
    const matches = this.matches = matchGroups(...this.figures);
    const { source, ids } = mergeRuns([first.source, second.source], matches.map((match): GroupPair => [match.first?.group, match.second?.group]), `${first.title} ↔ ${second.title}`);
    this.source = source;
    this.runs = [runOf(first), runOf(second)];
    const shown = (figures: GroupFigures | undefined, k: 0 | 1): GroupFigures | undefined => figures && { ...figures, group: ids[k].get(figures.group) ?? 0 };
    this.more = Math.max(0, matches.length - MAX_COMPARED);
    this.groups = matches.slice(0, MAX_COMPARED).map(({ first: one, second: other, by }) => ({ first: shown(one, 0), second: shown(other, 1), matchedBy: by, repeats: [] }));
  }

  /**
   * Tells what groups took in other runs of the same target.
   * @param of which of the two are of that target @param others figures of its other runs
   */
  addRepeats(of: Repeats['of'], others: readonly (readonly GroupFigures[])[]): void {
    const own = of === 'second' ? this.figures[1] : this.figures[0];
    const known = own.map((figures) => [figures.makespanMs]);
    const at = new Map(own.map((figures, k) => [figures, k]));
    for (const other of [...(of === 'both' ? [this.figures[1]] : []), ...others]) {
      for (const { first, second } of matchGroups(own, other)) {
        const k = first && at.get(first);
        if (k !== undefined && second) known[k].push(second.makespanMs);
      }
    }
    const which = of === 'second' ? 'second' : 'first';
    this.groups = this.groups.map((groups, row) => {
      const figures = this.matches[row][which];
      const k = figures && at.get(figures);
      if (k === undefined) return groups;
      return { ...groups, repeats: [...groups.repeats, { of, makespansMs: known[k].sort((a, b) => a - b) }] };
    });
  }

  /** @param locale BCP 47 tag */
  message(locale: string): Comparison { return { type: 'comparison', locale, runs: this.runs, groups: this.groups, more: this.more }; }
}

const runOf = ({ title, startedAt, source }: RunToCompare): ComparedRun => ({ title, startedAt, state: source.state() });
