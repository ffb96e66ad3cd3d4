/** Calls that nothing of the program's own has brought about: an interval's, a server's, an emitter's. */
import { isBrought } from '../combinators/loops';
import { NO_WAIT_MS, NO_WORK_MS } from '../moments';
import { nodeCallerOf, topOf, type Stack } from '../promises/places';
import type { PromiseNode } from '../promises/promise-node';

/** Nobody takes longer than this, in ms, between two calls made in one go. In older recordings the ticks of an interval may be of one run of code. */
const ONE_GO_MS = 50;
/** Runs of code that filled up what was free again, and did nothing else, before that is taken for a limit. */
const FILLS = 4;
/** Of the longest time between two such runs, what the shortest is at least where they come as regularly as an interval's own. */
const REGULAR = 0.8;
/** Runs of code from an end, over the reaction to it, to what that puts off until the next tick. */
const PUT_OFF = 3;
/** As many that come right behind an end are no chance; one in so many of those may be late. */
const BEHIND = 3;
const LATE = 4;

/**
 * How calls of one function came in. What is limited begins as many at once as the limit lets through, and goes on where one
 * ends; what comes in from outside does neither: nothing holds it back, and nobody waits for it before the next.
 */
export class Arrivals {
  private count = 0;
  private outside = 0;
  private byTimer = 0;
  private inOneLoop = 0;
  private inOneGo = 0;
  private most = 0;
  private last: PromiseNode | undefined;
  private endTick = 0;
  private latestEnd = -Infinity;
  /** Of those from outside, how many came right behind an end. */
  private behind = 0;
  /** How many were at work when the latest had begun, and the most ever. */
  private active = 0;
  private peak = 0;
  /** Runs of code that began some until there were as many as ever, since that many were there first; and those that left fewer. */
  private fills = 0;
  private others = 0;
  private shortestGap = Infinity;
  private longestGap = 0;

  /** @param active how many are at work with this one */
  add(node: PromiseNode, active: number): void {
    const { last } = this;
    if (last && last.tick !== node.tick && !hasGoneOn(node, last)) this.endGo(node.made - last.made);
    this.active = active;
    if (active > this.peak) {
      this.peak = active;
      this.fills = this.others = this.longestGap = 0;
      this.shortestGap = Infinity;
    }
    this.inOneGo = last?.tick === node.tick && node.made - last.made < ONE_GO_MS ? this.inOneGo + 1 : 1;
    this.most = Math.max(this.most, this.inOneGo);
    this.count++;
    if (!last || node.owner === last.owner) this.inOneLoop++;
    if (!node.owner && !node.inReaction && node.tick !== this.endTick && !isOfStream(node)) {
      this.outside++;
      const since = node.made - this.latestEnd;
      if (since < NO_WORK_MS || (since < ONE_GO_MS && node.tick - this.endTick <= PUT_OFF && isByTick(node))) this.behind++;
      if (isByTimer(node)) this.byTimer++;
    }
    this.last = node;
  }

  private endGo(gap: number): void {
    if (this.active === this.peak) this.fills++; else this.others++;
    this.shortestGap = Math.min(this.shortestGap, gap);
    this.longestGap = Math.max(this.longestGap, gap);
  }

  /** @param tick the run of code in which one of them settled @param time when that was over, in milliseconds on the run's axis */
  settle(tick: number, time: number): void {
    this.endTick = tick;
    this.latestEnd = time;
  }

  /** Whether they all came from outside, one by one. @param atOnce so many of them were at work at once */
  comeFromOutside(atOnce: number): boolean { return this.outside === this.count && this.most < Math.max(atOnce, 2) && !this.followEnds(atOnce); }

  /** Whether but for the first few they came right behind an end, as what a reaction puts off until the next tick does. */
  private followEnds(first: number): boolean { return this.behind >= BEHIND && this.count - this.behind <= first + this.behind / LATE; }

  /** The most that were begun in one go. */
  get mostInOneGo(): number { return this.most; }

  /** Whether a timer, or one function that runs, looked again and again whether there is room, and each time made full use of it. */
  get areHeldBack(): boolean {
    return (this.areByTimer || this.areOfOneLoop) && this.peak > 1 && this.fills >= FILLS && this.others === 0 && this.shortestGap < REGULAR * this.longestGap;
  }

  private get areOfOneLoop(): boolean { return this.outside === 0 && this.inOneLoop === this.count; }

  /** A clock may be a pool's too, that looks at each tick whether there is room for one more: it comes to as many as there may be, and mostly to those. */
  get areOfClock(): boolean { return this.areByTimer && this.fills >= FILLS && this.fills > this.others; }

  /** Whether a timer brought each. */
  get areByTimer(): boolean { return this.byTimer === this.count; }
}

/** `await room(); begin()`: whether the function that began one has found at once that there is room for one more, and nobody had to make it. */
const hasGoneOn = ({ owner }: PromiseNode, last: PromiseNode): boolean =>
  owner?.lastWait !== undefined && owner === last.owner && owner.lastWait.made >= last.made && owner.lastWait.ended - owner.lastWait.made < NO_WAIT_MS
  && !isBrought(owner.lastWait);

/** Whether a stream hands over a piece of what is read: it waits for room as any pool does. */
const isOfStream = ({ stack }: PromiseNode): boolean => nodeCallerOf(topOf(stack))?.startsWith('node:internal/streams/') === true;

/** Whether a timer, and no running function, brought a call. */
export const isByTimer = ({ stack }: PromiseNode): boolean => beginOf(stack)?.place.file === 'node:internal/timers';

/** Whether the program put a call off until the end of what ran. */
const isByTick = ({ stack }: PromiseNode): boolean => beginOf(stack)?.place.file === 'node:internal/process/task_queues';

/** The outermost frame. */
function beginOf(stack: Stack | undefined): Stack | undefined {
  let at = stack;
  while (at?.callers) at = at.callers;
  return at;
}

/** Whether a call is one of those that something of the language made over a list: `forEach(async …)`. Several timers may run one after the other. */
export function isOverList({ stack }: PromiseNode): boolean {
  for (let at = stack; at; at = at.callers) if (at.place.kind === 'native' && /^(?:forEach|map)$/.test(at.place.name)) return true;
  return false;
}
