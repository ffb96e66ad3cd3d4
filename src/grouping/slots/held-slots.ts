/** Slots that running functions hold for a part of their time, by where they ask for them: each place is a pool of what is done meanwhile. */
import { releaseOf } from '../combinators/releases';
import { TOGETHER_MS } from '../moments';
import { topOf, type Place } from '../promises/places';
import { callsAt, functionKeyOf, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import { callFrameOf } from '../promises/scopes';
import { OwnOfEach } from './own-turns';
import { askedAt, PartPool, type Hold, type SectionPool } from './section-pool';
import { homeOf, isWorker, likesOf, originOf } from './slot-turns';

/** Functions around what gave a slot back. */
const MAX_STEPS = 16;

/** A pool, and the place where those that have given their slot back had last waited before they did. */
interface Part {
  readonly pool: PartPool;
  endsAt: Place | undefined;
  /** Where several running functions have slots of their own: those of each. */
  apart?: OwnOfEach<Part>;
}

/** What a function that had given its slot back at a time had waited for last: it may have gone on since. */
function workBefore({ lastWait, scope }: PromiseNode, { acquire }: Hold, time: number): PromiseNode | undefined {
  if (!lastWait || lastWait.ended <= time) return lastWait && sourceOf(lastWait);
  let latest: PromiseNode | undefined;
  for (const { nodes } of scope?.calls ?? []) {
    for (const node of nodes) if (node.made >= acquire.ended && node.ended <= time && !(node.ended < (latest?.ended ?? -Infinity))) latest = node;
  }
  return latest;
}

/** A function that asks at the same place with so many of its slots not given back waits there for something else, as for letters in a mailbox. */
const MAX_HELD = 3;

export class HeldSlots {
  /** By where the slot is asked for. */
  private readonly parts = new Map<Place, Part>();
  private readonly holds = new Map<PromiseNode, { readonly hold: Hold; readonly at: Place }[]>();
  /** By who had one, the slot that was given back last. */
  private readonly givenBack = new WeakMap<PromiseNode, { readonly hold: Hold; readonly at: Place }>();
  /** Places that turned out to be where nobody asks for a slot. */
  private readonly others = new Set<Place>();

  /**
   * @param taken what is a task, or the begin of one, already: shared with whoever else makes such pools
   * @param touched something became known of a pool
   * @param claimed a call is a slot's, or what is done while it is held: no other group is made of it
   */
  constructor(private readonly thread: number, private readonly taken: WeakMap<PromiseNode, object>, private readonly touched: (pool: SectionPool) => void, private readonly claimed: (call: PromiseNode) => void) {}

  /** A running function called something where slots are asked for. */
  called(node: PromiseNode, place: Place): void {
    const { owner } = node;
    const part = owner && this.partAt(place, owner);
    if (!part || isWorker(owner)) return;
    if (part.pool.isActive || part.pool.home === homeOf(node)) this.add(owner, node, place);
    else this.open(owner, node, place);
  }

  /** A slot was had after a wait. @param by who waited @param place where it was asked for */
  open(by: PromiseNode, wait: PromiseNode, place: Place): void {
    if (this.others.has(place)) return;
    const known = this.partAt(place, by);
    const home = homeOf(wait);
    if (known && (known.pool.isActive || known.pool.home === home)) { this.add(by, wait, place); return; }
    this.parts.set(place, { pool: new PartPool(this.thread, askedAt(wait), home), endsAt: known?.endsAt });
    for (const like of likesOf(by)) for (const node of callsAt(like, place)) this.add(like, node, place);
    this.add(by, wait, place);
  }

  /**
   * A wait for a slot was ended by who had one that he had asked for elsewhere, in the same way: both places ask for the same slots.
   * @returns the pool that is none any more
   */
  passedOn(to: PromiseNode, wait: PromiseNode): PartPool | undefined {
    const place = askedAt(wait)?.place;
    const release = releaseOf(wait);
    const maker = topOf(release.stack)?.place.fn;
    // An `acquire()` that waits itself asks for nothing: who waits for that does.
    if (maker === functionKeyOf(to)) return undefined;
    const held = place && this.heldAround(release.settledBy, to, release.ended);
    const part = held && this.parts.get(held.at);
    if (!place || !part || part.apart || held.at === place || topOf(releaseOf(held.hold.acquire).stack)?.place.fn !== maker) return undefined;
    const other = this.parts.get(place);
    if (other?.pool === part.pool || other?.apart) return undefined;
    if (!other) {
      this.parts.set(place, { pool: part.pool, endsAt: undefined });
      for (const like of likesOf(to)) for (const node of callsAt(like, place)) this.add(like, node, place);
      this.add(to, wait, place);
      return undefined;
    }
    const [kept, given] = other.pool.draft.settledCount > 0 ? [other.pool, part.pool] : [part.pool, other.pool];
    if (!kept.takeOver(given)) return undefined;
    for (const [at, { pool, endsAt }] of this.parts) if (pool === given) this.parts.set(at, { pool: kept, endsAt });
    this.touched(kept);
    return given;
  }

  /** The one slot that a call has, or had until a time, in which something was done. @param to who got one by that */
  private heldAround(by: PromiseNode | undefined, to: PromiseNode, time: number): { readonly hold: Hold; readonly at: Place } | undefined {
    let at = by;
    for (let steps = 0; at && at !== to && steps < MAX_STEPS; steps++, at = at.owner) {
      const holds = (this.holds.get(at) ?? []).filter(({ hold }) => !hold.acquire.isPending);
      const latest = this.givenBack.get(at);
      if (holds.length > 0) return holds.length === 1 ? holds[0] : undefined;
      if (latest && Math.abs(latest.hold.end - time) < TOGETHER_MS) return latest;
    }
    return undefined;
  }

  /**
   * A slot went from one running function to another one, which had asked for it at a place.
   * @returns the pool that is none any more: each of several running functions around those that ask there has slots of its own
   */
  handedOver(from: PromiseNode, to: PromiseNode, at: Place): PartPool | undefined {
    const part = this.parts.get(at);
    if (!part || part.apart || !part.pool.turns.pass(from.owner, to.owner)) return undefined;
    const given = part.pool.giveUp();
    if (!given) return undefined;
    part.apart = new OwnOfEach();
    for (const hold of given.open) this.give(hold.by, hold.acquire, at)?.join(hold);
    for (const task of given.over) if (task.work.awaitedBy) this.give(task.work.awaitedBy, task.work, at)?.adopt(task);
    return part.pool;
  }

  /** A slot is another pool's. @returns that */
  private give(by: PromiseNode, acquire: PromiseNode, at: Place): PartPool | undefined {
    const pool = this.partAt(at, by)?.pool;
    if (!pool) return undefined;
    this.taken.set(acquire, pool);
    this.touched(pool);
    return pool;
  }

  /** The slots that a running function asks for at a place. */
  private partAt(place: Place, by: PromiseNode): Part | undefined {
    const part = this.parts.get(place);
    if (!part?.apart) return part;
    const home = part.pool.turns.homeOf(by.owner);
    return part.apart.of(home, () => ({ pool: part.pool.apartFor(home), endsAt: part.endsAt }));
  }

  /** A running function gave a slot back. @param time when */
  gaveBack(by: PromiseNode, time: number): void {
    const held = this.holds.get(by)?.find(({ hold }) => Number.isNaN(hold.end) && hold.acquire.ended <= time);
    const part = held && this.partAt(held.at, by);
    if (!held || !part) return;
    const work = workBefore(by, held.hold, time);
    this.close(by, held.hold, time, work);
    if (work?.isDerived === false && !part.endsAt) this.endAt(held.at, part, callFrameOf(work)?.place);
    this.touched(part.pool);
  }

  /** It is known what those who hold a slot wait for last before they give it back: some may have, and nobody waited for it. */
  private endAt(at: Place, part: Part, place: Place | undefined): void {
    part.endsAt = place;
    if (!place) return;
    for (const [by, holds] of this.holds) for (const { hold } of holds.filter((known) => known.at === at)) this.closeIfOver(by, hold, place);
  }

  private closeIfOver(by: PromiseNode, hold: Hold, place: Place): void {
    if (hold.acquire.isPending) return;
    const work = callsAt(by, place).find((node) => node.made >= hold.acquire.ended && !node.isPending);
    if (work) this.close(by, hold, work.ended, work);
  }

  /** A function is through, or what it waits for last before it gives a slot back. */
  settled(node: PromiseNode): void {
    if (this.holds.size === 0) return;
    const acquirer = node.awaitedBy && this.holds.get(node.awaitedBy)?.find(({ hold }) => hold.acquire === node);
    const asked = acquirer && this.partAt(acquirer.at, acquirer.hold.by);
    if (asked) this.touched(asked.pool);
    for (const { hold, at } of this.holds.get(node) ?? []) {
      this.close(node, hold, node.ended, node);
      const part = this.partAt(at, node);
      if (part) this.touched(part.pool);
    }
    this.endDerived(node);
    const { owner } = node;
    const place = owner && this.holds.has(owner) ? callFrameOf(node)?.place : undefined;
    if (!owner || !place) return;
    for (const { hold, at } of this.holds.get(owner) ?? []) {
      const part = this.partAt(at, owner);
      if (part?.endsAt !== place || hold.acquire.isPending || hold.acquire === node || node.made < hold.acquire.ended) continue;
      this.close(owner, hold, node.ended, node);
      this.touched(part.pool);
    }
  }

  failed(node: PromiseNode): void {
    this.refuse(node);
    for (const { hold, at } of this.holds.get(node) ?? []) {
      const part = this.partAt(at, node);
      if (part && Number.isNaN(hold.end)) this.touched(part.pool);
    }
  }

  /** What was asked for a slot has failed: nobody holds that one. */
  private refuse(acquire: PromiseNode): void {
    const pool = this.taken.get(acquire);
    if (!(pool instanceof PartPool)) return;
    const { awaitedBy } = acquire;
    const held = awaitedBy && this.holds.get(awaitedBy)?.find(({ hold }) => hold.acquire === acquire);
    if (awaitedBy && held) this.close(awaitedBy, held.hold, acquire.ended, undefined);
    pool.refused(acquire);
    this.touched(pool);
  }

  /** Lets go of a pool that is none after all: workers wait for one another's news, and were not known for workers when they first did. */
  giveUp(pool: PartPool): void {
    for (const [place, part] of this.parts) if (part.pool === pool || part.apart?.some(({ pool: own }) => own === pool)) this.parts.delete(place);
    for (const [by, holds] of this.holds) {
      const others = holds.filter(({ hold }) => !pool.has(hold));
      if (others.length > 0) this.holds.set(by, others); else this.holds.delete(by);
    }
  }

  private add(by: PromiseNode, acquire: PromiseNode, at: Place): void {
    const part = this.partAt(at, by);
    if (!part || this.taken.has(acquire)) return;
    this.taken.set(acquire, part.pool);
    const holds = this.holds.get(by) ?? [];
    if (holds.filter(({ hold, at: place }) => place === at && !hold.acquire.isPending).length >= MAX_HELD) {
      this.others.add(at);
      part.pool.isNone = true;
      this.touched(part.pool);
      return;
    }
    const hold: Hold = { by, acquire, end: NaN, work: undefined };
    holds.push({ hold, at });
    this.holds.set(by, holds);
    part.pool.share(homeOf(acquire));
    part.pool.join(hold);
    this.claimed(acquire);
    this.touched(part.pool);
    if (acquire.isPending) return;
    if (part.endsAt) this.closeIfOver(by, hold, part.endsAt);
    if (!by.isPending) this.close(by, hold, by.ended, by);
  }

  /** `acquire().then(task).finally(release)`: the slot is given back where that is over. */
  private endDerived(node: PromiseNode): void {
    const by = node.isDerived ? node.awaitedBy : undefined;
    const derived = by && this.holds.get(by)?.find(({ hold }) => hold.acquire === originOf(node));
    if (!by || !derived) return;
    let work = node;
    while (work.parent && work.parent !== derived.hold.acquire) work = work.parent;
    this.close(by, derived.hold, node.ended, work);
    const part = this.partAt(derived.at, by);
    if (part) this.touched(part.pool);
  }

  private close(by: PromiseNode, hold: Hold, end: number, work: PromiseNode | undefined): void {
    const holds = this.holds.get(by);
    const index = holds?.findIndex((known) => known.hold === hold) ?? -1;
    if (!holds || index < 0) return;
    const [held] = holds.splice(index, 1);
    const { at } = held;
    this.givenBack.set(by, held);
    if (holds.length === 0) this.holds.delete(by);
    this.partAt(at, by)?.pool.ended(hold, end, work);
    if (work && work !== by) this.claimed(work);
  }
}
