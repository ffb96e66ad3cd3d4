/**
 * Calls of plain functions that give a chain: `const copy = (id) => load(id).then((row) => save(row))`. What is known of such a
 * call is the promise that the chain begins with, its head, and the links behind it; the call is over where the last link is
 * that somebody else takes.
 *
 *   copy(1)  ├▇▇▇▇ load ▇▇▇▇┤▇▇▇ save ▇▇▇┤  .then(next)
 *            head                        last link taken
 */
import type { Family } from './family';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, isBehind } from '../promises/chain-links';
import { endBehindBegin, firstStepOf, isMereBegin, isThere } from '../promises/chain-steps';
import { waiterOf } from '../promises/pauses';
import { isBuiltin, isCutOff, topOf, userFrame, type Stack } from '../promises/places';
import { isRunner } from '../promises/runners';
import { callFrameOf } from '../promises/scopes';

/** Functions that call something again where it failed. A guess by name. */
const TRIES = /[Rr]etr(?:y|ies)|[Aa]ttempt|[Aa]gain|[Bb]ack_?[Oo]ff|^_?try(?![a-z])/;
/** Chains are followed so far, and those that their links were resolved with. */
const MAX_LINKS = 64;
const MAX_NESTED = 8;
/** Calls of one run of code that are watched for what comes behind them, where they were settled at once. */
const MAX_BEGUN = 4096;

interface Waiting { readonly head: PromiseNode; readonly family: Family }

export class Chains {
  /** Heads that have settled, by the link at which their calls will be over; by then they may have been retired, and have lost their family. */
  private readonly waiting = new Map<PromiseNode, Waiting>();
  /** The same of calls of first steps, where a chain begins with what is no work: that may be a call as well, of a pause. */
  private readonly steps = new Map<PromiseNode, Waiting & { readonly ownEnd: PromiseNode | undefined }>();

  /** Calls whose promise was settled by the run of code that goes on, which made it as well: there may come links behind it. And which run that is. */
  private readonly begun = new Map<PromiseNode, Family>();
  private run = 0;

  /** @param over a family's call is over: by the promise given, in a run of code */
  constructor(private readonly over: (family: Family, head: PromiseNode, end: PromiseNode, tick: number) => void) {}

  /** Somebody waits for a link, or goes on behind it. */
  taken(link: PromiseNode): void {
    const head = headOf(link);
    if (head === link || head.isShared || !link.isPending || !(isThere(head) || this.isCallAtWork(head, link))) return;
    // Several wait for what was begun once: none of their chains is that call's.
    const isWaiting = head.chainEnd !== undefined && this.waiting.delete(head.chainEnd);
    head.isShared = head.chainEnd !== undefined && !isBehind(link, head.chainEnd);
    head.chainEnd = head.isShared ? undefined : link;
    // Where an alarm clock rings first, the call is over while its work goes on.
    if (head.chainEnd && head.family && ((isWaiting && !head.isPending) || isRaced(link))) this.waiting.set(link, { head, family: head.family });
  }

  private isCallAtWork(head: PromiseNode, link: PromiseNode): boolean {
    const goesOn = head.isPending || this.begun.has(head) || this.goesOnAfterAll(head) || (head.isThroughAtOnce && head.chainEnd !== undefined && this.waiting.has(head.chainEnd) && isBehind(link, head.chainEnd));
    return goesOn && head.family !== undefined && !(head.family.areRequests && !isAskedInFunction(head));
  }

  /** The first call of a function that was through at once, and goes on in links behind it. */
  private goesOnAfterAll(head: PromiseNode): boolean {
    const { family } = head;
    if (!family || family.mayGoOn || head.tick !== this.run || !mayGoOnBehind(head)) return false;
    family.mayGoOn = true;
    if (!family.reopens(head)) return false;
    this.begun.set(head, family);
    return true;
  }

  /** A call is over with a link, though the head had settled before. */
  goesOnUntil(link: PromiseNode, head: PromiseNode, before: PromiseNode | undefined): void {
    if (before) this.waiting.delete(before);
    if (head.family) this.waiting.set(link, { head, family: head.family });
  }

  /** A call goes on in another family. */
  moved(head: PromiseNode, family: Family): void {
    const waiting = head.chainEnd && this.waiting.get(head.chainEnd);
    if (head.chainEnd && waiting?.head === head) this.waiting.set(head.chainEnd, { head, family });
    const step = head.chainEnd && this.steps.get(head.chainEnd);
    if (head.chainEnd && step?.head === head) this.steps.set(head.chainEnd, { ...step, family });
    if (this.begun.has(head)) this.begun.set(head, family);
  }

  /** A promise has settled. @returns whether the call that it is the head of goes on */
  settled(node: PromiseNode, tick: number): boolean {
    const further = endBehindBegin(node);
    const step = this.steps.get(node);
    if (step) { this.steps.delete(node); this.over(step.family, step.head, node, tick); }
    const ended = this.waiting.get(node);
    if (ended) {
      this.waiting.delete(node);
      if (further) this.goesOnBehind(further, ended); else this.over(ended.family, ended.head, node, tick);
    }
    const { family, chainEnd } = node;
    if (chainEnd && isThere(node)) this.beginsBehind(node);
    if (!family) return false;
    if (!chainEnd && further) { this.goesOnBehind(further, { head: node, family }); return true; }
    const isOfFunction = mayGoOnBehind(node);
    if (isOfFunction) family.beginsAtOnce();
    if (!chainEnd) {
      // Of a million calls that are through at once most are just that: only where one went on are the next ones waited for.
      if (!isOfFunction || !family.mayGoOn || this.begun.size >= MAX_BEGUN) return false;
      this.begun.set(node, family);
      return true;
    }
    if (chainEnd.isPending) this.waiting.set(chainEnd, { head: node, family });
    return chainEnd.isPending || isRaced(chainEnd);
  }

