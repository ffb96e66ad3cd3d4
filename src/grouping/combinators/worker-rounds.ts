/**
 * Combinator calls that follow one another at one place and hold the same few functions: rounds of workers, of which some had too
 * little to do for any worker to come to a second turn, so that these had seemed to be tasks.
 */
import type { CombinatorCall } from './combinator-call';
import type { Work } from './loops';
import type { Place } from '../promises/places';
import { callsAt, functionKeyOf, sourceOf } from '../promises/promise-node';

/** Calls of one place that are remembered, and how many elements these have at most: workers are few. */
const MAX_ROUNDS = 16;
const MAX_WORKERS = 64;

export class WorkerRounds {
  private readonly byPlace = new Map<Place, CombinatorCall[]>();

  /** A call's elements seem to be tasks. */
  note(call: CombinatorCall): void {
    const place = call.frame?.place;
    if (!place || !call.isForAll || call.elements.length > MAX_WORKERS) return;
    const rounds = this.byPlace.get(place);
    if (!rounds) this.byPlace.set(place, [call]);
    else if (rounds.push(call) > MAX_ROUNDS) rounds.shift();
  }

  /** Takes out the calls of the place that hold as many of the same workers, and are still taken for something else; a call itself is among them where it is. */
  take(call: CombinatorCall, work: Work): readonly CombinatorCall[] {
    const place = call.frame?.place;
    const rounds = (place && this.byPlace.get(place)) ?? [];
    if (place) this.byPlace.delete(place);
    return rounds.filter((round) => round.role === 'together' && (round.series?.draft.settledCount ?? 1) === 0 && holdsAlike(round, work));
  }
}

/**
 * Whether workers, who are through, share what there is to do: each stayed until the last of their turns had begun, and most came to a second one. Where few did,
 * or what they did there was made by themselves, as a timer is, these are tasks of which some take several steps.
 */
export function areWorkedOff({ workers, place }: Work): boolean {
  const turns = workers.map((worker) => callsAt(worker, place));
  const latest = Math.max(...turns.map((own) => own.at(-1)?.made ?? -Infinity));
  return workers.every(({ ended }) => ended >= latest) && turns.filter(({ length }) => length > 1).length * 2 > workers.length
    && turns.every((own) => own.every((turn) => functionKeyOf(turn) !== place.fn));
}

/** Whether a call that is through holds as many workers of the same function, one of whom came to a turn. */
function holdsAlike({ elements, node }: CombinatorCall, { workers, place }: Work): boolean {
  const fn = functionKeyOf(workers[0]);
  return !node.isPending && elements.length === workers.length && elements.every((element) => functionKeyOf(sourceOf(element)) === fn && !element.isRetired)
    && elements.some((element) => callsAt(sourceOf(element), place).length > 0);
}
