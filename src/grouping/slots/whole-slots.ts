/** Functions that hold a slot from their begin to their end, by where they are called: `use(task)`. Which of them ask for the same slots shows by who lets whom in. */
import type { Place } from '../promises/places';
import { functionKeyOf, inOrder, type PromiseNode } from '../promises/promise-node';
import { AskingOrder } from './asking-order';
import { OwnOfEach, type OwnTurns } from './own-turns';
import { askedAt, WholePool } from './section-pool';
import { homeOf, likesOf } from './slot-turns';

export interface WholeTasks {
  /** A call is a task of a semaphore's. */
  claimed(work: PromiseNode): void;
  /** What a call makes at a place again and again is a semaphore's, and no turn of a worker's. */
  isSlot(by: PromiseNode, place: Place): void;
  /** Something became known of a pool. */
  touched(pool: WholePool): void;
  /** A pool's tasks are others' now. */
  lost(pool: WholePool): void;
  /** What was asked for is other pools' than was told before. */
  regrouped(asked: readonly PromiseNode[]): void;
}

export class WholeSlots {
  /** By function, then by where that is called. */
  private readonly pools = new Map<string, Map<Place, WholePool>>();
  /** Of calls that are not through. */
  private readonly members = new Map<PromiseNode, WholePool>();
  /** By function, for each running function around those that ask. */
  private readonly orders = new Map<string, OwnOfEach<AskingOrder>>();
  /** By a pool that turned out to be several, each with slots of its own: these, by the running function that has them. */
  private readonly apart = new Map<WholePool, { readonly turns: OwnTurns; readonly own: OwnOfEach<WholePool> }>();

  /** @param taken what is a task, or the begin of one, already: shared with whoever else makes such pools */
  constructor(private readonly thread: number, private readonly taken: WeakMap<PromiseNode, object>, private readonly tasks: WholeTasks) {}

  /** Whether there are any. */
  get areKnown(): boolean { return this.pools.size > 0; }

  /** The pool of a call that is not through; undefined for none. */
  poolOf(call: PromiseNode): WholePool | undefined { return this.members.get(call); }

  /** The pool of a call, be it through or not; undefined for none. */
  poolWith(call: PromiseNode): WholePool | undefined {
    const pool = this.taken.get(call);
    return pool instanceof WholePool ? pool : undefined;
  }

  /** A call has, or had, a slot as a whole: it is a task, and so are those like it. */
  open(call: PromiseNode): void {
    const frame = askedAt(call);
    const fn = functionKeyOf(call);
    if (!frame || call.awaitingCall) return;
    let places = this.pools.get(fn);
    if (!places) this.pools.set(fn, places = new Map());
    if (this.members.has(call)) return;
    const known = this.poolAt(call, frame.place);
    if (known && isOpenTo(known, call)) { this.add(known, call, frame.place); return; }
    const pool = new WholePool(this.thread, frame, homeOf(call));
    places.set(frame.place, pool);
    for (const like of inOrder(likesOf(call))) if (functionKeyOf(like) === fn && askedAt(like)?.place === frame.place) this.add(pool, like, frame.place);
  }

  /** A function was called. */
  called(node: PromiseNode, place: Place): void {
    const pool = this.poolAt(node, place);
    if (!pool) return;
    if (isOpenTo(pool, node)) this.add(pool, node, place);
    else this.open(node);
  }

  settled(node: PromiseNode): void {
    const pool = this.members.get(node);
    if (!pool) return;
    this.members.delete(node);
    pool.settled();
    this.tasks.touched(pool);
  }

  /** One call passed its slot to another one. */
  handOver(from: PromiseNode | undefined, to: PromiseNode): void {
    const [one, other] = [from && this.poolWith(from), this.poolWith(to)];
    if (!from || !one || !other) return;
    const areSeveral = one.turns.pass(from.owner, to.owner);
    if (one === other && areSeveral) this.part(one, one.turns);
    if (one !== other) this.uniteFor(from, to);
    if (this.orderOf(to, homeOf(to)).letIn(to)) this.uniteAll(to);
  }