  /** What a chain begins with is no work: the first step, which may be over before that is known, is. */
  beginsBehind(head: PromiseNode): void {
    const end = head.chainEnd;
    if (!end) return;
    const step = firstStepOf(end, head);
    if (!step?.family || step.isPending || step.chainEnd) return;
    if (!end.isPending) {
      step.chainEnd = end;
      step.family.endsBy(step, end);
    } else if (step.family.reopens(step)) this.goesOnBehind(end, { head: step, family: step.family });
  }

  /** The call of a first step is over with a later link of the chain. */
  private goesOnBehind(link: PromiseNode, step: Waiting): void {
    this.steps.set(link, { ...step, ownEnd: step.head.chainEnd });
    step.head.chainEnd = link;
  }

  /** @param tick the run of code that goes on; 0 where none does any more */
  beginRun(tick: number): void {
    const { run } = this;
    // What was begun before, and is known only now, begins no other run.
    if (run === tick || (tick !== 0 && tick < run)) return;
    this.run = tick;
    for (const [head, family] of this.begun) {
      const end = head.chainEnd ?? head;
      if (end.isPending) this.waiting.set(end, { head, family });
      else this.over(family, head, end, end === head ? run : end.endedTick);
    }
    this.begun.clear();
  }

  /**
   * A call is made in the reaction that a link of a chain is, of the function that the chain begins with. Made at the same place it is a
   * lane's next task, and the call before went only up to there.
   * @param family the next call's
   * @returns whether it is a further step of the chain, and no call of its own
   */
  goesOn(next: PromiseNode, family: Family): boolean {
    const around = this.linkAround(next, family);
    const { link, head } = around ?? {};
    if (!link?.parent || !head?.chainEnd) return false;
    if (callFrameOf(head)?.place !== callFrameOf(next)?.place) return true;
    if (isAnotherTry(link, next)) { family.triesAgain(head); return true; }
    this.endAt(link.parent, head, family, next);
    return false;
  }

  /** `steps.reduce((before, step) => before.then(() => step()), Promise.resolve())`: a call is made where the first step's was, of whatever function: that went only up to there. */
  passedOnTo(next: PromiseNode): void {
    if (this.steps.size === 0) return;
    const link = next.madeIn;
    const head = link?.parent && begunBefore(link, headOf(link));
    if (!link?.parent || !head?.family || !head.chainEnd || !isBehind(head.chainEnd, link) || !isOfPlace(head, next) || isAnotherTry(link, next)) return;
    this.endAt(link.parent, head, head.family, next);
  }

  /** A call is over with a link, behind which the next one is made. */
  private endAt(end: PromiseNode, head: PromiseNode, family: Family, next: PromiseNode): void {
    const { chainEnd } = head;
    const step = chainEnd && this.steps.get(chainEnd);
    const isStep = step?.head === head;
    const isWaiting = chainEnd !== undefined && (isStep ? this.steps : this.waiting).delete(chainEnd);
    head.chainEnd = isStep ? step.ownEnd : end === head ? undefined : end;
    if (isWaiting) this.over(family, head, end, next.tick);
  }

  /**
   * The link of a chain that begins with a call of the family, in whose reaction another one is made, or in that of a chain that the link was resolved with; and that call.
   * A chain that begins with what is no work begins with the call of its first step.
   */
  private linkAround(next: PromiseNode, family: Family): { readonly link: PromiseNode; readonly head: PromiseNode } | undefined {
    let link = next.madeIn;
    for (let steps = 0; link?.parent && steps < MAX_NESTED; steps++) {
      const head = headOf(link);
      const begun = head.family === family ? head : begunBefore(link, head);
      if (begun?.chainEnd && begun.family === family) return isBehind(begun.chainEnd, link) ? { link, head: begun } : undefined;
      link = link.adoptedBy ?? head.chainEnd?.adoptedBy;
    }
    return undefined;
  }
}

/** Whether a call of a function was through at once, so that any work of it is in links behind it. */
const mayGoOnBehind = (call: PromiseNode): boolean =>
  call.isThroughAtOnce && !call.combinator && isUserCall(call) && !isThere(call) && topOf(call.stack)?.place.name !== '';

/** The call of the first step of a chain that begins with what is no work, where a link comes behind that. */
const begunBefore = (link: PromiseNode, head: PromiseNode): PromiseNode | undefined =>
  (isMereBegin(head) && link.parent !== head ? firstStepOf(link, head) : undefined);

/** Whether a call was made where another was, of whatever function. */
function isOfPlace(call: PromiseNode, other: PromiseNode): boolean {
  const place = callFrameOf(call)?.place;
  return place !== undefined && place === callFrameOf(other)?.place;
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
