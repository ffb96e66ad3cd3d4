/**
 * How a line of a log is taken apart. A pattern is a line with names in braces where something differs:
 *
 *     [{time}] [{thread}] {level} {message}
 *
 * Each name takes the text up to the next literal part, without blanks at its ends; the last one takes the rest. `{time}` and
 * `{thread}` have to be there; `{level}` and `{message}` are used where they are, any other name is skipped over. A line is
 * looked through once: no line takes longer than its length.
 */
import { Refusal } from '../session/refusal';

export interface LogLine {
  readonly time: string;
  readonly thread: string;
  /** Empty where the pattern has none. */
  readonly level: string;
  readonly message: string;
}

export interface LogPattern {
  readonly text: string;
  /** @returns undefined where the line is of another form */
  read(line: string): LogLine | undefined;
}

/** Tried in this order where nobody names a pattern: that of D5's service, Logback's, Log4j's, and a plain one. */
export const KNOWN_PATTERNS = [
  '[{time}] [{thread}] {level} {message}', '{date} {clock} [{thread}] {level} {message}', '{time} [{thread}] {level} {message}', '{time} {level} [{thread}] {message}', '{time} {thread} {message}',
] as const;

const MAX_PATTERN = 500;

/** @throws Refusal with a sentence where it is no pattern */
export function compilePattern(text: string): LogPattern {
  if (text.length > MAX_PATTERN) throw bad(`it is longer than ${MAX_PATTERN} letters`);
  const names: string[] = [];
  const literals = text.split(/\{(\w*)\}/).filter((part, i) => i % 2 === 0 || (names.push(part), false));
  const has = (name: string): boolean => names.includes(name);
  if (!has('thread')) throw bad('{thread} is missing, the name of the thread');
  if (!has('time') && !(has('date') && has('clock'))) throw bad('{time} is missing, the moment of the line');
  if (literals.slice(1, -1).includes('')) throw bad('between two names there has to be something to tell them apart');
  return { text, read: (line) => read(line, names, literals) };
}

function read(line: string, names: readonly string[], literals: readonly string[]): LogLine | undefined {
  if (!line.startsWith(literals[0])) return undefined;
  const found: Record<string, string> = {};
  let at = literals[0].length;
  for (let i = 0; i < names.length; i++) {
    // Blanks that pad a column belong to no name, and must not end it before it has begun.
    while (line.charCodeAt(at) === 32) at++;
    const next = literals[i + 1];
    const end = next === '' ? line.length : line.indexOf(next, at);
    if (end < 0) return undefined;
    found[names[i]] = line.slice(at, end).trim();
    at = end + next.length;
  }
  const { thread = '', level = '', message = '' } = found;
  const time = found.time ?? `${found.date} ${found.clock}`;
  return thread === '' || time === '' ? undefined : { time, thread, level, message };
}

/** The known pattern that fits most of some lines; the first where none fits any. */
export function guessPattern(lines: readonly string[], isTime: (text: string) => boolean): LogPattern {
  const patterns = KNOWN_PATTERNS.map(compilePattern);
  const fits = patterns.map((pattern) => lines.filter((line) => { const found = pattern.read(line); return found !== undefined && isTime(found.time); }).length);
  return patterns[fits.indexOf(Math.max(...fits))];
}

/** The pool of a thread: its name without the number at its end. `clientExecutor-10` → `clientExecutor`, `pool-1-thread-3` → `pool-1`, `main` → `main`. */
export const poolOf = (thread: string): string => thread.replace(/(?:[-_ ]?thread)?[-_# ]\d{1,9}$/i, '') || thread;

const bad = (why: string): Refusal => new Refusal('bad-pattern', `The pattern cannot be used: ${why}. It reads like ${KNOWN_PATTERNS[0]}.`);
