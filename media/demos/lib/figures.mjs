// The figures a demo ends with: what was measured beside what the document says and what theory expects.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COLUMN = 17;
const tables = [];

/**
 * Prints a table, and keeps it for the lesson.
 * @param table its name, subject which of several such tables it is, title its words, columns their words by their names, rows of as many cells
 */
export function tellTable({ table, subject = '', title, columns, rows }) {
  tables.push({ table, subject, title, columns: Object.entries(columns).map(([column, label]) => ({ column, label })), rows });
  const head = Object.values(columns);
  const widths = head.map((label, i) => Math.max(label.length, ...rows.map((row) => row[i].length)));
  const line = (cells) => `  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('   ').trimEnd()}`;
  console.log(['', `${subject && `${subject}: `}${title}`, line(head), ...rows.map(line)].join('\n'));
}

/**
 * Prints the table, and leaves it for the lesson where the run is recorded.
 * @param values the parameters of this run
 * @param rows { figure: its name, label: its words, unit, measured, documented, expected, atLeast, atMost }: `documented` is a number,
 *   or a range as text; `expected` is what theory says, or with `atLeast` and `atMost` what it allows; what is not known is left out
 * @param why what makes the measured figures differ from the document's, in a sentence or two
 */
export function tellFigures(values, rows, why) {
  const width = Math.max(...rows.map(({ label }) => label.length));
  console.log(`\n${''.padEnd(width)}  ${['measured', 'the document', 'theory'].map((title) => title.padStart(COLUMN)).join('')}`);
  for (const { label, unit, measured, documented, expected, atLeast, atMost } of rows) {
    const theory = `${expected === undefined ? '' : atLeast ? '≥ ' : atMost ? '≤ ' : ''}${inUnit(expected, unit)}`;
    console.log(`${label.padEnd(width)}  ${[inUnit(measured, unit), inUnit(documented, unit), theory].map((cell) => cell.padStart(COLUMN)).join('')}`);
  }
  console.log(`\nWhy they differ: ${why}`);
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
  if (scale !== 1) console.log(`Time scale ${scale}: what takes ${documentedSeconds} s takes about ${Number((documentedSeconds * scale).toPrecision(2))} s here.`);
}
