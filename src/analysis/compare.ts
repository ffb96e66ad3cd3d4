/** Which groups of two runs stand for the same piece of code, what differs between them, and what is usual for it. */
import type { GroupFigures, MatchedBy } from '../model/comparison';
import type { GroupKind, Site } from '../model/timeline';

/** What a group is known again by in another run. */
export interface Recognizable {
  readonly kind: GroupKind;
  readonly name?: string;
  readonly site?: Site;
  readonly taskSite?: Site;
}

export interface Match<G> {
  readonly first?: G;
  readonly second?: G;
  readonly by?: MatchedBy;
}

interface Rule {
  readonly by: MatchedBy;
  /** Groups of the same key match, the k-th with the k-th; undefined: this rule says nothing of it. */
  key(group: Recognizable): string | undefined;
  /** Matches only what is the only one of its key in both runs. */
  readonly onlyAlone?: true;
}

const key = (...parts: readonly (string | number)[]): string => parts.join('\n');
const lineOf = ({ file, line, column }: Site): string => key(file, line, column);
const functionOf = ({ file, function: name }: Site): string => key(file, name);

/** From certain to likely: code that was changed between two runs has moved, and a chunk loop may have become a pool. */
const RULES: readonly Rule[] = [
  { by: 'place', key: ({ kind, name, site }) => (site ? key(kind, lineOf(site)) : name === undefined ? undefined : key(kind, name)) },
  { by: 'function', key: ({ kind, site, taskSite }) => (site && taskSite ? key(kind, functionOf(site), functionOf(taskSite)) : undefined) },
  { by: 'function', key: ({ site, taskSite }) => (site && taskSite ? key(functionOf(site), functionOf(taskSite)) : undefined) },
  { by: 'function', key: ({ taskSite }) => (taskSite ? functionOf(taskSite) : undefined) },
  { by: 'kind', key: ({ kind }) => kind, onlyAlone: true },
  { by: 'kind', key: () => '', onlyAlone: true },
];

/**
 * Each group is in one match. O(n)
 * @param first @param second in the order in which they began
 * @returns in the order of `first`; what only `second` has comes last
 */
export function matchGroups<G extends Recognizable>(first: readonly G[], second: readonly G[]): Match<G>[] {
  const partners = new Map<G, { readonly second: G; readonly by: MatchedBy }>();
  let left = first;
  let right = second;
  for (const rule of RULES) {
    const free = byKey(right, rule);
    const asked = byKey(left, rule);
    const taken = new Set<G>();
    for (const [name, groups] of asked) {
      const others = free.get(name) ?? [];
      if (rule.onlyAlone && (groups.length > 1 || others.length > 1)) continue;
      groups.slice(0, others.length).forEach((group, k) => {
        partners.set(group, { second: others[k], by: rule.by });
        taken.add(others[k]);
      });
    }
    left = left.filter((group) => !partners.has(group));
    right = right.filter((group) => !taken.has(group));
  }
  return [
    ...first.map((group): Match<G> => ({ first: group, ...partners.get(group) })),
    ...right.map((group): Match<G> => ({ second: group })),
  ];
}

function byKey<G extends Recognizable>(groups: readonly G[], rule: Rule): Map<string, G[]> {
  const found = new Map<string, G[]>();
  for (const group of groups) {
    const name = rule.key(group);
    if (name === undefined) continue;
    const same = found.get(name);
    if (same) same.push(group); else found.set(name, [group]);
  }
  return found;
}

export const MEASURES = ['makespan', 'utilization', 'idle', 'median', 'p95', 'tasks', 'lanes', 'limit', 'rejected', 'pending'] as const;
export type Measure = (typeof MEASURES)[number];

/** `changed`: neither is better, it is another piece of work. */
export type Verdict = 'better' | 'worse' | 'same' | 'changed';

