/** A comparison comes from outside: what is not as `model/comparison.ts` says is left out, and what is too much is cut. */
import { MATCHED_BY, type ComparedGroups, type ComparedRun, type Comparison, type GroupFigures, type Repeats } from '../../src/model/comparison';
import { fields, list, text } from '../fields';
import { isCombinator, isKind, parseSite, parseState } from '../store/parse';

const MAX_ROWS = 1000;
const MAX_REPEATS = 1000;

const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const figure = (value: unknown): number | undefined => (isFigure(value) ? value : undefined);

/** @throws Error with a sentence where there are no two runs */
export function parseComparison(message: Comparison): Comparison {
  const raw = fields(message);
  const [first, second] = list(raw.runs, 2).map(parseRun);
  if (!first || !second) throw new Error('a comparison without two runs');
  return { type: 'comparison', locale: text(raw.locale), runs: [first, second], groups: list(raw.groups, MAX_ROWS).flatMap(parseGroups), more: figure(raw.more) ?? 0 };
}

function parseRun(value: unknown): ComparedRun {
  const { title, startedAt, state } = fields(value);
  return { title: text(title), startedAt: figure(startedAt) ?? 0, state: parseState(state) };
}

function parseGroups(value: unknown): ComparedGroups[] {
  const { first, second, matchedBy, repeats } = fields(value);
  const groups: ComparedGroups = {
    first: parseFigures(first), second: parseFigures(second), matchedBy: MATCHED_BY.find((each) => each === matchedBy), repeats: list(repeats, 2).flatMap(parseRepeats),
  };
  return groups.first || groups.second ? [groups] : [];
}

function parseRepeats(value: unknown): Repeats[] {
  const { of, makespansMs } = fields(value);
  if (of !== 'both' && of !== 'first' && of !== 'second') return [];
  return [{ of, makespansMs: list(makespansMs, MAX_REPEATS).filter(isFigure).sort((a, b) => a - b) }];
}

function parseFigures(value: unknown): GroupFigures | undefined {
  const { group, kind, combinator, name, library, site, taskSite, ...rest } = fields(value);
  const { tasks, lanes, makespanMs, idleMs, utilization, rejected, pending } = rest;
  if (!isKind(kind) || ![group, tasks, lanes, makespanMs, idleMs, utilization, rejected, pending].every(isFigure)) return undefined;
  return {
    group: figure(group) ?? 0, kind, combinator: isCombinator(combinator) ? combinator : undefined, name: text(name) || undefined, library: text(library) || undefined, site: parseSite(site), taskSite: parseSite(taskSite),
    tasks: figure(tasks) ?? 0, lanes: figure(lanes) ?? 0, limit: figure(rest.limit), makespanMs: figure(makespanMs) ?? 0, idleMs: figure(idleMs) ?? 0,
    utilization: figure(utilization) ?? 0, medianMs: figure(rest.medianMs), p95Ms: figure(rest.p95Ms), rejected: figure(rejected) ?? 0, pending: figure(pending) ?? 0,
  };
}
