/** What a combinator call is told to be when it comes: a chunk, what only collects what is drawn already, or no concurrency of the author's. */
import { RootKind } from '../../model/facts';
import type { CallRoles } from './call-roles';
import type { CombinatorCall } from './combinator-call';
import { alarmAmong, alarmOf, isLibrarysOwn, isRoundOfChains, isTimeout, onlyAsksSources, onlyCloses, onlyJoins, racesOthers } from './combinator-kinds';
import { isSubmitter, noteHandedOver } from './handed-over';
import { KnownSeries } from './known-series';
import { LimitedPool } from './limited-pool';
import type { LooseCalls } from './loose-calls';
import { functionKeyOf, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { workOf } from '../promises/work-of';
import type { Place } from '../promises/places';
import type { Scopes } from '../promises/scopes';
import { isTask, Series } from './series';

/** What an element was resolved with, and that in turn, is followed no further. */
const MAX_LINKS = 8;

export class Introductions {
  /** By place, the latest race there that was given something for the first time. */
  private readonly races = new WeakMap<Place, CombinatorCall>();
  private readonly known: KnownSeries;

  constructor(private readonly thread: number, scopes: Scopes, private readonly roles: CallRoles, private readonly loose: LooseCalls) {
    this.known = new KnownSeries(scopes, loose);
  }

  /** A call has all its elements: it is told what they are. */
  introduce(call: CombinatorCall): void {
    const earlier = this.known.before(call);
    if (earlier) call.leaveOut((element) => earlier.isDoneWith(element));
    for (const place of earlier?.last.notLoops ?? []) call.notLoops.add(place);
    const alarm = alarmAmong(call);
    if (alarm) call.leaveOut((element) => element === alarm);
    const tasks = call.elements.filter(isTask);
    this.noteRace(call);
    // They are the tasks that a library tells of itself.
    const areLibrarys = this.loose.hasUntiedTasks() && tasks.some(({ kind }) => kind === RootKind.value);
    if (areLibrarys || tasks.length === 0 || isTimeout(call) || isLibrarysOwn(call, earlier !== undefined) || onlyJoins(call) || onlyAsksSources(call) || onlyCloses(call)) {
      call.role = 'nothing';
      this.putBehindWork(call);
      return;
    }
    if (this.isCrawl(call)) { this.collectCrawl(call); return; }
    this.freeNeeded(call);
    const own = call.doesMore ? tasks : tasks.filter((element) => !this.isDrawn(element));
    const limiter = this.roles.limiterAt(call);
    const known = limiter?.knownMember;
    const work = known && workOf(known);
    if (work?.family) call.before = { family: work.family, count: this.loose.countLikeThere(work) };
    if (limiter?.isFedAgainBy(call, own)) {
      for (const element of own) takeOver(call, element);
      this.roles.feedAgain(call, limiter, own);
      return;
    }
    // What was over by then is nobody's work: it was known, or not wanted.
    const isTaken = tasks.length - own.length > own.filter((element) => element.isPending).length;
    const isMerge = earlier?.sharesStartWith(call) === true;
    call.isOfChains ||= earlier !== undefined && isRoundOfChains(call, earlier.last);
    if (!isMerge && (isTaken || racesOthers(call, tasks))) {
      call.role = 'collector';
      noteHandedOver(call);
      // What was left of a race, raced again: it waited for a free slot.
      if (call.combinator === 'race' && earlier?.callCount === 1) this.roles.leaveToOthers(earlier.last);
      this.loose.collected(call);
      return;
    }
    call.role = 'together';
    for (const element of tasks) takeOver(call, element);
    const before = this.known.before(call);
    // What is over with the first of its calls is no chunk: each is a race of its own.
    const helped = before || !call.isForAll ? undefined : this.known.helpersBefore(call);
    if (call.isForAll && before?.isFollowedBy(call)) before.append(call);
    else if (before && isMerge) before.merge(call);
    else if (helped) {
      // Each chunk in a call of a helper of its own, the helper called from one place again and again.
      for (const helper of helped.helpers) this.roles.claim(helper);
      helped.series.helpers = Math.max(helped.series.helpers, helped.levels);
      helped.series.append(call);
    } else call.series = new Series(call, this.thread);
    const { series } = call;
    if (!series) return;
    this.known.keep(series, call);
    this.roles.noteRound(call);
  }

  /** What is left of a race may be raced again: then nothing of it is ignored. */
  private noteRace(call: CombinatorCall): void {
    const { combinator, elements, frame, racedBefore } = call;
    if (combinator !== 'race' || !frame) return;
    const before = this.races.get(frame.place);
    if (elements.length > 0) this.races.set(frame.place, call);
    if (racedBefore === 0 || !before || before === call) return;
    before.isRacedAgain = true;
    if (before.pool instanceof LimitedPool) this.roles.leaveToOthers(before);
    before.series?.draft.change({ kind: 'all' });
    for (const element of before.elements) this.roles.finishElement(before, element);
  }

  /** Elements that wait for others of the same call first: what they wait by holds no tasks of its own. */
  private freeNeeded(call: CombinatorCall): void {
    let own: Set<PromiseNode> | undefined;
    for (const element of call.elements) {
      const waited = sourceOf(element).lastWait?.combinator;
      if (!waited?.standsAlone || waited === call) continue;
      own ??= new Set(call.elements.map(sourceOf));
      if (waited.elements.every((one) => own?.has(sourceOf(one)))) this.roles.leaveToOthers(waited);
    }
  }

  /** What races work with an alarm clock goes on with that work: it is a link of the chain that the work is. */
  private putBehindWork(call: CombinatorCall): void {
    const alarm = alarmOf(call);
    const work = call.elements.find((element) => element !== alarm);
    if (!alarm || !work || work.isRetired) return;
    call.node.parent = work;
    for (const node of [work, sourceOf(work)]) {
      if (node.elementOf === call) node.elementOf = undefined;
      if (node.behind === call) node.behind = undefined;
    }
    this.loose.claimed(sourceOf(alarm));
  }

  /**
   * `async function visit(page) { await slots.take(); let links; try { links = await load(page); } finally { slots.give(); } await Promise.all(links.map(visit)); }`: whether a
   * function waits for more calls of its own, behind what is a pool's task already.
   */
  private isCrawl({ elements, isForAll, node: { owner } }: CombinatorCall): boolean {
    const fn = owner?.isAsyncFunction ? functionKeyOf(owner) : '';
    return isForAll && fn !== '' && elements.every((element) => element.isAsyncFunction && functionKeyOf(element) === fn)
      && owner?.scope?.calls?.some(({ nodes }) => nodes.some((node) => this.loose.isOfPool(node))) === true;
  }

  /** What leads from page to page only collects; so does what was called before it was known that pages are a pool's. */
  private collectCrawl(call: CombinatorCall): void {
    call.role = 'collector';
    this.loose.collected(call);
    const around = call.node.owner?.awaitingCall;
    if (around?.standsAlone) this.roles.leaveToOthers(around);
  }

  private isDrawn(element: PromiseNode): boolean {
    const work = workOf(element);
    const source = sourceOf(element);
    const head = headOf(element);
    // `slots.acquire().then(() => load(id).finally(() => slots.release()))`: the library's adapter tells what is done with the slot.
    if (source.isTurn && source !== element) return true;
    if (isSubmitter(source) || this.loose.isForWorkers(source) || (head.chainEnd && this.isBar(head))) return true;
    // What only calls another function stands for that, and may be drawn itself.
    for (let at = element.inner, steps = 0; at && at !== work && steps < MAX_LINKS; at = at.inner, steps++) if (this.isBar(at)) return true;
    return this.isBar(element) || this.isBar(work) || (source !== element && (this.isBar(source) || this.isBar(workOf(source))));
  }

  private isBar(node: PromiseNode): boolean { return (node.task?.group !== undefined && !node.isBeside) || this.loose.isGrouped(node); }
}

/** What was an element before of a call that only collected is an element of this one: here its end is drawn. */
function takeOver(call: CombinatorCall, element: PromiseNode): void {
  const source = sourceOf(element);
  if (element.elementOf?.holdsTasks !== true) element.elementOf = call;
  if (source !== element && source.behind?.holdsTasks !== true) source.behind = call;
}
