/**
 * Workers that no combinator holds together, or only when they are through: the threads of an executor, or
 * `for (…) void worker()`. They are told by what they do: calls of one function that run at once, each of which calls
 * one place again and again.
 */
import type { CombinatorCall } from '../combinators/combinator-call';
import type { GroupDraft } from '../drafts';
import { Crew, isTimeToLook } from './crew';
import type { HandedIn } from '../slots/handed-in';
import { releaseOf } from '../combinators/releases';
import { TOGETHER_MS } from '../moments';
import { hirersOf, isHandedOn, isLoop, isSupply, laneOf, onlyAsks } from '../combinators/loops';
import { areTimers, hasWorkBeside } from '../promises/pauses';
import { frameWhere, isModules, siteOf, topOf, userFrame, type Place } from '../promises/places';
import { functionKeyOf, libraryMaking, type CallPlace, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import { callFrameOf, isInside } from '../promises/scopes';
import { callHolding, WorkerPool } from '../combinators/worker-pool';

/** As many calls of a function are looked at before they are no workers. */
const MAX_LOOKS = 4096;
/** Functions around a worker that say which pool it is of. */
const PATH_STEPS = 8;
/** Tasks that were over before their pool was known. */
const MAX_EARLY = 256;
/** Tasks that were handed in from outside, before a loop counts as a worker's. */
const MIN_HANDED_IN = 2;

/** So many have to go home, while others run, as the work runs out; and as many for each one that goes home as others go on. */
const MIN_DRY = 2;
const MIN_DRY_TO_OTHERS = 4;

/** Workers that are called where a task is handed in have their pool where that is asked for: `limit(() => load(id))`, and not in the limiter. */
function noteAsked({ draft, workers }: WorkerPool, promise: PromiseNode): void {
  const asked = userFrame(callFrameOf(promise));
  const limiter = topOf(promise.stack)?.place;
  if (!asked || draft.facts.combinator || asked.place === limiter || !workers.every(({ stack }) => frameWhere(stack, (place) => place === limiter))) return;
  draft.change({ site: siteOf(asked) });
}

/** Whether one function started both, at one place. */
const areStartedTogether = (a: PromiseNode | undefined, b: PromiseNode): boolean => a !== undefined && a.owner === b.owner && callFrameOf(a)?.place === callFrameOf(b)?.place;

/** Of those who are no workers. */
const NO_CREW = new Crew();

export class LooseWorkers {
  /** By the functions around them. */
  private readonly crews = new Map<string, Crew>();
  /** By function, how many of its calls were looked at in vain. */
  private readonly looks = new Map<string, number>();
  private readonly changed = new Set<GroupDraft>();
  /** By who makes the promises of tasks that are handed in, the latest pool that took such a task. */
  private readonly pools = new Map<string, WorkerPool>();
  /** Tasks that none of the workers ran, before these were known for workers. */
  private readonly early = new Map<string, HandedIn[]>();

  /** Whether some were taken for workers. */
  hasPools = false;

  /** Groups that turned out to be none. */
  readonly abandoned: GroupDraft[] = [];

  /** @param claim a call is a worker or its task, and nobody else's @param release calls that were taken for workers are none */
  constructor(private readonly thread: number, private readonly claim: (work: PromiseNode) => void, private readonly release: (calls: readonly PromiseNode[]) => void) {}

  /** A running function called something. */
  called(node: PromiseNode, calls: CallPlace): void {
    const lane = laneOf(node);
    const scope = lane?.scope;
    // A function that calls itself again is its own kind of loop.
    if (!lane || !scope || lane !== node.owner) return;
    const crew = (scope.crew ??= this.enroll(lane));
    const { pool } = crew;
    if (crew === NO_CREW) return;
    crew.hasLoops ||= isLoop(calls);
    if (!pool) { if (isLoop(calls) && isTimeToLook(calls.seen) && crew.looks.isDue(crew.lanes.length)) this.judge(crew, calls.place); return; }
    if (pool.has(lane)) pool.called(node, calls);
    else if (calls.place === pool.place && isFree(lane, crew)) {
      // Who is called because one is through is no worker, and nor was that one: a pool's tasks may have loops of their own.
      if (crew.handedIn < MIN_HANDED_IN && pool.isBegunByEnd(lane)) { this.dismiss(crew, pool, lane); return; }
      this.employ(pool, [lane]);
    }
    this.changed.add(pool.draft);
  }

  /** A worker is through, or has died of an error. */
  settled(node: PromiseNode): void {
    const crew = node.scope?.crew;
    if (crew && crew !== NO_CREW && !crew.pool && !crew.isActive) this.judgeLeft(crew);
    const pool = crew?.pool;
    if (!pool?.has(node)) return;
    pool.finish(node);
    this.changed.add(pool.draft);
  }

  /** A worker, or something that it called, was rejected. */
  failed(node: PromiseNode): void {
    for (const lane of [node, laneOf(node)]) {
      const pool = lane?.scope?.crew?.pool;
      if (!pool) continue;
      pool.fail(node);
      this.changed.add(pool.draft);
    }
  }

  /** A task had been handed in: where that was from outside, who ran it is a worker. @returns the pool whose task it is */
  handedIn(one: HandedIn): WorkerPool | undefined {
    const { promise, task } = one;
    const pool = this.poolRunning(promise, task);
    const origin = originOf(promise);
    if (!pool) return this.addBeside(one);
    pool.settleTurn(task);
    this.changed.add(pool.draft);
    if (this.pools.get(origin) !== pool) {
      this.pools.set(origin, pool);
      noteAsked(pool, promise);
      const early = this.early.get(origin) ?? [];
      this.early.delete(origin);
      for (const other of early) this.addBeside(other);
    }
    return pool;
  }

  /** Whether who runs a task is going to be known for a worker, as those before him were. */
  isWorkers(task: PromiseNode): boolean {
    const crew = laneOf(task)?.scope?.crew;
    return crew?.areWorkers === true && crew.pool === undefined;
  }

  /** Whether calls of its function loop, be they known for workers or not yet. */
  isLooping({ scope }: PromiseNode): boolean { return scope?.crew?.hasLoops === true; }

  /** A promise was rejected as soon as it was made: if it was for a task, nobody took that. */
  refused(promise: PromiseNode): void { this.addBeside({ promise, task: promise, job: promise }); }

  private poolRunning(promise: PromiseNode, task: PromiseNode): WorkerPool | undefined {
    const lane = laneOf(task);
    const held = callHolding(lane)?.pool;
    if (held instanceof WorkerPool) return held;
    const crew = lane?.scope?.crew;
    if (!crew || crew === NO_CREW || crew.pool) return crew?.pool;
    if (isInside(promise.owner, (owner) => owner === lane)) return undefined;
    if (!isTimeToLook(++crew.handedIn)) return undefined;
    for (const { scope } of crew.lanes) {
      // A function that calls itself again is its own kind of loop.
      if (!scope?.calls || scope.recursions > 0) continue;
      for (const calls of scope.calls) if (isLoop(calls) && this.judge(crew, calls.place)) return crew.pool;
    }
    return undefined;
  }

  /** None of the workers ran the task. */
  private addBeside(one: HandedIn): WorkerPool | undefined {
    const { promise, task } = one;
    const origin = originOf(promise);
    const pool = this.pools.get(origin);
    if (!pool?.isActive) {
      const early = this.early.get(origin);
      if (!early) this.early.set(origin, [one]);
      else if (early.length < MAX_EARLY) early.push(one);
      return undefined;
    }
    if (pool.hasDrawn(task) || (task !== promise && !pool.isLikeTurns(task))) return undefined;
    this.claim(task);
    pool.addBeside(task);
    this.changed.add(pool.draft);
    return pool;
  }

  /** A combinator waits until workers of a pool are through: it says where that stands. */
  collected(call: CombinatorCall): void {
    const pools = new Set(call.elements.map((element) => sourceOf(element).scope?.crew?.pool));
    const [pool] = pools;
    if (!pool || pools.size > 1) return;
    pool.draft.change({ site: call.site, combinator: call.combinator, declared: call.elements.length });
    this.changed.add(pool.draft);
  }

  /** The groups that something happened to. */
  update(): readonly GroupDraft[] {
    const changed = [...this.changed];
    this.changed.clear();
    return changed;
  }

  private enroll(lane: PromiseNode): Crew {
    const hirers = hirersOf(lane);
    if (hirers) return hirers;
    const fn = isNobodys(lane) ? functionKeyOf(lane) : '';
    const looks = (this.looks.get(fn) ?? 0) + 1;
    if (fn === '' || looks > MAX_LOOKS) return NO_CREW;
    this.looks.set(fn, looks);
    const path = pathOf(lane, fn);
    let crew = this.crews.get(path);
    if (!crew || (!crew.isActive && !areStartedTogether(crew.lanes[0], lane))) this.crews.set(path, crew = new Crew(crew?.pool !== undefined));
    if (!crew.pool) crew.enroll(lane);
    return crew;
  }

  /** @returns whether they turned out to be workers, whose turns begin at the place */
  private judge(crew: Crew, place: Place): boolean {
    if (crew.lanes.length < 2) return false;
    const lanes = crew.lanes.filter((lane) => !lane.isRetired && isNobodys(lane) && callsAt(lane, place) !== undefined);
    const looping = lanes.filter((lane) => isTurns(lane, place));
    // What only some of them wait for is no work.
    if (looping.some((lane) => areTimersAt(lane, place)) && crew.lanes.some((lane) => hasWorkBeside(lane, place))) return false;
    const [first] = looping;
    if (looping.length < 2 || !looping.some((lane, i) => i > 0 && !(looping[i - 1].ended <= lane.made))) return false;
    if (crew.handedIn < MIN_HANDED_IN && !looping.some((lane) => isSupplied(lane, crew)) && (lanes.some(isOfPool) || !areTheirOwn(lanes, looping, place))) return false;
    return this.hire(crew, lanes, first, place);
  }

  /** All of them are through: if they went home as the work they shared ran out, they were workers. */
  private judgeLeft(crew: Crew): void {
    const lanes = crew.sinceIdle().filter((lane) => !lane.isRetired && isNobodys(lane));
    if (lanes.length < 2 || (lanes.some(isOfPool) && !areReplaced(lanes))) return;
    // A function that calls itself again is its own kind of loop.
    const place = lanes.flatMap(({ scope }) => (scope?.recursions === 1 ? [] : scope?.calls ?? [])).find(isLoop)?.place;
    if (!place) return;
    const looping = lanes.filter((lane) => isTurns(lane, place));
    if (looping.length < 2 || looping.length * 2 < lanes.length || !lanes.every(isHired) || !haveRunDry(lanes.map((lane) => ({ made: lane.made, ended: lane.ended, hasFailed: lane.rejected, turns: callsAt(lane, place)?.nodes ?? [] })))) return;
    this.hire(crew, lanes.filter((lane) => callsAt(lane, place) !== undefined), looping[0], place);
  }

  /** Workers are taken on, with all that they have done so far. @param first of those that loop @returns whether there are several */
  private hire(crew: Crew, lanes: readonly PromiseNode[], first: PromiseNode, place: Place): boolean {
    const own = isPrepared(first, place) ? lanes.filter((lane) => lane.stack === first.stack || !isPrepared(lane, place)) : lanes;
    if (own.length < 2) return false;
    if (own.length < lanes.length) separate(crew, lanes.filter((lane) => !own.includes(lane)));
    // What Node calls stands where it is.
    const frame = userFrame(callFrameOf(first)) ?? userFrame(first.stack);
    const pool = new WorkerPool(place, [], { thread: this.thread, site: frame && siteOf(frame), combinator: undefined, declared: undefined });
    crew.pool = pool;
    this.hasPools = true;
    this.looks.delete(functionKeyOf(first));
    this.employ(pool, own);
    return true;
  }

  /** Those who were taken for workers are none. @param next was called because one of them is through */
  private dismiss(crew: Crew, pool: WorkerPool, next: PromiseNode): void {
    const calls = [...pool.workers, next];
    const turns = pool.turnCalls;
    pool.dissolve();
    crew.pool = undefined;
    this.changed.delete(pool.draft);
    this.abandoned.push(pool.draft);
    for (const { scope } of [...crew.lanes, ...calls]) if (scope) scope.crew = NO_CREW;
    this.looks.set(functionKeyOf(next), MAX_LOOKS);
    this.release(calls);
    for (const own of turns) this.release(own);
  }

  private employ(pool: WorkerPool, lanes: readonly PromiseNode[]): void {
    for (const lane of lanes) for (const work of [lane, ...callsAt(lane, pool.place)?.nodes ?? []]) this.claim(work);
    pool.employ(lanes);
    this.changed.add(pool.draft);
  }
}

/** Workers of another pool of the same kind. */
function separate(crew: Crew, lanes: readonly PromiseNode[]): void {
  const other = new Crew();
  other.handedIn = crew.handedIn;
  for (const lane of lanes) {
    crew.lanes.splice(crew.lanes.indexOf(lane), 1);
    other.lanes.push(lane);
    if (lane.scope) lane.scope.crew = other;
  }
}

/**
 * Whether a call may be a worker of a crew's: it is nobody's task. Workers that go home and are called again for more look like a pool's tasks, until
 * something is handed to them.
 */
const isFree = (lane: PromiseNode, crew: Crew): boolean => isNobodys(lane) && (crew.handedIn >= MIN_HANDED_IN || !isOfPool(lane));

/** Whether a call is drawn as a task of a pool of its like. */
const isOfPool = ({ family }: PromiseNode): boolean => family?.draft?.facts.kind === 'pool';

/** Whether all were called in the first go, or took the place of one that had failed: `this.work().catch(() => this.hire())`. */
const areReplaced = (lanes: readonly PromiseNode[]): boolean => lanes.every(({ begunBehind, tick }) => tick === lanes[0].tick || lanes.some(({ id, rejected }) => id === begunBehind && rejected));

/** Whether no combinator, or library, holds a call, and no group claims it. */
const isNobodys = ({ isAsyncFunction, awaitingCall, isClaimed, libraryTask, owner, stack }: PromiseNode): boolean =>
  isAsyncFunction && topOf(stack)?.place.kind === 'user' && !awaitingCall && !isClaimed && !libraryTask && (!owner || libraryMaking(owner) === undefined);

const callsAt = (lane: PromiseNode, place: Place): CallPlace | undefined => lane.scope?.calls?.find((calls) => calls.place === place);

function areTimersAt(lane: PromiseNode, place: Place): boolean {
  const calls = callsAt(lane, place);
  return calls !== undefined && areTimers(calls);
}

function isTurns(lane: PromiseNode, place: Place): boolean {
  const calls = callsAt(lane, place);
  return calls !== undefined && isLoop(calls) && !isSupply(calls) && !onlyAsks(lane, place) && !isHandedOn(lane, calls);
}

/** Whether it waited for work before it did any: it was there before its tasks. */
const isPrepared = (lane: PromiseNode, place: Place): boolean => lane.scope?.calls?.[0]?.place !== place;

/** Whether a worker waits for what others than its like bring. */
function isSupplied({ scope }: PromiseNode, crew: Crew): boolean {
  return (scope?.calls ?? []).some((calls) => isSupply(calls) && calls.nodes.some((wait) => {
    const by = releaseOf(wait).settledBy;
    return by !== undefined && !isInside(by, (at) => at.scope?.crew === crew);
  }));
}

/**
 * `for (…) worker()`, or `worker().then(done)`, with no combinator to wait for them: started in one go by one running function, by name, and none
 * went home after a single turn while others went on.
 */
function areTheirOwn(lanes: readonly PromiseNode[], looping: readonly PromiseNode[], place: Place): boolean {
  const [first] = lanes;
  if (topOf(first.stack)?.place.name === '' || looping.length * 2 < lanes.length) return false;
  // What a library was handed, and has called, are its tasks.
  if (first.stack?.libraryUpTo(topOf(first.owner?.stack)?.place.fn) !== undefined) return false;
  if (!lanes.every(({ owner, tick, stack }) => owner === first.owner && tick === first.tick && stack === first.stack)) return false;
  const latest = Math.max(...looping.map((lane) => callsAt(lane, place)?.nodes.at(-1)?.made ?? -Infinity));
  return lanes.every((lane) => looping.includes(lane) || lane.isPending || lane.ended >= latest);
}

/** `push(job) { this.jobs.push(job); if (this.workers < 4) this.work(); }`: whether a plain function called it, by name. */
function isHired(lane: PromiseNode): boolean {
  const place = callFrameOf(lane)?.place;
  return topOf(lane.stack)?.place.name !== '' && place !== undefined && !isModules(place) && place.fn !== topOf(lane.owner?.stack)?.place.fn;
}

/**
 * Whether lanes that are over shared their work: as one goes home because there is no more, the others come to the ends of their last turns, and begin no other.
 * Lanes of as many turns each, begun within a turn, would do so too with work of their own.
 */
function haveRunDry(lanes: readonly { readonly made: number; readonly ended: number; readonly hasFailed: boolean; readonly turns: readonly PromiseNode[] }[]): boolean {
  const counts = lanes.map(({ turns }) => turns.length);
  const begun = lanes.map(({ made }) => made);
  const turn = lanes.reduce((sum, { made, ended }) => sum + ended - made, 0) / counts.reduce((sum, count) => sum + count, 0);
  if (Math.max(...counts) === Math.min(...counts) && Math.max(...begun) - Math.min(...begun) < turn) return false;
  // Gone through once, as those who go home are: there may be hundreds, with thousands of turns each.
  const turnsBegun = lanes.flatMap(({ turns }) => turns.map(({ made }) => made)).sort((a, b) => a - b);
  let at = 0;
  let dry = 0;
  let others = 0;
  for (const { ended, hasFailed } of [...lanes].sort((a, b) => a.ended - b.ended)) {
    // That was no going home.
    if (hasFailed) continue;
    // Once another one is called, there is more work again.
    const next = Math.min(...lanes.map(({ made }) => (made > ended ? made : Infinity)));
    const running = lanes.filter((lane) => lane.made < ended && lane.ended > ended);
    while (turnsBegun[at] <= ended + TOGETHER_MS) at++;
    // Before anybody else is called, that can only be one of those who run.
    if (running.length > 0 && turnsBegun[at] < next) others++;
    else if (running.some((lane) => lane.ended < next)) dry++;
  }
  return dry >= Math.min(MIN_DRY, lanes.length - 1) && others * MIN_DRY_TO_OTHERS <= dry;
}

/** Who makes the promise of a task, and at work in which function. */
const originOf = (promise: PromiseNode): string => `${functionKeyOf(promise)}|${promise.owner ? functionKeyOf(promise.owner) : ''}`;

/** Which functions a call is at work in: calls that were started in the same, wherever in it, are of one pool. */
function pathOf(lane: PromiseNode, fn: string): string {
  let path = fn;
  let at = lane.owner;
  for (let steps = 0; at && steps < PATH_STEPS; steps++) {
    path += `|${functionKeyOf(at)}`;
    at = at.owner;
  }
  return path;
}
