/** What changed in a timeline since somebody last looked; each looker has one of its own. */
export class ChangeSet {
  private marked = new Uint8Array(1024);
  private queue: number[] = [];
  private readonly touchedGroups = new Set<number>();
  private readonly goneGroups = new Set<number>();
  private readonly touchedLabels = new Set<number>();
  private readonly touchedErrors = new Set<number>();

  get isEmpty(): boolean {
    return this.queue.length === 0 && this.touchedGroups.size === 0 && this.goneGroups.size === 0 && this.touchedLabels.size === 0 && this.touchedErrors.size === 0;
  }

  markTask(id: number): void {
    if (id >= this.marked.length) {
      const grown = new Uint8Array(Math.max(id + 1, this.marked.length * 2));
      grown.set(this.marked);
      this.marked = grown;
    }
    if (this.marked[id]) return;
    this.marked[id] = 1;
    this.queue.push(id);
  }

  markGroup(id: number): void { this.touchedGroups.add(id); }
  markLabel(task: number): void { this.touchedLabels.add(task); }
  markError(task: number): void { this.touchedErrors.add(task); }

  markGone(id: number): void {
    this.touchedGroups.delete(id);
    this.goneGroups.add(id);
  }

  /** At most `limit` ids of changed tasks, oldest change first; they count as seen. */
  takeTasks(limit: number): number[] {
    const taken = this.queue.length <= limit ? this.queue : this.queue.slice(0, limit);
    this.queue = this.queue.length <= limit ? [] : this.queue.slice(limit);
    for (const id of taken) this.marked[id] = 0;
    return taken;
  }

  takeGroups(): number[] { return drain(this.touchedGroups); }
  takeGone(): number[] { return drain(this.goneGroups); }
  takeLabels(): number[] { return drain(this.touchedLabels); }
  takeErrors(): number[] { return drain(this.touchedErrors); }
}

function drain(set: Set<number>): number[] {
  const all = [...set];
  set.clear();
  return all;
}
