/** A lesson comes from outside: what is not as `protocol.ts` says is left out, and what is too much is cut. */
import type { DemoRun, DemoTable, Figure, Parameter, Parameters, Values } from '../../src/model/demos';
import type { Lesson } from '../../src/model/protocol';
import { fields, list, text } from '../fields';

const MAX_RUNS = 20;
const MAX_ROWS = 200;
const MAX_PARAMETERS = 50;
const MAX_TABLES = 20;
const MAX_COLUMNS = 20;

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** @throws Error with a sentence where there is no demo to tell of */
export function parseLesson(message: Lesson): Lesson {
  const raw = fields(message);
  const demo = fields(raw.demo);
  const name = text(demo.name);
  if (name === '') throw new Error('a lesson without a demo');
  return {
    type: 'lesson', locale: text(raw.locale), isRunning: raw.isRunning === true, values: values(raw.values),
    demo: { name, about: text(demo.about), parameters: parameters(demo.parameters) },
    runs: list(raw.runs, MAX_RUNS).map((run): DemoRun => {
      const { values: used, rows, why, tables } = fields(run);
      return { values: values(used), rows: list(rows, MAX_ROWS).flatMap(figure), why: text(why), tables: list(tables, MAX_TABLES).map(tableOf) };
    }),
  };
}

function tableOf(value: unknown): DemoTable {
  const { table, subject, title, columns, rows } = fields(value);
  const heads = list(columns, MAX_COLUMNS).map((head) => ({ column: text(fields(head).column), label: text(fields(head).label) }));
  return { table: text(table), subject: text(subject), title: text(title), columns: heads, rows: list(rows, MAX_ROWS).map((row) => heads.map((_, i) => text(list(row, MAX_COLUMNS)[i]))) };
}

function values(value: unknown): Values {
  return Object.fromEntries(Object.entries(fields(value)).slice(0, MAX_PARAMETERS).filter((entry): entry is [string, number | string] => isNumber(entry[1]) || typeof entry[1] === 'string'));
}

function parameters(value: unknown): Parameters {
  return Object.fromEntries(Object.entries(fields(value)).slice(0, MAX_PARAMETERS).flatMap(([name, spec]): [string, Parameter][] => {
    const { is, of, from, to, step, atMost, about } = fields(spec);
    if (Array.isArray(of) && typeof is === 'string') return [[name, { is, of: of.map(text), about: text(about) }]];
    if (!isNumber(is) || !isNumber(from) || !isNumber(to) || to < from) return [];
    return [[name, { is, from, to, step: isNumber(step) && step > 0 ? step : 1, atMost: text(atMost) || undefined, about: text(about) }]];
  }));
}

function figure(value: unknown): Figure[] {
  const { figure: name, label, unit, measured, documented, expected, atLeast, atMost } = fields(value);
  if (typeof name !== 'string' || !isNumber(measured)) return [];
  return [{
    figure: text(name), label: text(label), unit: text(unit), measured, atLeast: atLeast === true, atMost: atMost === true,
    documented: isNumber(documented) || typeof documented === 'string' ? documented : undefined, expected: isNumber(expected) ? expected : undefined,
  }];
}