  /** @param home the running function around a call and those beside it */
  private orderOf(call: PromiseNode, home: PromiseNode | undefined): AskingOrder {
    const fn = functionKeyOf(call);
    let orders = this.orders.get(fn);
    if (!orders) this.orders.set(fn, orders = new OwnOfEach());
    return orders.of(home, () => new AskingOrder());
  }

  /** One call passed its slot to another one, which asked for it elsewhere: whoever asks at either place, for one function that has slots of its own, asks for the same. */
  private uniteFor(from: PromiseNode, to: PromiseNode): void {
    const pools = [from, to].map((call) => this.poolWith(call));
    const turns = pools.find((pool) => pool?.partedBy)?.partedBy;
    for (const pool of pools) if (turns && pool && !pool.partedBy) this.part(pool, turns);
    const [one, other] = [from, to].map((call) => this.poolWith(call));
    if (one && other && one !== other) this.unite(one, other);
  }

  /** All calls of a function under one running function ask for the same slots, each at a place of its own. */
  private uniteAll(call: PromiseNode): void {
    for (const pool of new Set(this.pools.get(functionKeyOf(call))?.values())) {
      const own = this.members.get(call);
      if (own?.partedBy && pool.isActive && !this.apart.has(pool)) this.part(pool, own.partedBy);
      const other = this.ownOf(pool, call);
      if (own && own !== other && own.home === other.home && other.isActive) this.unite(own, other);
    }
  }

  /** Each of several running functions has slots of its own, as of a limiter that it made. */
  private part(pool: WholePool, turns: OwnTurns): void {
    const calls = pool.giveUp();
    if (!calls) return;
    this.apart.set(pool, { turns, own: new OwnOfEach() });
    this.tasks.lost(pool);
    this.move(calls, (call) => this.ownOf(pool, call));
    this.tasks.regrouped(calls);
  }

  /** Whoever asks for the slots of either pool asks for the same. */
  private unite(one: WholePool, other: WholePool): void {
    const isOthers = other.draft.settledCount > 0 || (other.firstId < one.firstId && one.draft.settledCount === 0);
    const [kept, given] = isOthers ? [other, one] : [one, other];
    const calls = kept.takeOver(given);
    if (!calls) return;
    this.tasks.lost(given);
    for (const places of this.pools.values()) for (const [place, pool] of places) if (pool === given) places.set(place, kept);
    for (const { own } of this.apart.values()) own.replace(given, kept);
    this.move(calls, () => kept);
  }

  private move(calls: readonly PromiseNode[], poolFor: (call: PromiseNode) => WholePool): void {
    for (const call of calls) {
      this.taken.delete(call);
      this.members.delete(call);
      const place = askedAt(call)?.place;
      if (place) this.add(poolFor(call), call, place);
    }
  }

  /** The pool of a function's calls at a place, for the running function around a call that has slots of its own. */
  private poolAt(call: PromiseNode, place: Place): WholePool | undefined {
    const known = this.pools.get(functionKeyOf(call))?.get(place);
    return known && this.ownOf(known, call);
  }

  private ownOf(pool: WholePool, { owner }: PromiseNode): WholePool {
    let own = pool;
    // Of several, one may turn out to be several in turn.
    for (let apart = this.apart.get(own); apart; apart = this.apart.get(own)) {
      const { turns } = apart;
      const around = turns.homeOf(owner);
      own = apart.own.of(around, () => pool.apartFor(around, turns));
    }
    return own;
  }

  private add(pool: WholePool, call: PromiseNode, place: Place): void {
    if (this.taken.has(call)) return;
    this.taken.set(call, pool);
    const home = homeOf(call);
    this.orderOf(call, home).asked(call, place);
    pool.share(home);
    this.tasks.claimed(call);
    if (call.owner) this.tasks.isSlot(call.owner, place);
    if (call.isPending) this.members.set(call, pool);
    pool.join(call);
    this.tasks.touched(pool);
  }
}

/** Whether a call asks for slots of a pool: another run, once that is over, may have made its own. */
const isOpenTo = (pool: WholePool, call: PromiseNode): boolean => pool.partedBy !== undefined || pool.isActive || pool.home === homeOf(call);
