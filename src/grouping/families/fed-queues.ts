/**
 * Queues that several functions feed, as a server's requests do: `async function handle(id) { …; mails.push(() => send(id)); }`. The end of one job begins the
 * next, in the wake of whoever had brought that one, who has gone on meanwhile:
 *
 *   handle 1  ▇▇▇▇   send ▇▇▇▇▇┐            what runs in the wake of handle 1 is not handle 1's: all jobs that are begun at
 *   handle 2    ▇▇▇▇           └▇▇▇▇▇▇      this place are one queue's
 */
import { isByTimer } from './arrivals';
import { areAsManyAsEver, atWork } from './calls-at-work';
import type { Family } from './family';
import { frameWhere, isCutOff, topOf, type Place } from '../promises/places';
import { callerPlaceOf, functionKeyOf, isUserCall, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import { isTasksOwn } from '../promises/task-owners';
import { anchorOf, chainOf, isInside, isRecursion } from '../promises/scopes';

/** As many feeders are remembered, the latest, before a queue is known for one. */
const MAX_FEEDERS = 64;
/** So often it is looked whether what a place begins is a queue's, before it is none. */
const MAX_LOOKS = 16;
/** Timers that make full use of the room, before that is taken for a limit. */
const FILLS = 2;
/** Runners in runners, and functions around feeders. */
const MAX_LEVELS = 8;

/** What is begun at one place, of one function. */
interface Queue {
  /** The families of its jobs so far, by who brought the first of each; the latest come last. */
  readonly byFeeder: Map<PromiseNode, Family>;
  /** All who have begun one. */
  readonly feeders: WeakSet<PromiseNode>;
  /** By who brought some, what he waited for as another one began. */
  readonly waits: WeakMap<PromiseNode, PromiseNode>;
  /** Whether one of them waited for something else than that all his jobs are done. */
  isLeft: boolean;
  /** Feeders that were over before any job began by them: theirs had to wait for others'. */
  readonly idle: Set<PromiseNode>;
  looks: number;
  /** How often a timer began one so that there were as many as ever. */
  fills: number;
  /** The family of all its jobs, once it is known for a queue. */
  family: Family | undefined;
}

/** Families of jobs that are one queue's, and the function around all who feed it; undefined where there is none. */
export interface Fed { readonly families: readonly Family[]; readonly home: PromiseNode | undefined; readonly become: (family: Family) => void }

export class FedQueues {
  private readonly queues = new Map<Place, Map<string, Queue>>();
  /** By function, what its calls feed. */
  private readonly fedBy = new Map<string, Set<Queue>>();
  /** Functions that run a job, and call themselves for the next one. */
  private readonly runners = new Set<string>();
  /** The latest call that its own function made on its way: what follows it there is nobody else's either. */
  private latestOwn: PromiseNode | undefined;

  /** @param fn key of the function that was called @returns the family of the queue's jobs, if the call is one of them */
  familyOf(node: PromiseNode, fn: string): Family | undefined {
    if (this.queues.size === 0) return undefined;
    const place = callerPlaceOf(node);
    let family = place && this.queues.get(place)?.get(fn)?.family;
    while (family?.continuedBy) family = family.continuedBy;
    return family;
  }

  /** A call has found its family. @returns families that turn out to be one queue's */
  placed(node: PromiseNode, family: Family): Fed | undefined {
    const { owner } = node;
    if (!owner) return this.queues.size > 0 && !node.inReaction && (isByTimer(node) || isCutOff(node.stack)) ? this.toppedUp(node, family) : undefined;
    const { latestOwn } = this;
    if (latestOwn && latestOwn.owner === owner && latestOwn.stack === node.stack && latestOwn.family === family) return undefined;
    const place = owner?.isAsyncFunction && isUserCall(owner) ? callerPlaceOf(node) : undefined;
    if (!place || family.libraryCall || family.api || family.isPart || family.isOfPlace) return undefined;
    const fn = functionKeyOf(node);
    if (isRecursion(node)) this.runners.add(fn);
    const feeder = this.runners.has(fn) ? undefined : this.feederOf(node, place);
    if (!feeder) return undefined;
    const queue = this.queueOf(place, fn);
    if (queue.family || queue.looks > MAX_LOOKS) return undefined;
    queue.byFeeder.set(feeder, family);
    if (queue.byFeeder.size > MAX_FEEDERS) for (const oldest of queue.byFeeder.keys()) { queue.byFeeder.delete(oldest); break; }
    this.watch(feeder, queue);
    // It may turn out to run jobs only.
    const outer = anchorOf(feeder).user;
    if (outer) this.watch(outer, queue);
    // What a function calls itself is its own, unless that only runs jobs.
    const isOwn = place.fn === functionKeyOf(feeder);
    if (isOwn) this.latestOwn = node;
    if (isOwn || !isInWake(node, feeder, family)) return undefined;
    if (onlyAsks(feeder)) { queue.looks = Infinity; return undefined; }
    family.mayBeFed = true;
    queue.isLeft ||= hasGoneOn(feeder, family);
    if (!queue.isLeft && feeder.lastWait) queue.waits.set(feeder, feeder.lastWait);
    return queue.idle.size > 0 && queue.isLeft ? this.judge(queue) : undefined;
  }

  /**
   * A timer begins what a function that runs has begun as well: `tick()` there, `setInterval(tick, 50)` from then on. Where there are time and again as many at work as
   * were begun in the first go, and never more, they are one pool's.
   */
  private toppedUp(node: PromiseNode, family: Family): Fed | undefined {
    const place = callerPlaceOf(node);
    const queue = place && this.queues.get(place)?.get(functionKeyOf(node));
    if (!queue || queue.family || queue.byFeeder.size === 0 || ++queue.looks > MAX_LOOKS) return undefined;
    const { families, calls } = separableOf([...queue.byFeeder.values(), family]);
    calls.sort((a, b) => a.made - b.made);
    const { active, peak } = atWork(calls);
    const firstGo = calls.filter(({ tick }) => tick === calls[0].tick).length;
    if (peak !== firstGo || peak < 2) { queue.looks = Infinity; return undefined; }
    if (active === peak) queue.fills++;
    if (queue.fills < FILLS || !families.includes(family)) return undefined;
    return { families, home: undefined, become: (all) => { become(queue, all); } };
  }

  /** A call is over: if it began no job of what others of its function feed, its own had to wait. The queue is where all of them are. */
  settled(call: PromiseNode): void {
    const fed = call.isAsyncFunction && this.fedBy.size > 0 ? this.fedBy.get(functionKeyOf(call)) : undefined;
    for (const queue of fed ?? []) {
      if (queue.family?.fedIn) queue.family.fedIn.node = around(queue.family.fedIn.node, call);
      else if (!queue.feeders.has(call)) { if (queue.idle.size < MAX_FEEDERS) queue.idle.add(call); }
      // What his jobs end for him, the code that they run in his wake has settled.
      else if (!queue.isLeft && queue.waits.has(call)) queue.isLeft = !isInside(queue.waits.get(call)?.settledBy, (by) => by === call);
    }
  }

  /** A call began a job: those of its function that begin none may have brought one all the same. */
  private watch(feeder: PromiseNode, queue: Queue): void {
    queue.feeders.add(feeder);
    queue.idle.delete(feeder);
    if (queue.idle.size > 0) return;
    const by = functionKeyOf(feeder);
    const fed = this.fedBy.get(by);
    if (fed) fed.add(queue); else this.fedBy.set(by, new Set([queue]));
  }

  /** Who brought a job, or in whose wake it begins: the running function, or, where that only runs jobs, who called the first of its calls. */
  private feederOf(node: PromiseNode, place: Place): PromiseNode | undefined {
    const { owner } = node;
    let at: PromiseNode | undefined = owner;
    for (let level = 0; at && level < MAX_LEVELS && this.runners.has(functionKeyOf(at)); level++) at = anchorOf(chainOf(at) ?? at).user;
    // What it calls itself, on its way, is no queue's.
    return at && place.fn === functionKeyOf(at) && node.tick !== at.tick ? undefined : at;
  }

  private queueOf(place: Place, fn: string): Queue {
    let byFunction = this.queues.get(place);
    if (!byFunction) this.queues.set(place, byFunction = new Map<string, Queue>());
    let queue = byFunction.get(fn);
    if (!queue) byFunction.set(fn, queue = { byFeeder: new Map(), feeders: new WeakSet(), waits: new WeakMap(), isLeft: false, idle: new Set(), looks: 0, fills: 0, family: undefined });
    return queue;
  }

  /** No more jobs are at work than there are slots for: as many as ever, now that one has had to wait. */
  private judge(queue: Queue): Fed | undefined {
    const { byFeeder } = queue;
    queue.looks++;
    // A limiter's, that is told by the results it gives.
    for (const { earliest } of byFeeder.values()) if (earliest.some(({ isClaimed }) => isClaimed)) { queue.looks = Infinity; return undefined; }
    const { families, calls } = separableOf(byFeeder.values());
    if (calls.length === 0 || !areAsManyAsEver(calls) || calls.some((call) => isTasksOwn(call) || call.endsTask)) return undefined;
    const [first, ...others] = byFeeder.keys();
    const home = others.reduce(around, anchorOf(first).user);
    return { families, home, become: (family) => { become(queue, family); } };
  }
}

/** It is known whose jobs they are: who fed them tells no more. */
function become(queue: Queue, family: Family): void {
  queue.family = family;
  queue.byFeeder.clear();
  queue.idle.clear();
}

/** Of families, each once, those whose calls may yet be another one's, and these calls. */
function separableOf(all: Iterable<Family>): { readonly families: readonly Family[]; readonly calls: PromiseNode[] } {
  const families: Family[] = [];
  const calls: PromiseNode[] = [];
  for (const family of new Set(all)) {
    const own = family.separable();
    if (!own) continue;
    families.push(family);
    for (const call of own) calls.push(call);
  }
  return { families, calls };
}

/** Whether a job begins behind another one of its family, while who brought that is over, or waits for something else. */
function isInWake({ inReaction, made, owner, stack }: PromiseNode, { ended, lastWait, stack: own }: PromiseNode, { latestEnd }: Family): boolean {
  if (!inReaction || latestEnd > made || latestEnd === -Infinity) return false;
  if (ended <= made) return true;
  if (lastWait?.isPending !== true) return false;
  const fn = topOf(own)?.place.fn;
  const awaited = sourceOf(lastWait);
  return frameWhere(stack, (place) => place.fn === fn) === undefined && !isInside(owner, (at) => at === awaited);
}

/** Whether who brought a job is over, or waits for something that came after the end of it: he does not wait until all his jobs are done. */
const hasGoneOn = ({ isPending, lastWait }: PromiseNode, { latestEnd }: Family): boolean => !isPending || (lastWait !== undefined && lastWait.made >= latestEnd);

/** Whether all that an element has waited for was something that others ended, for which it asked first of all: it stands for its job, behind a limiter. */
function onlyAsks({ awaitingCall, lastWait, tick }: PromiseNode): boolean {
  return awaitingCall !== undefined && lastWait !== undefined && lastWait.tick === tick && !lastWait.isAsyncFunction && !lastWait.isPending && !lastWait.byTimer;
}

/** The innermost function that a call is at work in, and that is another one or around that; undefined for none. */
function around(home: PromiseNode | undefined, call: PromiseNode): PromiseNode | undefined {
  let at = home;
  for (let level = 0; at && level < MAX_LEVELS; level++, at = anchorOf(at).user) if (call !== at && isInside(call, (outer) => outer === at)) return at;
  return undefined;
}
