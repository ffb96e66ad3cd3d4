/** Where running functions made a family's calls, and how many there. */
import type { Place } from '../promises/places';
import type { PromiseNode } from '../promises/promise-node';
import { callFrameOf } from '../promises/scopes';

export class CallPlaces {
  private readonly counts = new Map<Place, number>();

  /** How many there are. */
  get size(): number { return this.counts.size; }

  has(place: Place): boolean { return this.counts.has(place); }

  countAt(place: Place | undefined): number { return (place && this.counts.get(place)) ?? 0; }

  /** @param by how many calls more of its kind, or fewer */
  add(call: PromiseNode, by = 1): void {
    const place = callFrameOf(call)?.place;
    if (place) this.counts.set(place, this.countAt(place) + by);
  }

  /** From here on these are all. */
  keep(calls: Iterable<PromiseNode>): void {
    this.counts.clear();
    for (const call of calls) this.add(call);
  }
}
