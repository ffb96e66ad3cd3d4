/**
 * Lanes that nobody awaits: first calls of a function that calls itself again (`async function next() { await job(); next(); }`),
 * and listeners that bring themselves about again. What they call is one group, whichever of them called it.
 */
import type { GroupDraft } from '../drafts';
import type { Family } from './family';
import { releaseOf } from '../combinators/releases';
import { areWaits } from '../promises/pauses';
import { topOf } from '../promises/places';
import { functionKeyOf, isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { anchorOf, chainOf, isInside, isNextRound, isRecursion, type Scope, type Scopes } from '../promises/scopes';

/** First calls of a function that may yet turn out to call itself. */
const MAX_LANES = 1024;

/** What lanes had called before they were known for lanes. */
export interface LaneCalls {
  /** In the order in which they were made; by the key of their family. */
  readonly calls: readonly { readonly key: string; readonly node: PromiseNode }[];
  /** Groups of which the lanes themselves were taken for tasks. */
  readonly mistaken: readonly GroupDraft[];
}

/** Levels of functions between what starts tasks and the function around all of that. */
const MAX_LEVELS = 8;
/** Of functions that race work for the one which begins it. */
const MAX_HELPERS = 3;

/** What one call of a function has raced, as far as it may still run. */
export class Races {
  private works: PromiseNode[];
  /** As many are kept before those that are over are let go. */
  private limit = MAX_LANES;

  constructor(readonly by: PromiseNode, works: readonly PromiseNode[]) { this.works = [...works]; }

  /** It races more. */
  goOn(works: readonly PromiseNode[]): void {
    this.works.push(...works);
    if (this.works.length <= this.limit) return;
    this.works = this.works.filter(({ isPending }) => isPending);
    this.limit = Math.max(MAX_LANES, 2 * this.works.length);
  }

  /** @param works what another call races for the first time @param racedBefore how much else it was given @returns all that it races, as far as that can be told */
  leftTo(works: readonly PromiseNode[], racedBefore: number): readonly PromiseNode[] {
    const left = racedBefore === 0 ? [] : this.works.filter(({ isPending }) => isPending);
    return left.length <= racedBefore ? [...new Set([...left, ...works])] : works;
  }
}

export class LooseLanes {
  /** Functions of which some calls leave running what they begin. */
  private readonly starters = new Set<string>();
  /** Functions that are over once they have begun what calls them again. */
  private readonly hirers = new Set<string>();

  /** @param found lanes turned out to be such: what they called belongs to the scope around them */
  constructor(private readonly scopes: Scopes, private readonly found: (before: LaneCalls, outer: Scope) => void) {}

  /**
   * Which function's calls a loose call counts among: the running one's; but where that calls itself again and nobody awaits
   * it, it is one lane of several that the function at the begin of it all started. Where it is awaited, what it calls of
   * itself is on a level of its own: its own call lasts for as long as those do.
   * @param node the loose call @param user the running function's call
   */
  homeOf(node: PromiseNode, user: PromiseNode | undefined): PromiseNode | undefined {
    if (!user) return user;
    if (isBegunAnew(node, user)) this.goneOn(node, user);
    if (this.starters.size > 0) {
      const by = functionKeyOf(user);
      const around = this.starters.has(by) && functionKeyOf(node) !== by ? this.startedAround(user, by) : undefined;
      if (around) return around.outer;
    }
    const head = chainOf(user) ?? user;
    const fn = functionKeyOf(head);
    const around = anchorOf(head).user;
    const outer = this.scopes.of(around);
    const lanes = (outer.lanes ??= new Map<string, PromiseNode[] | 'tasks' | 'callers'>());
    const first = lanes.get(fn);
    const isRecursive = functionKeyOf(node) === fn;
    if (first === 'tasks') return around;
    // The lane's next call, which is no task itself.
    if (first === 'callers') return isRecursive ? user : around;
    // It is over, and so did not wait for what it called of itself: those are beside it, as pages that a page leads to.
    if (isRecursive && user.ended < node.made) return this.tell(lanes, [...new Set([...first ?? [], user])], fn, outer) ? around : user;
    if (head === user || isRecursive) {
      if (!first) lanes.set(fn, [user]);
      else if (first.length < MAX_LANES && first[first.length - 1] !== user) first.push(user);
    }
    if (head === user) return user;
    // As long as the first of them still runs for the first time, nobody can have awaited it.
    if (head.consumed || head.awaitingCall || node.tick === head.tick) return isRecursive ? user : head;
    const areTasks = this.tell(lanes, (first ?? []).filter((lane) => !lane.consumed && !isRecursion(lane)), fn, outer);
    return areTasks || !isRecursive ? around : user;
  }

  /**
   * `async function next() { const item = await pull(); (async () => { await work(item); await next(); })(); }`: what a function left running calls that function
   * again, as one lane of several. What all of them call is one group.
   * @param node a call of the function, by `lane`
   */
  private goneOn(node: PromiseNode, lane: PromiseNode): void {
    const fn = functionKeyOf(lane);
    if (this.startedAround(lane, fn)) return;
    const starter = functionKeyOf(node);
    const first = outermost(lane, starter, true);
    const outer = anchorOf(first).user;
    this.beginAround(outer, fn);
    const starts = [...new Set([first, ...first.family?.separable() ?? []])].filter((call) => functionKeyOf(call) === starter);
    const lanes = starts.flatMap(familiesOf).filter(({ key }) => key === fn).flatMap((family) => family.separable() ?? []);
    const { calls, mistaken } = takeCalls(lanes, fn, false);
    this.hirers.add(starter);
    const drawn = first.family?.giveUp();
    this.found({ calls, mistaken: drawn ? [...mistaken, drawn] : mistaken }, this.scopes.of(outer));
  }

  /** The same of a call of an API: what a function asks for that goes on by one call of itself, and waits for that, is a loop. */
  homeOfApi(user: PromiseNode | undefined): PromiseNode | undefined {
    const head = user && isNextRound(user) ? chainOf(user) : undefined;
    return head?.isPending === true ? head : user;
  }

  /** A function's calls turned out to be lanes, or beside one another. @returns whether they are tasks: they call nothing but themselves, or what Node or a library does */
  private tell(lanes: Map<string, PromiseNode[] | 'tasks' | 'callers'>, calls: readonly PromiseNode[], fn: string, outer: Scope): boolean {
    const areTasks = !calls.some((lane) => familiesOf(lane).some(({ key, isPause, api }) => key !== fn && !isPause && !api));
    lanes.set(fn, areTasks ? 'tasks' : 'callers');
    this.found(takeCalls(calls, fn, areTasks), outer);
    return areTasks;
  }

  /** Whether a loose call is a lane's next call, which is no task itself. @param user the running function's call */
  isLane(node: PromiseNode, user: PromiseNode | undefined): boolean {
    const fn = functionKeyOf(node);
    if (this.hirers.has(fn)) return true;
    // Most calls are of another function: no chain has to be followed for those.
    if (!user || fn !== functionKeyOf(user)) return false;
    return this.scopes.known(anchorOf(chainOf(user) ?? user).user)?.lanes?.get(fn) === 'callers';
  }

  /**
   * A call races work that other calls of its function began and left running: `while (open.size >= 2) await Promise.race(open); open.add(send(batch))`.
   * What any of them begins is one group. It may have a helper race it: `while (open.size >= 2) await oneIsThrough();`.
   * @param works what it races for the first time @param racedBefore how much else it was given, that had been raced before
   */
  raced(racer: PromiseNode, works: readonly PromiseNode[], racedBefore: number): void {
    const by = starterOf(racer, works);
    const fn = functionKeyOf(by);
    if (fn === '') return;
    const all = this.allRaced(by, fn, works, racedBefore);
    const begun = all.filter(({ owner, family }) => owner && (owner === by || !owner.isPending) && functionKeyOf(owner) === fn && family && !family.draft);
    const left = begun.filter(({ owner }) => owner !== by);
    if (left.length < 2 || this.startedAround(by, fn)) return;
    const outer = functionAround(by, left[0].owner ?? by);
    this.beginAround(outer, fn);
    const mistaken: GroupDraft[] = [];
    for (const starter of [by, ...left.map(({ owner }) => owner)]) {
      for (let at = starter, level = 0; at && at !== outer && level < MAX_LEVELS; at = anchorOf(at).user, level++) {
        const drawn = at.family?.giveUp();
        if (drawn) mistaken.push(drawn);
      }
    }
    const calls = [...new Set(begun.map(({ family }) => family))].flatMap((family) => family?.release().map((node) => ({ key: family.key, node })) ?? []);
    this.found({ calls: calls.sort((a, b) => a.node.made - b.node.made), mistaken }, this.scopes.of(outer));
  }

  /**
   * A call waited for room, and the end of what an earlier call of its function began and left running made it: `add(item)` is over once the item's work has
   * begun. What any of them begins is one group.
   * @param wait has settled
   */
  released(wait: PromiseNode): void {
    const by = wait.awaitedBy;
    if (!by?.isAsyncFunction || by.lastWait !== wait || (wait.isAsyncFunction && isUserCall(wait)) || !isUserCall(by)) return;
    const release = releaseOf(wait);
    const { settledIn, settledBy } = release;
    // What Node brings was let through by nobody, whatever it came in with.
    if (!isUserCall(release) && topOf(release.stack)?.place.file !== 'node:events') return;
    const fn = functionKeyOf(by);
    // What began only while it waited may have been done for it, wherever a limiter let that begin.
    const isLeft = (work: PromiseNode | undefined): work is PromiseNode => work?.owner !== undefined && work.owner !== by
      && work.made < release.made && functionKeyOf(work.owner) === fn && functionKeyOf(work) !== fn && isLeftRunning(work);
    const work = [settledIn && headOf(settledIn), settledBy].find(isLeft);
    if (work?.owner && !this.startedAround(by, fn)) this.beginStarters(by, work.owner, fn);
  }

  /**
   * A call looked again and again whether there was room (`while (busy >= 3) await sleep(5)`), or waited once where others had need of no wait, began
   * something, and left that running, as earlier calls of its function did, of whose work some was over meanwhile. What any of them begins is one group.
   * @param by has settled
   */
  looked(by: PromiseNode): void {
    const places = by.isAsyncFunction ? by.scope?.calls : undefined;
    if (!places?.some(areWaits) || !isUserCall(by) || startedIn(by).length === 0) return;
    const fn = functionKeyOf(by);
    if (this.startedAround(by, fn)) return;
    const earlier = by.family?.separable()?.filter((call) => call !== by && functionKeyOf(call) === fn) ?? [];
    if (!places.some((calls) => calls.seen > 1 && areWaits(calls)) && !earlier.some((call) => startedIn(call).length > 0 && call.scope?.calls?.some(areWaits) !== true)) return;
    const before = earlier.find((call) => startedIn(call).some(({ ended }) => ended > by.made && ended <= by.ended));
    if (before) this.beginStarters(by, before, fn);
  }

  /**
   * A call took what an earlier call of its function had begun and left running: `next() { fill(); return await open.shift(); }`. What any of them begins is one group.
   * @param by has settled
   */
  took(by: PromiseNode): void {
    const work = by.isAsyncFunction && by.lastWait ? sourceOf(by.lastWait) : undefined;
    const before = work?.owner;
    if (!work || !before || before === by || !work.isAsyncFunction || !isUserCall(work) || !isLeftRunning(work)) return;
    const fn = functionKeyOf(by);
    if (functionKeyOf(before) !== fn || functionKeyOf(work) === fn || !isUserCall(by) || this.startedAround(by, fn)) return;
    this.beginStarters(by, before, fn);
  }

  /**
   * What a function runs has called that function again, and was through before those calls were: `async function visit(url) { …; for (const link of links)
   * nursery.spawn(visit, link); }`. What any of its calls begins is one group.
   * @param by has settled
   */
  left(by: PromiseNode): void {
    const { owner: runner, scope } = by;
    if (!by.isAsyncFunction || !scope?.calls || !runner?.isAsyncFunction || !isUserCall(runner)) return;
    const fn = functionKeyOf(runner);
    if (fn === functionKeyOf(by)) return;
    const begun = scope.calls.flatMap(({ nodes }) => nodes.filter((call) => call.isAsyncFunction && !call.consumed && functionKeyOf(call) === fn && isLeftRunning(call)));
    if (begun.length === 0 || this.startedAround(runner, fn)) return;
    const first = outermost(runner, fn);
    const outer = anchorOf(first).user;
    this.beginAround(outer, fn);
    this.found(takeCalls([...new Set([...first.family?.separable() ?? [], first, runner, ...begun])].filter((call) => functionKeyOf(call) === fn), fn, false), this.scopes.of(outer));
  }

  /** Two calls of a function left running what they began, of which nothing was known. @param fn key of that function */
  private beginStarters(by: PromiseNode, before: PromiseNode, fn: string): void {
    const outer = functionAround(by, before);
    this.beginAround(outer, fn);
    const calls = by.family?.separable() ?? [before, by];
    this.found(takeCalls(calls.filter((call) => functionKeyOf(call) === fn), fn, false), this.scopes.of(outer));
  }

  private beginAround(outer: PromiseNode | undefined, fn: string): void {
    this.starters.add(fn);
    (this.scopes.of(outer).starters ??= new Set()).add(fn);
  }

  /** All that a call of a function races, as far as can be told: for the parameters see `raced`. */
  private allRaced(by: PromiseNode, fn: string, works: readonly PromiseNode[], racedBefore: number): readonly PromiseNode[] {
    const races = (this.scopes.of(anchorOf(by).user).races ??= new Map<string, Races>());
    const latest = races.get(fn);
    if (latest?.by === by) {
      latest.goOn(works);
      return works;
    }
    const all = latest?.leftTo(works, racedBefore) ?? works;
    races.set(fn, new Races(by, all));
    return all;
  }

  /** @returns the function around all calls of a function that leave running what they begin, of which one is `user`; undefined where none do */
  private startedAround(user: PromiseNode, fn: string): { readonly outer: PromiseNode | undefined } | undefined {
    for (let at = anchorOf(user).user, level = 0; level < MAX_LEVELS; at = at && anchorOf(at).user, level++) {
      if (this.scopes.known(at)?.starters?.has(fn)) return { outer: at };
      if (!at) break;
    }
    return undefined;
  }
}

/** Who races work: a function, or the one that has called it to do that, where it is that one's function whose calls began the work. */
function starterOf(racer: PromiseNode, works: readonly PromiseNode[]): PromiseNode {
  const starters = new Set(works.map(({ owner }) => owner && functionKeyOf(owner)));
  for (let at: PromiseNode | undefined = racer, level = 0; at && level < MAX_HELPERS; at = anchorOf(at).user, level++) if (starters.has(functionKeyOf(at))) return at;
  return racer;
}

/** The running function that two calls were made in, however many others are in between; undefined for none. */
function functionAround(a: PromiseNode, b: PromiseNode): PromiseNode | undefined {
  let at = anchorOf(a).user;
  for (let level = 0; at && level < MAX_LEVELS; level++, at = anchorOf(at).user) if (isInside(b, (outer) => outer === at)) return at;
  return undefined;
}

/** Whether a call is made by what an earlier call of the same function, which is over, has left running: by another function's call. */
function isBegunAnew(node: PromiseNode, lane: PromiseNode): boolean {
  const { owner } = lane;
  if (!lane.isAsyncFunction || owner?.isAsyncFunction !== true || !(owner.ended <= node.made)) return false;
  const fn = functionKeyOf(node);
  return functionKeyOf(owner) === fn && functionKeyOf(lane) !== fn;
}

/** Of calls of one function, one inside of the other, the outermost. @param fn key of that function @param mayBeAwaited else only of those that nobody waits for */
function outermost(call: PromiseNode, fn: string, mayBeAwaited = false): PromiseNode {
  let found = call;
  for (let at = anchorOf(call).user, level = 0; at && level < MAX_LEVELS; at = anchorOf(at).user, level++) if (functionKeyOf(at) === fn && (mayBeAwaited || !at.consumed)) found = at;
  return found;
}

/** @param fn key of the lanes' function @param areTasks it calls nothing but itself: its calls are the tasks, and the first of them stay what they are */
function takeCalls(loose: readonly PromiseNode[], fn: string, areTasks: boolean): LaneCalls {
  const calls: { readonly key: string; readonly node: PromiseNode }[] = [];
  const mistaken: GroupDraft[] = [];
  for (const lane of loose) {
    const drawn = areTasks ? undefined : lane.family?.giveUp();
    if (drawn) mistaken.push(drawn);
    for (const family of familiesOf(lane)) {
      // The lane's next calls, however many it began in one go.
      if (!areTasks && family.key === fn) {
        const begun = family.giveUp();
        if (begun) mistaken.push(begun);
      } else if (!family.api && (!family.draft || family.draft.facts.kind === 'all' || family.draft.facts.kind === 'allSettled')) {
        // What one of them began in one go was as much as there was room for.
        const own = family.separable() ?? [];
        const begun = family.giveUp();
        if (begun) mistaken.push(begun);
        for (const node of own) calls.push({ key: family.key, node });
      }
    }
  }
  return { calls: calls.sort((a, b) => a.node.made - b.node.made), mistaken };
}

/** What a call began beside its waits, where all of that went on when the call was over. */
function startedIn({ scope }: PromiseNode): readonly PromiseNode[] {
  const begun = (scope?.calls ?? []).filter((calls) => !areWaits(calls)).flatMap(({ nodes }) => nodes);
  return begun.every(isLeftRunning) ? begun : [];
}

/** Whether what a call began went on when that was over. */
const isLeftRunning = ({ owner, ended }: PromiseNode): boolean => owner !== undefined && !owner.isPending && !(ended <= owner.ended);

const familiesOf = ({ scope }: PromiseNode): readonly Family[] => [...scope?.families?.values() ?? []];
