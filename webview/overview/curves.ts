/** What the overview shows: one curve of the whole run, one for each of two runs that are compared, or, where groups start at the same zero, one for each of the largest groups. */
import type { Group } from '../../src/model/timeline';
import { areOfTwoRuns } from '../diagram/compare';
import { endOf, originOf, type Align } from '../diagram/time-range';
import { groupTitle } from '../diagram/names';
import type { Traffic } from '../store/traffic';
import type { RunStore } from '../store/run-store';
import type { Speak } from '../words/speak';

export interface Curve {
  readonly traffic: Traffic;
  /** Empty where there is one curve only. */
  readonly name: string;
  /** Subtracted from the traffic's times to stand on the axis, ms. */
  readonly origin: number;
  /** Where it ends on the axis, ms. */
  readonly until: number;
}

/** What went on in a stretch of time. */
export interface Pace {
  /** Tasks in flight, the mean over the stretch. */
  readonly inFlight: number;
  /** Tasks ended. */
  readonly ended: number;
  readonly failed: number;
}

/** More would hide each other. */
export const MOST_CURVES = 3;
const RUNS = [1, 2] as const;

/** @param groups on the axis */
export function curvesOf(store: RunStore, groups: readonly Group[], align: Align, now: number, speak: Speak): Curve[] {
  if (groups.length === 0) return [];
  if (align === 'wall') {
    const until = groups.reduce((last, group) => Math.max(last, endOf(group, now)), 0);
    return areOfTwoRuns(groups) ? RUNS.map((run) => curveOfRun(store, groups, run, now, speak)) : [{ traffic: store.traffic, name: '', origin: 0, until }];
  }
  const largest = groups.toSorted((a, b) => b.taskCount - a.taskCount).slice(0, MOST_CURVES);
  const shown = groups.filter((group) => largest.includes(group));
  for (const [id, group] of store.groups) if (!group.showsInFlight && !shown.some((each) => each.id === id)) group.forgetTraffic();
  return shown.flatMap((group) => {
    const traffic = store.groups.get(group.id)?.traffic;
    const origin = originOf(group, align);
    return traffic ? [{ traffic, name: shown.length > 1 ? groupTitle(group, speak) : '', origin, until: endOf(group, now) - origin }] : [];
  });
}

function curveOfRun(store: RunStore, groups: readonly Group[], run: 1 | 2, now: number, speak: Speak): Curve {
  const until = groups.reduce((last, group) => (group.run === run ? Math.max(last, endOf(group, now)) : last), 0);
  return { traffic: store.trafficOfRun(run), name: speak('compare.run', { number: run }), origin: 0, until };
}

/** @param from @param to milliseconds on the axis */
export function paceIn({ traffic, origin, until }: Curve, from: number, to: number): Pace {
  const last = Math.min(to, until);
  if (last <= from) return { inFlight: 0, ended: 0, failed: 0 };
  const a = traffic.upTo(from + origin);
  // An end at the very edge of what there is belongs to it.
  const b = traffic.upTo((to >= until ? until + traffic.width : to) + origin);
  const flight = traffic.upTo(last + origin).flight - a.flight;
  return { inFlight: Math.max(0, flight / (last - from)), ended: Math.max(0, b.ended - a.ended), failed: Math.max(0, b.failed - a.failed) };
}
