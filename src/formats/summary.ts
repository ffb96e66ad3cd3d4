/** The short text that ends a run on the command line: a line a group. */
import { basename } from 'node:path';
import type { Group } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import { groupsOf } from './report';
import { duration, endOf, kindOf } from './words';

const MAX_GROUPS = 25;

export function summaryOf(run: RunSource): string {
  const state = run.state();
  const groups = groupsOf(run);
  const lines = [`${run.info.title}: ${endOf(state)} after ${duration(state.elapsedMs)}${state.complete ? '' : ', its last moments may be missing'}`];
  lines.push(...table(groups.slice(0, MAX_GROUPS).map(cellsOf)).map((line) => `  ${line}`));
  if (groups.length > MAX_GROUPS) lines.push(`  and ${groups.length - MAX_GROUPS} groups more (--report writes them all)`);
  lines.push(...state.notices.map((notice) => `${notice.severity}: ${notice.text}`));
  return `${lines.join('\n')}\n`;
}

function cellsOf(group: Group): string[] {
  const { metrics } = group;
  const place = group.site ?? group.taskSite;
  const outcome = [group.rejected > 0 ? `${group.rejected} rejected` : '', group.pending > 0 ? `${group.pending} never settled` : ''].filter((text) => text !== '');
  return [
    kindOf(group),
    place ? `${basename(place.file)}:${place.line}` : '?',
    count(group.taskCount, 'task') + (outcome.length > 0 ? ` (${outcome.join(', ')})` : ''),
    count(group.lanes, 'lane') + (group.chunks === undefined ? '' : ` × ${count(group.chunks, 'chunk')}`),
    duration(metrics.makespanMs),
    `idle ${duration(metrics.idleMs)} (${Math.round((1 - metrics.utilization) * 100)} %)`,
  ];
}

/** Columns padded to the same width, the last one ragged. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]))).join('  '));
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
