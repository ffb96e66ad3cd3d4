/** What the threads of a run went through besides tasks: rows that are only ever added. */
import { copyActivity, createActivityColumns, type Activity, type ActivityColumns } from '../model/activity';

export class ActivityTable {
  private columns = createActivityColumns(256);

  get length(): number { return this.columns.length; }
  /** Read only; another object once it has grown. */
  get rows(): ActivityColumns { return this.columns; }

  add({ thread, kind, start, end, count, most, limit }: Activity): void {
    const at = this.columns.length;
    if (at === this.columns.kind.length) {
      const grown = createActivityColumns(at * 2);
      copyActivity(this.columns, 0, at, grown, 0);
      this.columns = grown;
    }
    const { columns } = this;
    columns.thread[at] = thread;
    columns.kind[at] = kind;
    columns.start[at] = start;
    columns.end[at] = end;
    columns.count[at] = count;
    columns.most[at] = most;
    columns.limit[at] = limit;
    columns.length = at + 1;
  }

  /** @returns at most `limit` rows from row `from` (0-based) on, copied */
  slice(from: number, limit: number): ActivityColumns {
    const length = Math.min(limit, this.columns.length - from);
    const out = createActivityColumns(length);
    copyActivity(this.columns, from, from + length, out, 0);
    out.length = length;
    return out;
  }
}
