/**
 * What speaks against a loop where calls of one function came one after the other, and one of them took its time: others let them go on, chunks
 * were made of what they gave, or they only look for room. All of that may be known only once there are a few more.
 */
import { isCombinator } from '../../model/facts';
import { isBrought } from '../combinators/loops';
import type { Efforts } from './efforts';
import { hasDoneNothing } from './loop-signs';
import { NO_WORK_MS } from '../moments';
import { asksForWork } from '../promises/asking';
import { areWaits, onlyLetsTimeGoBy } from '../promises/pauses';
import { frameWhere, isBuiltin, isModules, topOf } from '../promises/places';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { endOf, sourceOf } from '../promises/chain-links';
import { callFrameOf, chainOf, isInside, type Scope } from '../promises/scopes';

/** Calls of one function. */
export interface DoubtedCalls {
  readonly scope: Scope;
  /** The first few of them. */
  readonly earliest: readonly PromiseNode[];
  readonly latest: PromiseNode | undefined;
  /** Whether they only wait, as far as a name tells. */
  readonly isPause: boolean;
  /** Whether some of them still run. */
  readonly isActive: boolean;
  /** When the latest of them ended, in milliseconds on the run's axis. */
  readonly latestEnd: number;
  readonly efforts: Efforts;
}

export class LoopDoubts {
  /** The call that was judged last by who had ended it; and of all that were, how many more others had than had not. */
  private judged: PromiseNode | undefined;
  private balance = 0;
  /** Whether the calls look for room: where there is some they do nothing at all, else they let time go by. */
  private isForRoom = false;

  constructor(private readonly calls: DoubtedCalls) {}

  /** @param lasting the latest of the calls that took its time */
  areThere(lasting: PromiseNode): boolean { return this.areBroughtOn(lasting) || this.areAsked(lasting) || this.feedChunks() || this.onlyRunPools() || this.feedOthers() || this.areRestsOfChunks(lasting) || this.onlyMakeRoom(lasting); }

  /** Whether others ended what the calls waited for, most of those that took their time and were judged so far. */
  private areBroughtOn(lasting: PromiseNode): boolean {
    // One that was over in a moment says nothing, where the work may be what goes on beside it, or others have yet to be waited for.
    if (endOf(lasting).ended - lasting.made < NO_WORK_MS) return this.balance > 0 || this.calls.efforts.areSlight || this.hasWorkBeside(lasting.made);
    const isByOthers = isBrought(lasting);
    if (this.judged !== lasting) this.balance += isByOthers ? 1 : -1;
    this.judged = lasting;
    return isByOthers || this.balance > 0;
  }

  /** `await bucket.take(); void send(mail);`: whether the calls only ask for leave to begin what is at work beside them, as far as their name tells. What Node asks for, as a stream by `pull`, is work. */
  private areAsked(lasting: PromiseNode): boolean { return asksForWork(lasting) && callFrameOf(lasting)?.place.kind === 'user' && this.hasWorkBeside(lasting.made); }

  /**
   * Whether what the calls gave was worked on in chunks in between, or by the calls themselves: pages, of which each is fetched when the one before
   * is done, or one ahead. What is begun further inside of a call is that task's own, and so are several chunks of one call
   * that does other work as well; what comes behind the first chunk goes on with that.
   */
  private feedChunks(): boolean {
    const { earliest: [first, second], latest: last, scope } = this.calls;
    const series = scope.series ?? last?.owner?.scope?.series;
    if (second === undefined || last === undefined) return false;
    return [...series?.values() ?? []].some(({ areTurns, draft, last: { elements, isForAll, node } }) => isForAll && !((draft.first?.start ?? NaN) < first.made) && node.made >= first.ended && (node.ended <= last.made || node.made >= second.ended)
      && ((chainOf(node.owner)?.family === this.calls && (areTurns || !doesMore(node.owner, elements))) || !isInside(node, ({ family }) => family === this.calls)));
  }

  /** `for (const page of pages) await inPool(page, 4, load)`: whether all that the first calls did was to run a pool each. */
  private onlyRunPools(): boolean {
    return this.calls.earliest.every((call) => {
      const pool = call.lastWait?.combinator;
      return pool !== undefined && (pool.role === 'workers' || pool.role === 'limited' || pool.role === 'collector') && !doesMore(call, pool.elements);
    });
  }

  /** `for await (const row of rows()) await save(row)`: whether a generator makes the calls on its way to what it yields, and who asks it for that does other work with it. */
  private feedOthers(): boolean {
    const [first] = this.calls.earliest;
    return frameWhere(first.stack, (place) => isBuiltin(place, 'next')) !== undefined && this.othersBeside(first.ended).some(({ earliest: [other] }) => other.owner === first.owner && isUserCall(other));
  }

  /** `await Promise.all(batch.map(save)); await this.afterBatch();`: whether the calls only let time go by between chunks of the function that makes them. */
  private areRestsOfChunks(lasting: PromiseNode): boolean {
    const { earliest: [first], scope } = this.calls;
    return onlyLetsTimeGoBy(lasting) && [...scope.series?.values() ?? []].some(({ draft, last: { isForAll, node } }) => isForAll && (draft.first?.start ?? NaN) < first.made && node.made >= first.ended);
  }

  /** Whether the calls only look whether there is room for what the same function calls beside. */
  private onlyMakeRoom(lasting: PromiseNode): boolean {
    // It took its time only as the whole program did.
    if (hasDoneNothing(lasting)) return this.isForRoom;
    return this.isForRoom = this.calls.earliest.some(hasDoneNothing) && onlyLetsTimeGoBy(lasting) && this.hasWorkBeside(lasting.made);
  }

  /** Whether calls of other functions were at work beside these since a time. */
  private hasWorkBeside(since: number): boolean { return this.othersBeside(since).length > 0; }

  private othersBeside(since: number): DoubtedCalls[] {
    // A function may be known of which no call has come yet.
    return [...this.calls.scope.families?.values() ?? []].filter((other) => other !== this.calls && other.earliest.length > 0 && !other.isPause && !isAround(other) && (other.isActive || other.latestEnd > since));
  }
}

/** Whether a call has done other work than to hand elements to a combinator, and to wait for timers. */
function doesMore(call: PromiseNode | undefined, [element]: readonly PromiseNode[]): boolean {
  const place = callFrameOf(sourceOf(element))?.place;
  return place !== undefined && call?.scope?.calls?.some((calls) => calls.place !== place && !areWaits(calls) && !calls.nodes.every(({ byTimer, isPending, kind }) => byTimer || isPending || isCombinator(kind))) === true;
}

/** Whether a call is a module's own, which awaits: that is around its code, and not beside it. */
function isAround({ earliest: [first] }: DoubtedCalls): boolean {
  const place = topOf(first.stack)?.place;
  return place !== undefined && isModules(place);
}
