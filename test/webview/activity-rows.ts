/** What threads went through, row by row, as a delta has it. */
import { createActivityColumns, type Activity, type ActivityColumns } from '../../src/model/activity';

export function activityRows(...all: readonly (Partial<Activity> & { readonly kind: number; readonly start: number; readonly end: number })[]): ActivityColumns {
  const columns = createActivityColumns(all.length);
  columns.length = all.length;
  all.forEach((row, i) => {
    columns.start[i] = row.start; columns.end[i] = row.end; columns.kind[i] = row.kind; columns.thread[i] = row.thread ?? 1;
    columns.count[i] = row.count ?? 0; columns.most[i] = row.most ?? row.count ?? 0; columns.limit[i] = row.limit ?? 0;
  });
  return columns;
}
