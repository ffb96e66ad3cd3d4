/** What a run showed at each place of the source, in a few figures: all groups that began at one line taken together. */
import { fileURLToPath } from 'node:url';
import type { GroupKind } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import { groupsOf } from './report';

export interface PlaceResult {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly kind: GroupKind;
  /** Groups that began there. */
  readonly groups: number;
  /** `Group.id` of the first of them. */
  readonly group: number;
  readonly tasks: number;
  /** Over all groups; 0 where there are no chunks. */
  readonly chunks: number;
  readonly rejected: number;
  /** The sum of the groups' makespans, in milliseconds. */
  readonly elapsedMs: number;
  readonly busyMs: number;
  readonly idleMs: number;
}

/** Of a run with more places, those that took the longest. */
export const MAX_PLACES = 200;

/** The result of each place that is a file, the longest first. */
export function placeResultsOf(run: RunSource): PlaceResult[] {
  const places = new Map<string, PlaceResult>();
  for (const { id, kind, site, taskCount, chunks, rejected, metrics } of groupsOf(run)) {
    const file = site && pathOf(site.file);
    if (file === undefined || !site) continue;
    const key = `${site.line} ${file}`;
    const known = places.get(key);
    places.set(key, {
      file, line: site.line, kind: known?.kind ?? kind, group: known?.group ?? id, groups: (known?.groups ?? 0) + 1,
      tasks: (known?.tasks ?? 0) + taskCount, chunks: (known?.chunks ?? 0) + (chunks ?? 0), rejected: (known?.rejected ?? 0) + rejected,
      elapsedMs: (known?.elapsedMs ?? 0) + metrics.makespanMs, busyMs: (known?.busyMs ?? 0) + metrics.busyMs, idleMs: (known?.idleMs ?? 0) + metrics.idleMs,
    });
  }
  return [...places.values()].sort((a, b) => b.elapsedMs - a.elapsedMs).slice(0, MAX_PLACES);
}

/** The share of the place's time on its lanes in which nobody worked, 0 to 1. */
export const idleShareOf = ({ busyMs, idleMs }: PlaceResult): number => (busyMs + idleMs > 0 ? idleMs / (busyMs + idleMs) : 0);

/** The path of a site's file; undefined where the code is no file. */
export function pathOf(file: string): string | undefined {
  if (!file.startsWith('file:')) return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(file) ? file : undefined;
  try {
    return fileURLToPath(file);
  } catch {
    return undefined;
  }
}
