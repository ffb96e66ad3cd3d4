/**
 * What a reader searches tasks by. Terms stand side by side and all have to hold; a minus before one turns it round:
 *
 *   user 42            the label, the error, the function, the file, or the number of the task
 *   "two words"        with blanks in it
 *   status:rejected    pending, fulfilled, rejected, aborted, timedout, ignored, queued (it had to wait)
 *   lane:3  chunk:2  group:1  task:12      a number, or from–to as 3-5, or 2+6: 2 and every sixth after it
 *   at:lookup.mjs:20   place of the group or of the task's function
 *   dur>200ms          also start, end and wait, with > >= < <= and ns, us, ms, s, min, h; without a unit ms
 */
export type Status = 'pending' | 'fulfilled' | 'rejected' | 'aborted' | 'timedout' | 'ignored' | 'queued';
export type NumberField = 'lane' | 'chunk' | 'group' | 'task';
export type TimeField = 'dur' | 'start' | 'end' | 'wait';

export type Condition =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'status'; readonly status: Status }
  /** `step`: every how many from `from` on. */
  | { readonly kind: 'number'; readonly field: NumberField; readonly from: number; readonly to: number; readonly step: number }
  /** `over`: greater than; `orEqual`: or equal to it. Milliseconds. */
  | { readonly kind: 'time'; readonly field: TimeField; readonly over: boolean; readonly orEqual: boolean; readonly ms: number }
  | { readonly kind: 'place'; readonly file: string; readonly line: number | undefined };

export type Term = Condition & { readonly negated: boolean };

export type QueryError = { readonly why: 'status' | 'number' | 'time' | 'field'; readonly term: string };
export type Query = { readonly terms: readonly Term[]; readonly error?: undefined } | { readonly terms?: undefined; readonly error: QueryError };

const STATUSES: readonly string[] = ['pending', 'fulfilled', 'rejected', 'aborted', 'timedout', 'ignored', 'queued'] satisfies Status[];
const NUMBERS: readonly string[] = ['lane', 'chunk', 'group', 'task'] satisfies NumberField[];
const TIMES: readonly string[] = ['dur', 'start', 'end', 'wait'] satisfies TimeField[];
const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, 'µs': 1e-3, ms: 1, s: 1000, min: 60_000, h: 3_600_000 };
const TERM = /-?(?:[a-z]+:)?"[^"]*"?|\S+/giu;
/** More would be no question a person asks. */
const MOST_TERMS = 50;

export function parseQuery(text: string): Query {
  const terms: Term[] = [];
  for (const [written] of [...text.matchAll(TERM)].slice(0, MOST_TERMS)) {
    const negated = written.length > 1 && written.startsWith('-');
    const condition = parseCondition(negated ? written.slice(1) : written);
    if (typeof condition === 'string') return { error: { why: condition, term: written } };
    terms.push({ ...condition, negated });
  }
  return { terms };
}

function parseCondition(written: string): Condition | QueryError['why'] {
  const compared = /^([a-z]+)(>=|<=|>|<)(.*)$/iu.exec(written);
  if (compared) return comparison(compared[1].toLowerCase(), compared[2], compared[3]);
  const [, name, rest] = /^([a-z]+):(.*)$/iu.exec(written) ?? [];
  if (name === undefined) return { kind: 'text', text: unquoted(written).toLowerCase() };
  const field = name.toLowerCase();
  const value = unquoted(rest);
  if (field === 'status') return parseStatus(value.toLowerCase());
  if (field === 'at') {
    const [, file, line] = /^(.+?)(?::(\d+))?$/u.exec(value) ?? [];
    return file === undefined ? 'number' : { kind: 'place', file, line: line === undefined ? undefined : Number(line) };
  }
  if (!isNumberField(field)) return 'field';
  const [, from, to, step] = /^(\d+)(?:[-–](\d+)|\+(\d*[1-9]\d*))?$/u.exec(value) ?? [];
  return from === undefined ? 'number' : { kind: 'number', field, from: Number(from), to: step === undefined ? Number(to ?? from) : Infinity, step: Number(step ?? 1) };
}

function comparison(field: string, sign: string, value: string): Condition | QueryError['why'] {
  if (!isTimeField(field)) return 'field';
  const [, amount, unit] = /^(\d+(?:\.\d+)?|\.\d+)\s*([a-zµ]*)$/iu.exec(value) ?? [];
  const factor = UNITS[unit === '' ? 'ms' : unit?.toLowerCase() ?? ''];
  return factor === undefined ? 'time' : { kind: 'time', field, over: sign.startsWith('>'), orEqual: sign.length === 2, ms: Number(amount) * factor };
}

const unquoted = (text: string): string => text.replace(/^"|"$/gu, '');
const isStatus = (value: string): value is Status => STATUSES.includes(value);
const parseStatus = (value: string): Condition | 'status' => (isStatus(value) ? { kind: 'status', status: value } : 'status');
const isNumberField = (value: string): value is NumberField => NUMBERS.includes(value);
const isTimeField = (value: string): value is TimeField => TIMES.includes(value);
