/**
 * Gates: what elements of a combinator wait for until there is room for the work that they begin behind it, where no neighbour's end was
 * seen to end that wait. They look again and again (`while (busy) await sleep(5)`), race what others have begun, or ask a function that
 * lets them in.
 */
import type { CombinatorCall } from './combinator-call';
import { isOthersRace, raceAwaited } from './combinator-kinds';
import { releaseOf } from './releases';
import { NO_WORK_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import { arePauses, isPause, isPausing, looksAgain } from '../promises/pauses';
import { topOf, type Place } from '../promises/places';
import { functionKeyOf, isFirstCall, isIteratorStep, isUserCall, type CallPlace, type PromiseNode } from '../promises/promise-node';
import { headOf } from '../promises/chain-links';
import { workOf } from '../promises/work-of';

/** Functions that let in who has a slot. A guess by name, for those of which nobody sees who let the next one in: a timer's callback. */
const ACQUIRES = /^_?(?:acquire\w*|lease|borrow|check_?out|wait(?:For|Until)?(?:Slot|Turn|Room|Token|Permit|Capacity)\w*|(?:get|take|reserve|obtain|grab)(?:Free|Next|Available)?(?:Slot|Seat|Permit|Token|Lock|Lease|Ticket|Turn))$/i;

/** Whether a call asks for a slot, as far as its name tells. */
function isAcquire({ stack }: PromiseNode): boolean {
  const top = topOf(stack);
  return top?.place.kind === 'user' && ACQUIRES.test(top.place.lastName);
}

/** Whether what an element calls at a place only waits: for a while, or until others are through. */
const areWaits = (call: CombinatorCall, calls: CallPlace): boolean =>
  arePauses(calls) || isPausing(call, calls) || (calls.nodes.length > 0 && calls.nodes.every(isOthersRace));

/** Where an element has called something else. */
const placesBeside = ({ scope }: PromiseNode, work: CallPlace): Place[] => scope?.calls?.filter((calls) => calls !== work).map(({ place }) => place) ?? [];

/** Gates of one thread. */
export class Gates {
  /** By function that races what others have begun before it begins something itself: the latest combinator call with elements of it. */
  private readonly races = new Map<string, CombinatorCall>();
  /** By combinator call and the gate's function, who passed last; undefined once somebody overtook. */
  private readonly passed = new WeakMap<CombinatorCall, Map<string, PromiseNode | undefined>>();

  /** Functions by which somebody passed at once: who loops in one of these looks again whether there is room, and does not work there. */
  private readonly open = new Set<string>();

  constructor(private readonly loop: LoopEntries) {}

  /**
   * @param element begins its work now @param calls what it called where it did
   * @returns whether what it waited for before was its turn; and the call whose elements are behind the same gate, where that is another one
   */
  pass(call: CombinatorCall, element: PromiseNode, work: PromiseNode, calls: CallPlace): { readonly shared: CombinatorCall | undefined } | undefined {
    const wait = element.lastWait;
    if (!wait || work.combinator || isIteratorStep(headOf(wait))) return undefined;
    const race = raceAwaited(wait);
    if (race) return this.passRace(call, element, race, calls);
    const hasPolled = isUserCall(work) && call.pausesAgain && call.isBegunAt(calls.place) && hasOnlyWaited(call, element, calls) && (!wait.stack || isPause(wait) || wait.byTimer);
    if (hasPolled) call.hasPolled(placesBeside(element, calls), calls.place);
    else if (!((work.isAsyncFunction && isUserCall(work)) || isAcquire(wait) || looksAgain(wait)) || !this.isTurn(call, element, wait)) return undefined;
    return { shared: undefined };
  }

  private passRace(call: CombinatorCall, element: PromiseNode, race: PromiseNode, calls: CallPlace): { readonly shared: CombinatorCall | undefined } | undefined {
    const fn = functionKeyOf(element);
    const known = this.races.get(fn);
    if (!hasOnlyWaited(call, element, calls) || (!known && !call.isBegunAt(calls.place))) return undefined;
    this.races.set(fn, call);
    call.hasPolled(placesBeside(element, calls), calls.place);
    const shared = racedFor(race, known);
    return { shared: shared === call ? undefined : shared };
  }

  /**
   * A plain promise of a gate's, or a link of a chain, is the first thing that elements wait for: a bucket of tokens lets the first pass at once and the
   * others one after the other, in the order in which they came, whenever a token is there.
   */
  private isTurn(call: CombinatorCall, element: PromiseNode, wait: PromiseNode): boolean {
    const isFirst = wait.isDerived ? wait.made <= call.node.made : wait.tick === element.tick;
    if (wait.isPending || !isFirst || element.turnWait) return false;
    // As long as elements are still being begun, none can go on.
    const since = Math.max(wait.made, call.node.made);
    const isFree = wait.ended - since < NO_WORK_MS;
    if (isFree && wait.isAsyncFunction) this.open.add(functionKeyOf(wait));
    if (isAcquire(wait) || (looksAgain(wait) && this.open.has(functionKeyOf(wait)))) return !isFree;
    const gate = gateOf(wait);
    if (gate === '') return false;
    let passed = this.passed.get(call);
    if (!passed) this.passed.set(call, (passed = new Map<string, PromiseNode | undefined>()));
    const isKnown = passed.has(gate);
    // Behind the last link of a chain nobody waits.
    if (wait.isDerived && !wait.isForked && !isKnown) return false;
    const before = passed.get(gate);
    // The first may take its time to pass, where code runs that never ran before; what it waited for took no turn of the event loop.
    if (isKnown ? before === undefined : !isFree && this.loop.latest > since) return false;
    const isNext = before === undefined || before.id < element.id;
    passed.set(gate, isNext ? element : undefined);
    return isKnown && isNext && !isFree;
  }
}

/** What may let elements pass one after the other: a function's plain promises, or a chain of which each waits for a link of its own. Empty where it is neither. */
function gateOf(wait: PromiseNode): string {
  const release = releaseOf(wait);
  if (wait.isDerived) return `chain|${headOf(wait).id}`;
  const isPlain = !release.isAsyncFunction && !release.isDerived && isUserCall(release) && !release.byTimer && workOf(release) === release;
  return isPlain ? functionKeyOf(release) : '';
}

/** Whether all that an element did before it began its work was to wait for room, and it has begun nothing else there. */
const hasOnlyWaited = (call: CombinatorCall, { scope }: PromiseNode, work: CallPlace): boolean =>
  isFirstCall(work) && scope?.calls?.every((calls) => calls === work || areWaits(call, calls)) === true;

/** The combinator call whose elements had begun what is raced. @param known the latest whose elements race so: it had raced what no race is told of again */
function racedFor({ combinator }: PromiseNode, known: CombinatorCall | undefined): CombinatorCall | undefined {
  const raced = combinator?.elements ?? [];
  return raced.length === 0 ? known : raced.map((one) => headOf(one).owner?.awaitingCall).find((call) => call !== undefined);
}
