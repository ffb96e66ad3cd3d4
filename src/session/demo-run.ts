/** The figures a demo leaves beside its recording. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoRun, DemoTable, Figure } from '../model/demos';

const FILE = 'figures.json';
const MAX_BYTES = 1 << 20;
const MAX_ROWS = 200;
const MAX_TABLES = 20;
const MAX_COLUMNS = 20;

/** @param folder absolute path of the recording @returns undefined where a run left none, or none that can be read */
export function readDemoRun(folder: string): DemoRun | undefined {
  try {
    const file = join(folder, FILE);
    return statSync(file).size > MAX_BYTES ? undefined : parseDemoRun(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** A demo may have been edited by whoever teaches with it: what it writes is looked at like any input. */
export function parseDemoRun(value: unknown): DemoRun | undefined {
  if (!isFields(value) || !isFields(value.values) || !Array.isArray(value.rows)) return undefined;
  const rows = value.rows.slice(0, MAX_ROWS).flatMap((row: unknown): Figure[] => {
    if (!isFields(row) || typeof row.figure !== 'string' || !Number.isFinite(row.measured)) return [];
    const { documented, expected } = row;
    return [{
      figure: row.figure, label: text(row.label), unit: text(row.unit), measured: Number(row.measured),
      documented: typeof documented === 'string' || (typeof documented === 'number' && Number.isFinite(documented)) ? documented : undefined,
      expected: typeof expected === 'number' && Number.isFinite(expected) ? expected : undefined,
      atLeast: row.atLeast === true, atMost: row.atMost === true,
    }];
  });
  const values = Object.fromEntries(Object.entries(value.values).filter((entry): entry is [string, number | string] => typeof entry[1] === 'number' || typeof entry[1] === 'string'));
  return { values, rows, why: text(value.why), tables: list(value.tables, MAX_TABLES).flatMap(tableOf) };
}

function tableOf(value: unknown): DemoTable[] {
  if (!isFields(value) || typeof value.table !== 'string') return [];
  const columns = list(value.columns, MAX_COLUMNS).map((column) => (isFields(column) ? { column: text(column.column), label: text(column.label) } : { column: '', label: '' }));
  const rows = list(value.rows, MAX_ROWS).map((row) => columns.map((_, i) => (Array.isArray(row) ? text(row[i]) : '')));
  return [{ table: value.table, subject: text(value.subject), title: text(value.title), columns, rows }];
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const list = (value: unknown, most: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
