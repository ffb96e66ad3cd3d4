/** A run as Markdown: a line on the run and a table of its groups. */
import { basename } from 'node:path';
import type { Group, Site } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import { groupsOf } from './report';
import { duration, endOf, kindOf } from './words';

const COLUMNS = ['Kind', 'Place', 'Task', 'Tasks', 'Lanes', 'Chunks', 'Elapsed', 'Busy', 'Idle', 'Utilization', 'Rejected', 'Never settled'];

export function* markdownPieces(run: RunSource): Generator<string> {
  const state = run.state();
  yield `# ${escape(run.info.title)}\n\n`;
  yield `\`${run.info.command.join(' ').replaceAll('`', "'")}\` ${endOf(state)} after ${duration(state.elapsedMs)}${run.info.node === '' ? '' : `, Node ${escape(run.info.node)}`}.\n\n`;
  for (const notice of state.notices) yield `> ${escape(notice.text)}\n\n`;
  yield `| ${COLUMNS.join(' | ')} |\n|${COLUMNS.map((_, column) => (column < 3 ? ' --- |' : ' ---: |')).join('')}\n`;
  for (const group of groupsOf(run)) yield `| ${cellsOf(group).map(escape).join(' | ')} |\n`;
}

function cellsOf(group: Group): string[] {
  const { makespanMs, busyMs, idleMs, utilization } = group.metrics;
  return [
    kindOf(group), place(group.site), place(group.taskSite),
    String(group.taskCount), String(group.lanes), group.chunks === undefined ? '' : String(group.chunks),
    duration(makespanMs), duration(busyMs), duration(idleMs), `${Math.round(utilization * 100)} %`,
    String(group.rejected), String(group.pending),
  ];
}

export const place = (site: Site | undefined): string => (site ? `${basename(site.file)}:${site.line}${site.function === '' ? '' : ` ${site.function}`}` : '');

/** Names come from other people's code: nothing in them is markup. */
export const escape = (text: string): string => text.replace(/[\\`*_[\]<>|#]/g, '\\$&').replace(/\s+/g, ' ');
