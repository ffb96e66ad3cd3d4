// The figures a demo ends with: what was measured beside what the document says and what theory expects.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf, padEnd, padStart, say, widthOf } from './say.mjs';

const COLUMN = 17;
const tables = [];

/**
 * Prints a table, and keeps it for the lesson.
 * @param table its name, subject which of several such tables it is, title its words, columns their words by their names, rows of as many cells
 */
export function tellTable({ table, subject = '', title, columns, rows }) {
  tables.push({ table, subject, title, columns: Object.entries(columns).map(([column, label]) => ({ column, label })), rows });
  const head = Object.entries(columns).map(([column, label]) => labelOf(`${table}.${column}`, label));
  const cells = rows.map((row) => row.map((cell) => labelOf(cell, cell)));
  const widths = head.map((label, i) => Math.max(widthOf(label), ...cells.map((row) => widthOf(row[i]))));
  const line = (row) => `  ${row.map((cell, i) => (i === 0 ? padEnd(cell, widths[i]) : padStart(cell, widths[i]))).join('   ').trimEnd()}`;
  console.log(['', `${subject && `${labelOf(subject, subject)}: `}${labelOf(table, title)}`, line(head), ...cells.map(line)].join('\n'));
}

/**
 * Prints the table, and leaves it for the lesson where the run is recorded.
 * @param values the parameters of this run
 * @param rows { figure: its name, label: its words, unit, measured, documented, expected, atLeast, atMost }: `documented` is a number,
 *   or a range as text; `expected` is what theory says, or with `atLeast` and `atMost` what it allows; what is not known is left out
 * @param why what makes the measured figures differ from the document's, in a sentence or two
 */
export function tellFigures(values, rows, why) {
  const named = rows.map(({ figure, label }) => labelOf(figure, label));
  const width = Math.max(...named.map(widthOf));
  console.log(`\n${' '.repeat(width)}  ${[say`measured`, say`the document`, say`theory`].map((title) => padStart(title, COLUMN)).join('')}`);
  for (const [i, { unit, measured, documented, expected, atLeast, atMost }] of rows.entries()) {
    const theory = `${expected === undefined ? '' : atLeast ? '≥ ' : atMost ? '≤ ' : ''}${inUnit(expected, unit)}`;
    console.log(`${padEnd(named[i], width)}  ${[inUnit(measured, unit), inUnit(documented, unit), theory].map((cell) => cell.padStart(COLUMN)).join('')}`);
  }
  console.log(`\n${say`Why they differ: ${labelOf('why', why)}`}`);
  // Set by Async Lanes while it records a run; the recording keeps the figures.
  const folder = process.env.ASYNC_LANES_DIR;
  if (folder) writeFileSync(join(folder, 'figures.json'), JSON.stringify({ values, rows, why, tables }));
}

function inUnit(value, unit) {
  if (value === undefined) return '–';
  if (typeof value === 'string') return `${value} ${unit}`.trim();
  const digits = Math.abs(value) >= 1000 || Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3;
  return `${value.toFixed(digits).replace('-', '−')}${unit === '' ? '' : ` ${unit}`}`;
}

/** Says how long the document's times are here. @param documentedSeconds what the whole takes in the document */
export function tellScale(scale, documentedSeconds) {
  if (scale !== 1) console.log(say`Time scale ${scale}: what takes ${documentedSeconds} s takes about ${Number((documentedSeconds * scale).toPrecision(2))} s here.`);
}
