/** A run that is over, in the few figures that a list of runs shows. */
import type { RunPhase } from '../model/run';
import type { RunSource } from '../timeline/feed';
import { MAX_PLACES, placeResultsOf, type PlaceResult } from './place-results';

export interface RunSummary {
  readonly phase: RunPhase;
  readonly exitCode?: number;
  readonly elapsedMs: number;
  readonly groups: number;
  readonly tasks: number;
  readonly rejected: number;
  readonly places: readonly PlaceResult[];
}

export function summarize(run: RunSource): RunSummary {
  const { phase, exitCode, elapsedMs } = run.state();
  const now = run.now();
  const groups = run.timeline.groupIds().map((id) => run.timeline.group(id, now)).filter((group) => group !== undefined && group.taskCount > 0);
  return {
    phase, exitCode, elapsedMs, groups: groups.length,
    tasks: groups.reduce((sum, group) => sum + (group?.taskCount ?? 0), 0),
    rejected: groups.reduce((sum, group) => sum + (group?.rejected ?? 0), 0),
    places: placeResultsOf(run),
  };
}

const PHASES: readonly RunPhase[] = ['finished', 'crashed', 'killed', 'stopped'];

/** @returns undefined where it is none; places that are none are left out */
export function parseSummary(value: unknown): RunSummary | undefined {
  if (!isRecord(value)) return undefined;
  const { phase, exitCode, elapsedMs, groups, tasks, rejected, places } = value;
  const known = PHASES.find((each) => each === phase);
  if (known === undefined || !isFigure(elapsedMs) || !isFigure(groups) || !isFigure(tasks) || !isFigure(rejected) || !Array.isArray(places)) return undefined;
  return { phase: known, exitCode: Number.isSafeInteger(exitCode) ? Number(exitCode) : undefined, elapsedMs, groups, tasks, rejected, places: places.slice(0, MAX_PLACES).filter(isPlace) };
}

function isPlace(value: unknown): value is PlaceResult {
  return isRecord(value) && typeof value['file'] === 'string' && typeof value['kind'] === 'string'
    && ['line', 'groups', 'group', 'tasks', 'chunks', 'rejected', 'elapsedMs', 'busyMs', 'idleMs'].every((key) => isFigure(value[key]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