export interface Change {
  readonly measure: Measure;
  /** Milliseconds, a share of 0 to 1, or a count; undefined where there is none. */
  readonly first: number | undefined;
  readonly second: number | undefined;
  /** Second less first; undefined where one is missing. */
  readonly difference: number | undefined;
  /** The difference by the first; undefined where that is 0 or missing. */
  readonly share: number | undefined;
  readonly verdict: Verdict | undefined;
}

/** Times and shares that differ by less than this part of the larger one count as the same: clocks and timers are no finer. */
const SAME_SHARE = 0.01;

const VALUES: Readonly<Record<Measure, (figures: GroupFigures) => number | undefined>> = {
  makespan: ({ makespanMs }) => makespanMs, utilization: ({ utilization }) => utilization, idle: ({ idleMs }) => idleMs,
  median: ({ medianMs }) => medianMs, p95: ({ p95Ms }) => p95Ms, tasks: ({ tasks }) => tasks, lanes: ({ lanes }) => lanes,
  limit: ({ limit }) => limit, rejected: ({ rejected }) => rejected, pending: ({ pending }) => pending,
};
const LESS_IS_BETTER: ReadonlySet<Measure> = new Set<Measure>(['makespan', 'idle', 'median', 'p95', 'rejected', 'pending']);
const COUNTS: ReadonlySet<Measure> = new Set<Measure>(['tasks', 'lanes', 'limit', 'rejected', 'pending']);
/** Left out where neither group has anything to tell. */
const SELDOM: ReadonlySet<Measure> = new Set<Measure>(['limit', 'pending']);

/** The measures of two groups, or of the one there is, side by side. */
export function changesOf(first: GroupFigures | undefined, second: GroupFigures | undefined): Change[] {
  const room = Math.max(...[first, second].map((figures) => (figures ? figures.lanes * figures.makespanMs : 0)));
  return MEASURES
    .map((measure) => changeOf(measure, first && VALUES[measure](first), second && VALUES[measure](second), room))
    .filter((change) => !SELDOM.has(change.measure) || (change.first ?? 0) > 0 || (change.second ?? 0) > 0);
}

/** @param room slot time of the larger group, milliseconds: what is idle is what is left of it, and as uncertain as all of it */
function changeOf(measure: Measure, first: number | undefined, second: number | undefined, room: number): Change {
  if (first === undefined || second === undefined) return { measure, first, second, difference: undefined, share: undefined, verdict: undefined };
  const difference = second - first;
  const tolerance = COUNTS.has(measure) ? 0 : SAME_SHARE * (measure === 'idle' ? room : Math.max(first, second));
  return { measure, first, second, difference, share: first > 0 ? difference / first : undefined, verdict: verdictOf(measure, first, second, tolerance) };
}

function verdictOf(measure: Measure, first: number, second: number, tolerance: number): Verdict {
  if (Math.abs(second - first) <= tolerance) return 'same';
  if (measure === 'utilization') return second > first ? 'better' : 'worse';
  if (!LESS_IS_BETTER.has(measure)) return 'changed';
  return second < first ? 'better' : 'worse';
}

/** Times in milliseconds. */
export interface Spread {
  readonly n: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
  /** The largest less the smallest. */
  readonly range: number;
}

/** @param values ascending @returns undefined of none */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const middle = (n - 1) / 2;
  return { n, min: values[0], median: (values[Math.floor(middle)] + values[Math.ceil(middle)]) / 2, max: values[n - 1], range: values[n - 1] - values[0] };
}

/** So many other runs tell what is usual. */
const ENOUGH = 3;

/**
 * Whether both of two makespans lie among those of the other runs: then their difference says nothing of a change of the code.
 * @param values of all runs, these two among them @returns undefined where there are too few others
 */
export function isUsual(values: readonly number[], first: number, second: number): boolean | undefined {
  const others = [...values];
  for (const one of [first, second]) {
    const at = others.indexOf(one);
    if (at >= 0) others.splice(at, 1);
  }
  if (others.length < ENOUGH) return undefined;
  const [low, high] = [Math.min(...others), Math.max(...others)];
  return [first, second].every((value) => low <= value && value <= high);
}
