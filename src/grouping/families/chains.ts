/**
 * Calls of plain functions that give a chain: `const copy = (id) => load(id).then((row) => save(row))`. What is known of such a
 * call is the promise that the chain begins with, its head, and the links behind it; the call is over where the last link is
 * that somebody else takes.
 *
 *   copy(1)  ├▇▇▇▇ load ▇▇▇▇┤▇▇▇ save ▇▇▇┤  .then(next)
 *            head                        last link taken
 */
import type { Family } from './family';
import { waiterOf } from '../promises/pauses';
import { isBuiltin, isCutOff, topOf, userFrame, type Place, type Stack } from '../promises/places';
import { headOf, isBehind, isUserCall, type PromiseNode } from '../promises/promise-node';
import { callFrameOf } from '../promises/scopes';

/** Functions that only run what they are given. A guess by name: who calls a task looks the same as a task that calls its first step. */
const RUNNERS = /^_(?:write|writev|transform|final|read)$|^_?(?:(?:run|start|launch|exec|call|invoke|attempt|try|retry|with|time|measure|wrap|limit|schedule|enqueue|dequeue|drain|pump|flush|submit)(?![a-z])|(?:next|\w+Next|more|pull|arm|rail|feed|advance|proceed|refill|consume|consumer|work|worker|process|tick|add|push|use|go|loop|lane|fill|execute|perform|spawn|dispatch|trigger|task|job|timed|limiter|limited|throttled|concurrently)$)/;

/** Functions that call something again where it failed. A guess by name. */
const TRIES = /[Rr]etr(?:y|ies)|[Aa]ttempt|[Aa]gain|[Bb]ack_?[Oo]ff|^_?try(?![a-z])/;
/** Chains are followed so far, and those that their links were resolved with. */
const MAX_LINKS = 64;
const MAX_NESTED = 8;

export class Chains {
  /** Heads that have settled, by the link at which their calls will be over; by then they may have been retired, and have lost their family. */
  private readonly waiting = new Map<PromiseNode, { readonly head: PromiseNode; readonly family: Family }>();

  /** @param over a family's call is over: by the promise given, in a run of code */
  constructor(private readonly over: (family: Family, head: PromiseNode, end: PromiseNode, tick: number) => void) {}

  /** Somebody waits for a link, or goes on behind it. */
  taken(link: PromiseNode): void {
    const head = headOf(link);
    if (head === link || !head.family || (head.family.areRequests && !isAskedInFunction(head)) || head.isShared || !head.isPending || !link.isPending) return;
    // Several wait for what was begun once: none of their chains is that call's.
    if (head.chainEnd) this.waiting.delete(head.chainEnd);
    head.isShared = head.chainEnd !== undefined && !isBehind(link, head.chainEnd);
    head.chainEnd = head.isShared ? undefined : link;
    // Where an alarm clock rings first, the call is over while its work goes on.
    if (head.chainEnd && isRaced(link)) this.waiting.set(link, { head, family: head.family });
  }

  /** A call is over with a link, though the head had settled before. */
  goesOnUntil(link: PromiseNode, head: PromiseNode, before: PromiseNode | undefined): void {
    if (before) this.waiting.delete(before);
    if (head.family) this.waiting.set(link, { head, family: head.family });
  }

  /** A call goes on in another family. */
  moved(head: PromiseNode, family: Family): void {
    if (head.chainEnd && this.waiting.has(head.chainEnd)) this.waiting.set(head.chainEnd, { head, family });
  }

  /** A promise has settled. @returns whether the call that it is the head of goes on */
  settled(node: PromiseNode, tick: number): boolean {
    const ended = this.waiting.get(node);
    if (ended) {
      this.waiting.delete(node);
      this.over(ended.family, ended.head, node, tick);
    }
    const { chainEnd, family } = node;
    if (!family || !chainEnd) return false;
    if (chainEnd.isPending) this.waiting.set(chainEnd, { head: node, family });
    return chainEnd.isPending || isRaced(chainEnd);
  }

  /**
   * A call is made in the reaction that a link of a chain is, of the function that the chain begins with. Made at the same place it is a
   * lane's next task, and the call before went only up to there.
   * @param family the next call's
   * @returns whether it is a further step of the chain, and no call of its own
   */
  goesOn(next: PromiseNode, family: Family): boolean {
    const link = this.linkAround(next, family);
    const head = link && headOf(link);
    if (!link?.parent || !head?.chainEnd) return false;
    if (callFrameOf(head)?.place !== callFrameOf(next)?.place) return true;
    if (isAnotherTry(link, next)) { family.triesAgain(head); return true; }
    const end = link.parent;
    const isWaiting = this.waiting.delete(head.chainEnd);
    head.chainEnd = end === head ? undefined : end;
    if (isWaiting) this.over(family, head, end, next.tick);
    return false;
  }

