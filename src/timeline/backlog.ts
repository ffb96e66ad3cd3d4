/** What one view has not been told yet, handed out in portions that fit a delta. */
import { MAX_ACTIVITY_PER_DELTA, MAX_TASKS_PER_DELTA, type Delta } from '../model/protocol';
import { createTaskColumns, type Group, type Site, type TaskColumns } from '../model/timeline';
import type { ChangeSet } from './change-set';
import type { Timeline } from './timeline';

/** Keeps the JSON of a delta to a few MB, however many groups a run has. */
const MAX_GROUPS_PER_DELTA = 4096;
/** Letters of the names in them: at six bytes a letter, as JSON may have it, still far below what a frame may hold. */
const MAX_NAME_LETTERS_PER_DELTA = 1 << 21;
/** Names and paths that are longer are cut on their way to a view. */
const MAX_NAME_LENGTH = 2000;
const MAX_LABELS_PER_DELTA = 4096;
/** A label is a short name; what is longer is cut on its way to a view. */
const MAX_LABEL_LENGTH = 200;

export type Portion = Pick<Delta, 'threads' | 'groups' | 'removed' | 'labels' | 'errors' | 'tasks' | 'activity'>;

export class Backlog {
  private readonly changes: ChangeSet;
  /** Groups the view does not know at all: they go before their tasks. */
  private readonly unknown = new Set<number>();
  /** Groups it knows as they were. */
  private readonly outdated = new Set<number>();
  private readonly known = new Set<number>();
  /** Those it knows as still having tasks to end: their figures grow with time alone. */
  private readonly running = new Set<number>();
  private labels: number[] = [];
  private errors: number[] = [];
  private threads = 0;
  /** Rows of activity it knows. */
  private activity = 0;

  constructor(private readonly timeline: Timeline) {
    this.changes = timeline.track();
  }

  get isEmpty(): boolean {
    return this.changes.isEmpty && this.unknown.size === 0 && this.outdated.size === 0 && this.labels.length === 0 && this.errors.length === 0
      && this.threads === this.timeline.threads.length && this.activity === this.timeline.activity.length;
  }

  /** Counts every group that is not at its end as changed. */
  refreshRunning(): void {
    for (const id of this.running) this.outdated.add(id);
  }

  /** @param now milliseconds after `timeOrigin` */
  take(now: number): Portion {
    const removed = this.changes.takeGone();
    for (const id of removed) for (const set of [this.unknown, this.outdated, this.known, this.running]) set.delete(id);
    for (const id of this.changes.takeGroups()) (this.known.has(id) ? this.outdated : this.unknown).add(id);
    const groups = this.takeGroups(now);
    return {
      threads: this.takeThreads(),
      groups,
      removed,
      labels: this.takeLabels(),
      errors: this.takeErrors(),
      tasks: this.unknown.size > 0 ? createTaskColumns(0) : this.gather(this.changes.takeTasks(MAX_TASKS_PER_DELTA)),
      activity: this.takeActivity(),
    };
  }

  dispose(): void { this.timeline.untrack(this.changes); }

  private takeGroups(now: number): Group[] {
    const groups: Group[] = [];
    let letters = 0;
    for (const waiting of [this.unknown, this.outdated]) {
      for (const id of waiting) {
        if (groups.length === MAX_GROUPS_PER_DELTA || letters >= MAX_NAME_LETTERS_PER_DELTA) return groups;
        waiting.delete(id);
        const group = this.timeline.group(id, now);
        if (!group) continue;
        this.known.add(id);
        if (group.end === undefined) this.running.add(id); else this.running.delete(id);
        const cut = withShortNames(group);
        letters += lettersOf(cut.site) + lettersOf(cut.taskSite);
        groups.push(cut);
      }
    }
    return groups;
  }

  private takeThreads(): Delta['threads'] {
    const { threads } = this.timeline;
    if (threads.length === this.threads) return undefined;
    this.threads = threads.length;
    return threads.slice();
  }

  private takeActivity(): Delta['activity'] {
    const { activity } = this.timeline;
    if (this.activity === activity.length) return undefined;
    const taken = activity.slice(this.activity, MAX_ACTIVITY_PER_DELTA);
    this.activity += taken.length;
    return taken;
  }

  private takeLabels(): [number, string][] {
    this.labels = this.labels.concat(this.changes.takeLabels());
    const taken = this.labels.slice(0, MAX_LABELS_PER_DELTA);
    this.labels = this.labels.slice(taken.length);
    return taken.map((id) => [id, (this.timeline.labelOf(id) ?? '').slice(0, MAX_LABEL_LENGTH)]);
  }

  private takeErrors(): Delta['errors'] {
    this.errors = this.errors.concat(this.changes.takeErrors());
    const taken = this.errors.slice(0, MAX_LABELS_PER_DELTA);
    this.errors = this.errors.slice(taken.length);
    return taken.length === 0 ? undefined : taken.map((id) => [id, (this.timeline.errorOf(id) ?? '').slice(0, MAX_LABEL_LENGTH)]);
  }

  private gather(ids: readonly number[]): TaskColumns {
    const { tasks } = this.timeline;
    const out = createTaskColumns(ids.length);
    ids.forEach((id, at) => {
      const row = id - 1;
      out.id[at] = id;
      out.group[at] = tasks.group[row];
      out.ordinal[at] = tasks.ordinal[row];
      out.lane[at] = tasks.lane[row];
      out.chunk[at] = tasks.chunk[row];
      out.queued[at] = tasks.queued[row];
      out.start[at] = tasks.start[row];
      out.end[at] = tasks.end[row];
      out.state[at] = tasks.state[row];
    });
    out.length = ids.length;
    return out;
  }
}

const withShortNames = (group: Group): Group => ({ ...group, site: group.site && cutSite(group.site), taskSite: group.taskSite && cutSite(group.taskSite) });
const cutSite = (site: Site): Site => ({ ...site, file: site.file.slice(0, MAX_NAME_LENGTH), function: site.function.slice(0, MAX_NAME_LENGTH) });
const lettersOf = (site: Site | undefined): number => (site ? site.file.length + site.function.length : 0);
