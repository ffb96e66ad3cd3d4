/** The figures of all runs of a demo, the document's beside them. */
import type { Demo, DemoRun, Figure } from '../../src/model/demos';
import { element } from '../dom';
import type { Speak } from '../words/speak';
import { headCell, toldTables } from './told-tables';

/** Older runs leave the table. */
const SHOWN_RUNS = 4;

/** @param labelOf a name in the reader's language */
export function figuresTable(demo: Demo, runs: readonly DemoRun[], labelOf: (name: string, english: string) => string, speak: Speak): HTMLElement {
  const holder = element('section', 'lesson-figures', element('h2', '', speak('lesson.figures')));
  const last = runs.at(-1);
  if (!last) {
    holder.append(element('p', 'lesson-none', speak('lesson.noRuns')));
    return holder;
  }
  const first = Math.max(0, runs.length - SHOWN_RUNS);
  const shown = runs.slice(first);
  const rows = new Map(shown.flatMap((run) => run.rows.map((row) => [row.figure, row])));
  // What document and theory say depends on the parameters: it stands for the last run.
  const head = element('tr', '', ...[speak('lesson.figure'), speak('lesson.document'), speak('lesson.theory'),
    ...shown.map((_, i) => speak('lesson.runNumber', { number: first + i + 1 }))].map((text) => headCell('col', text)));
  const body = [...rows.values()].map(({ figure, label, unit }) => {
    const now = last.rows.find((row) => row.figure === figure);
    return element('tr', '', headCell('row', unit === '' ? labelOf(figure, label) : `${labelOf(figure, label)} (${unit})`), element('td', 'documented', cellOf(now?.documented)), element('td', '', theory(now)),
      ...shown.map((run) => element('td', 'measured', cellOf(run.rows.find((row) => row.figure === figure)?.measured))));
  });
  const table = element('table', '', element('thead', '', head), element('tbody', '', ...body));
  holder.append(element('div', 'lesson-table', table), element('p', 'lesson-why', speak('lesson.why', { why: labelOf('why', last.why) })),
    element('ul', 'lesson-runs', ...shown.map((run, i) => element('li', '', speak('lesson.runWith', { number: first + i + 1, values: changedOf(demo, run) || speak('lesson.own') })))), ...toldTables(last.tables, labelOf));
  return holder;
}

const theory = (row: Figure | undefined): string => `${row?.expected === undefined ? '' : row.atLeast ? '≥ ' : row.atMost ? '≤ ' : ''}${cellOf(row?.expected)}`;

/** The parameters that were not as the script has them: `count 20, size 5`. */
function changedOf({ parameters }: Demo, { values }: DemoRun): string {
  return Object.entries(values).filter(([name, value]) => Object.hasOwn(parameters, name) && parameters[name].is !== value).map(([name, value]) => `${name} ${value}`).join(', ');
}

/** Four figures at the most, as the script prints them. */
function cellOf(value: number | string | undefined): string {
  if (value === undefined) return '–';
  if (typeof value === 'string') return value;
  const size = Math.abs(value);
  const digits = size >= 1000 || Number.isInteger(value) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toFixed(digits).replace('-', '\u2212');
}