  /** The link of a chain that begins with a call of the family, in whose reaction another one is made, or in that of a chain that the link was resolved with. */
  private linkAround({ madeIn }: PromiseNode, family: Family): PromiseNode | undefined {
    let link = madeIn;
    for (let steps = 0; link?.parent && steps < MAX_NESTED; steps++) {
      const head = headOf(link);
      if (head.family === family && head.chainEnd) return isBehind(head.chainEnd, link) ? link : undefined;
      link = link.adoptedBy ?? head.chainEnd?.adoptedBy;
    }
    return undefined;
  }
}

/**
 * Whether a call is another try of the one before, and no further task: `.catch(() => sleep(100).then(() => send(n + 1)))`. That the one
 * before had failed is known by then only behind a wait; without one, its name has to tell, with nothing around that would begin a lane's next.
 */
function isAnotherTry(link: PromiseNode, { stack, madeIn }: PromiseNode): boolean {
  if (madeIn !== link) return link.parent?.rejected === true;
  const by = outermostNamed(stack);
  return by !== undefined && TRIES.test(by.place.lastName) && !isCutOff(stack);
}

/** Of the functions of the program's that run, the outermost that has a name. */
function outermostNamed(stack: Stack | undefined): Stack | undefined {
  let outermost: Stack | undefined;
  for (let at = stack; at && !at.awaits; at = at.callers) if (at.place.kind === 'user' && at.place.name !== '') outermost = at;
  return outermost;
}

/** Whether on its way to a link a chain was raced with an alarm clock. */
function isRaced(link: PromiseNode): boolean {
  for (let at: PromiseNode | undefined = link, steps = 0; at?.parent && steps < MAX_LINKS; steps++, at = at.parent) if (at.combinator) return true;
  return false;
}

/** Whether a step of a chain has failed and the next one swallowed that, with no other work in its place. @param head where the chain begins @param end its last link */
export function swallowsOnWay(head: PromiseNode, end: PromiseNode): boolean {
  for (let at = end, steps = 0; at !== head && at.parent && steps < MAX_LINKS; steps++, at = at.parent) {
    if (at.parent.rejected && !at.rejected && !at.isPending && !at.inner) return true;
  }
  return false;
}

/**
 * The running code of the plain function that gave a chain: what called its head, unless that is the function that runs it all.
 * @param outer the function that runs it, where that is known
 */
export function chainFrameOf(head: PromiseNode, outer = topOf(head.owner?.stack)?.place.fn): Stack | undefined {
  const own = waiterOf(head, outer) ?? (isUserCall(head) ? topOf(head.stack) : undefined);
  // What Node was asked for is no function of the program's: that is the one which asked.
  const frame = own ? own.callers : userFrame(head.stack);
  if (!mayGive(frame, outer)) return undefined;
  // A generator yields one chain after the other, and is no call of either.
  if (isBuiltin(frame.callers?.place, 'next')) return undefined;
  // Where no function of the program's runs, the outermost is the one that all of it stands in.
  const isCalled = outer !== undefined || head.chainEnd?.adoptedBy !== undefined || isNamedAbove(frame) || (hasSteps(head) && isCutOff(head.stack));
  return isCalled ? frame : undefined;
}

/** Whether a function with a name asked for what a chain begins with, and was called for it: `const load = (id) => fetch(url(id)).then(parse)`. */
const isAskedInFunction = ({ owner, stack }: PromiseNode): boolean => isNamed(userFrame(stack), topOf(owner?.stack)?.place.fn);

/** Whether running code is that of a function with a name which may have given a promise, or a chain. @param outer the function that runs all of them, and gave none */
export const mayGive = (frame: Stack | undefined, outer: string | undefined): frame is Stack => isNamed(frame, outer) && !isRunner(frame.place);

/** Whether a function only runs what it is given, as far as its name tells. */
export const isRunner = ({ lastName }: Place): boolean => RUNNERS.test(lastName);

const isNamed = (frame: Stack | undefined, outer: string | undefined): frame is Stack =>
  frame !== undefined && !frame.awaits && frame.place.kind === 'user' && frame.place.name !== '' && frame.place.fn !== outer;

/** Whether work was done behind the head of a chain, and not only something with what that gave. */
function hasSteps({ chainEnd }: PromiseNode): boolean {
  for (let at = chainEnd; at?.parent; at = at.parent) if (at.inner) return true;
  return false;
}

function isNamedAbove({ callers }: Stack): boolean {
  for (let at = userFrame(callers); at && !at.awaits; at = userFrame(at.callers)) if (at.place.name !== '') return true;
  return false;
}
