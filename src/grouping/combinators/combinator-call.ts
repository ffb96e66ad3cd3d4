/** One call of `Promise.all`, `allSettled`, `race` or `any`, with what it was given. */
import { RootKind } from '../../model/facts';
import type { Combinator } from '../../model/timeline';
import { libraryOf, siteOf, userFrame, type Place, type Stack } from '../promises/places';
import type { TaskDraft } from '../drafts';
import type { Family } from '../families/family';
import { arePauses, areWaits } from '../promises/pauses';
import type { CallPlace, PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import type { LanePool } from './lane-pool';
import type { LimitedPool } from './limited-pool';
import { Looks } from '../looks';
import type { Series } from './series';
import type { WorkerPool } from './worker-pool';

const NAMES: Readonly<Record<number, Combinator>> = {
  [RootKind.all]: 'all', [RootKind.allSettled]: 'allSettled', [RootKind.race]: 'race', [RootKind.any]: 'any',
};

/**
 * What its elements turned out to be. `new`: not judged yet; `nothing`: no concurrency of the author's; `together`: tasks
 * that all started at the call; `workers`: rails of a pool; `limited`: tasks that wait for their turn; `collector`: of
 * tasks that a pool started before.
 */
export type Role = 'new' | 'nothing' | 'together' | 'workers' | 'limited' | 'collector';

export class CombinatorCall {
  readonly elements: PromiseNode[] = [];
  /** How many more a race was given, which other races had been given before. */
  racedBefore = 0;
  /** True once what is left of a race was raced again: who races waits for all, for the next that is through each time. */
  isRacedAgain = false;
  role: Role = 'new';
  /** The series of calls it belongs to, while its role is `together`. */
  series: Series | undefined;
  /** The pool it turned out to be, while its role is `workers` or `limited`. */
  pool: WorkerPool | LimitedPool | undefined;
  /** Its lanes, once their turns are known to run groups of their own; it only collects then. */
  lanes: LanePool | undefined;
  /** True once what a race was given turned out to be chains, and no pool's tasks. */
  isOfChains = false;

  /** The wait by which its elements were told to wait for their turn, if they were told by one. */
  turnWait: PromiseNode | undefined;
  /** How many of its elements called each place, while it is open whether they are workers. */
  private callers: Map<Place, number> | undefined;
  /** What elements called before anything else. */
  private readonly firstCalls = new Map<Place, CallPlace>();
  /** When to look at all elements whether they are workers. */
  readonly looks = new Looks();
  /** True once elements were seen to call something else than pauses. */
  hasWork = false;
  /** True once one was seen to pause again at one place. */
  pausesAgain = false;
  /** True once the code of an element was seen to call a place again. */
  hasLoops = false;
  /** What elements hand over first of all, if anything: a task of a library's or behind a semaphore. By element, what ends with it. */
  handedOver: Map<PromiseNode, PromiseNode | TaskDraft> | undefined;
  /** The elements it was given, where it stands for what they wait for; and that. */
  askers: ReadonlyMap<PromiseNode, PromiseNode> | undefined;
  /** True once its elements were seen to do more than what they do behind a semaphore or a limiter. */
  doesMore = false;
  /** Where elements look again and again whether there is room for them. */
  private readonly polls = new Set<Place>();
  /** Where those begin their work that have done so. */
  private readonly works = new Set<Place>();
  /** What the limiter had worked off by then that a call at its place had been given before. */
  before: { readonly family: Family; readonly count: number } | undefined;
  /** Places of which it is known that they are no worker's loop, whatever is still to come. */
  readonly notLoops = new Set<Place>();

  constructor(readonly node: PromiseNode) {}

  /** What it was given once more, though that is through, is none of what it waits for. It stands at one end of the list: most lists hold none, and may be long. */
  leaveOut(isThrough: (element: PromiseNode) => boolean): void {
    const { elements } = this;
    if (![elements.at(0), elements.at(-1)].some((element) => element && isThrough(element))) return;
    let kept = 0;
    for (const element of elements) if (!isThrough(element)) elements[kept++] = element;
    elements.length = kept;
  }

  /** Its elements turned out to go on behind its tasks: it stands for what their chains begin with. */
  standForHeads(): void {
    this.elements.forEach((element, i) => {
      const head = headOf(element);
      if (head === element) return;
      if (element.elementOf === this) element.elementOf = undefined;
      if (head.elementOf?.holdsTasks !== true) head.elementOf = this;
      this.elements[i] = head;
    });
  }

  /** Its elements only wait for what they have put behind others' work: it stands for that. @param asked by index of the element */
  standForAsked(asked: readonly PromiseNode[]): void {
    this.askers = new Map(this.elements.map((element, i) => [element, asked[i]]));
    asked.forEach((step, i) => {
      if (step.elementOf?.holdsTasks !== true) step.elementOf = this;
      this.elements[i] = step;
    });
  }

  /** Its elements did more than to wait for that: it stands for themselves again. */
  standForAskers(): void {
    if (!this.askers) return;
    for (const step of this.askers.values()) if (step.elementOf === this) step.elementOf = undefined;
    this.elements.length = 0;
    for (const element of this.askers.keys()) this.elements.push(element);
    this.askers = undefined;
  }

  /** Its elements are all there: counts what they have called so far. */
  countCallers(): void {
    this.callers = new Map();
    for (const element of this.elements) sourceOf(element).scope?.calls?.forEach((calls, index) => { this.addCaller(calls, index === 0); });
  }

  /** One more element has called a place. @param isFirst whether it had called nothing before */
  addCaller(calls: CallPlace, isFirst: boolean): void {
    const { place } = calls;
    this.callers?.set(place, (this.callers.get(place) ?? 0) + 1);
    if (isFirst && !this.firstCalls.has(place)) this.firstCalls.set(place, calls);
    this.hasWork ||= !arePauses(calls);
    this.noteAgain(calls);
  }

  /** An element has called a place again. */
  noteAgain(calls: CallPlace): void { this.pausesAgain ||= calls.seen > 1 && areWaits(calls); }

  /** An element that begins its work at a place has looked at others whether there is room. */
  hasPolled(places: readonly Place[], work: Place): void {
    for (const place of places) this.polls.add(place);
    this.works.add(work);
  }

  /** Whether all that an element has called so far was to look whether there is room. */
  onlyPolls({ scope }: PromiseNode): boolean {
    return this.polls.size > 0 && scope?.calls?.every((calls) => !this.works.has(calls.place) && (arePauses(calls) || this.polls.has(calls.place))) === true;
  }

  /** Whether an element began with a call there. */
  isBegunAt(place: Place): boolean { return this.firstCalls.has(place); }

  /** Whether an element began elsewhere, with something else than to wait. */
  isBegunBeside(place: Place): boolean { return [...this.firstCalls.values()].some((calls) => calls.place !== place && !areWaits(calls)); }

  /** Whether enough elements called a place for it to be a loop of workers. */
  isCalledByMost(place: Place): boolean { return (this.callers?.get(place) ?? 0) * 2 >= this.elements.length; }

  get combinator(): Combinator { return NAMES[this.node.kind] ?? 'all'; }
  /** Whether it lasts until all its elements have ended, as a chunk does. */
  get isForAll(): boolean { return this.combinator === 'all' || this.combinator === 'allSettled'; }
  /** The user's frame that called it; where a library goes on by itself, in a chain that it began when it was called, the frame that did so. */
  get frame(): Stack | undefined { return userFrame(this.node.stack) ?? this.begunAt; }
  private get begunAt(): Stack | undefined {
    const { madeIn, owner, stack } = this.node;
    const library = owner || !madeIn ? undefined : libraryOf(stack);
    const head = library === undefined || !madeIn ? undefined : headOf(madeIn);
    return head && libraryOf(head.stack) === library ? userFrame(head.stack) : undefined;
  }
  get site(): ReturnType<typeof siteOf> | undefined { return this.frame && siteOf(this.frame); }
  /** Whether its elements are tasks, or rails, of a group of its own. */
  get holdsTasks(): boolean { return this.role === 'together' || this.role === 'workers' || this.role === 'limited'; }
  /** Whether its tasks began together and are drawn with no other call's: it may still turn out to be something else. */
  get standsAlone(): boolean { return this.series?.callCount === 1; }
  /** Its result is known and what still runs has nobody to read it. */
  get isDecided(): boolean {
    return !this.node.isPending && (this.node.rejected || (this.combinator === 'race' && !this.isRacedAgain) || this.combinator === 'any');
  }
}
