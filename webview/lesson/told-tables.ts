/** What the last run of a demo told as tables: its stages, its settings, its single runs. */
import type { DemoTable } from '../../src/model/demos';
import { element } from '../dom';

/** @param labelOf a name in the reader's language */
export function toldTables(tables: readonly DemoTable[], labelOf: (name: string, english: string) => string): HTMLElement[] {
  return tables.map(({ table, subject, title, columns, rows }) => {
    const words = labelOf(table, title);
    const head = element('tr', '', ...columns.map(({ column, label }) => headCell('col', labelOf(`${table}.${column}`, label))));
    const body = rows.map(([first = '', ...cells]) => element('tr', '', headCell('row', labelOf(first, first)), ...cells.map((cell) => element('td', '', labelOf(cell, cell)))));
    return element('details', 'lesson-told', element('summary', '', subject === '' ? words : `${labelOf(subject, subject)}: ${words}`),
      element('div', 'lesson-table', element('table', '', element('thead', '', head), element('tbody', '', ...body))));
  });
}

/** A cell that names its column or its row. */
export function headCell(scope: 'col' | 'row', text: string): HTMLElement {
  const cell = element('th', '', text);
  cell.scope = scope;
  return cell;
}
