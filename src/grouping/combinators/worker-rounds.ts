/**
 * Combinator calls that follow one another at one place and hold the same few functions: rounds of workers, of which some had too
 * little to do for any worker to come to a second turn, so that these had seemed to be tasks. Or the chunks of a loop over what has rows
 * of its own (`for (const some of chunks) await Promise.all(some.map(copyAllFilesOf))`), each of which had seemed to be workers.
 */
import type { CombinatorCall } from './combinator-call';
import type { Work } from './loops';
import type { Place } from '../promises/places';
import { callsAt, functionKeyOf } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import type { WorkerPool } from './worker-pool';

/** Calls of one place that are remembered, and how many elements these have at most: workers are few. */
const MAX_ROUNDS = 16;
const MAX_WORKERS = 64;

/** A call whose elements seem to be workers, and their pool. */
export interface CrewCall { readonly call: CombinatorCall; readonly pool: WorkerPool }

export class WorkerRounds {
  private readonly byPlace = new Map<Place, CombinatorCall[]>();
  /** Those whose elements seem to be workers, and are through. */
  private readonly crews = new Map<Place, CrewCall[]>();

  /** A call's elements seem to be tasks. */
  note(call: CombinatorCall): void { keep(this.byPlace, call, call); }

  /**
   * A call is through whose elements seem to be workers, by the function that their list was mapped to.
   * @returns all that the same running function has called there so far, where they turn out to be chunks: in one of them somebody was through while others went on,
   * or the function has a name, and all had as many turns in each of them
   */
  noteCrew(crew: CrewCall): readonly CrewCall[] {
    const { call: { frame, node }, pool: { signs } } = crew;
    if (!frame || !signs.areMapped) return [];
    keep(this.crews, crew.call, crew);
    const rounds = (this.crews.get(frame.place) ?? []).filter(({ call, pool }) => call.pool === pool && call.node.owner === node.owner);
    const areChunks = rounds.some(({ pool }) => pool.signs.isHomeEarly) || (signs.isNamed && rounds.every(({ pool }) => pool.signs.areEven));
    if (rounds.length < 2 || !areChunks) return [];
    this.crews.delete(frame.place);
    return rounds;
  }

  /** Takes out the calls of the place that hold as many of the same workers, and are still taken for something else; a call itself is among them where it is. */
  take(call: CombinatorCall, work: Work): readonly CombinatorCall[] {
    const place = call.frame?.place;
    const rounds = (place && this.byPlace.get(place)) ?? [];
    if (place) this.byPlace.delete(place);
    return rounds.filter((round) => round.role === 'together' && (round.series?.draft.settledCount ?? 1) === 0 && holdsAlike(round, work));
  }
}

function keep<Round>(byPlace: Map<Place, Round[]>, { elements, frame, isForAll }: CombinatorCall, round: Round): void {
  if (!frame || !isForAll || elements.length > MAX_WORKERS) return;
  const rounds = byPlace.get(frame.place);
  if (!rounds) byPlace.set(frame.place, [round]);
  else if (rounds.push(round) > MAX_ROUNDS) rounds.shift();
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
