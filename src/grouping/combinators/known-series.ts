/** Which series of combinator calls a call goes on with: one of the running function's own, or a helper's that it called again and again. */
import type { CombinatorCall } from './combinator-call';
import type { LooseCalls } from './loose-calls';
import { NO_WORK_MS } from '../moments';
import { topOf, type Place } from '../promises/places';
import { functionKeyOf, hasWaitedSince, type PromiseNode } from '../promises/promise-node';
import { chainHeadOf, headAround, headOf, sourceOf } from '../promises/chain-links';
import { callFrameOf, chainOf, isAtTop, isInside, type Scopes } from '../promises/scopes';
import type { Series } from './series';
import { backKeyOf, helperKeysOf, helpersOf, homeOf, isCalledBack, isMadeBack, keysOf, listenerOf, UNSEEN } from './series-keys';

/** Series of one place that are remembered, the latest. */
const MAX_AT_PLACE = 4;

export class KnownSeries {
  /** The latest series of a place, whoever made their calls. */
  private readonly latest = new Map<Place, Series[]>();

  constructor(private readonly scopes: Scopes, private readonly loose: Pick<LooseCalls, 'batchesAround' | 'collectorAround'>) {}

  /** Makes a call's series known by all that its next call may be known again by. */
  keep(series: Series, call: CombinatorCall): void {
    for (const helper of helpersOf(call)) {
      const keys = helperKeysOf(call, helper);
      if (keys.length > 0) series.keepAsHelpers(this.scopes.of(homeOf(helper)), keys);
      if (!isCalledBack(helper)) series.keepAs(this.scopes.of(undefined), backKeyOf(call, helper));
    }
    const listener = listenerOf(call);
    if (listener) series.keepAs(this.scopes.of(undefined), backKeyOf(call, listener));
    const around = this.around(call);
    if (call.frame) this.keepAt(series, call.frame.place);
    const scope = this.scopes.of(around);
    for (const key of keysOf(call)) {
      const beside = around === undefined && call.node.inReaction === false ? scope.series?.get(key) : undefined;
      if (beside && beside !== series && beside.last.node.isPending) series.isCallbacks = true;
      series.keepAs(scope, key);
    }
  }

  /** The series of the running function's earlier calls. */
  before(call: CombinatorCall): Series | undefined {
    const chained = calledBehind(call) ?? calledBehindHelper(call);
    if (chained?.series && chained.series.last === chained && chained.combinator === call.combinator && chained.frame?.place === call.frame?.place) {
      chained.series.isChained = true;
      return chained.series;
    }
    const back = this.beforeBack(call);
    if (back) return back;
    const known = this.scopes.known(this.around(call))?.series;
    if (!known) return undefined;
    for (const key of keysOf(call)) {
      // Whose place is known is not another one's next chunk.
      const series = key === UNSEEN && call.frame ? undefined : known.get(key);
      if (series && goesOnWith(series, call)) return series;
    }
    return undefined;
  }

  /**
   * `(function runBatch(offset) { Promise.all(…).then(() => setTimeout(runBatch, 30, offset + 3)); })(0)`: the series of the call at the same place that was over last, of
   * which the first may have been made in an async function.
   */
  private beforeBack(call: CombinatorCall): Series | undefined {
    if (!call.frame || !isMadeBack(call)) return undefined;
    let before: Series | undefined;
    for (const series of this.latest.get(call.frame.place) ?? []) {
      if (goesOnWith(series, call) && series.isFollowedBy(call) && !(before && before.last.node.ended > series.last.node.ended)) before = series;
    }
    return before;
  }

  private keepAt(series: Series, place: Place): void {
    // What a running function waited for, that one goes on with.
    const latest = (this.latest.get(place) ?? []).filter((known) => known !== series && !known.last.node.awaitedBy);
    latest.push(series);
    if (latest.length > MAX_AT_PLACE) latest.shift();
    this.latest.set(place, latest);
  }

  /** What a call's next one is made in as well: the running function, a task of its that is a chain, or what hands over one batch after the other to such. */
  private around({ node }: CombinatorCall): PromiseNode | undefined {
    const task = headAround(node, ({ awaitingCall }) => awaitingCall?.holdsTasks === true);
    const isOwn = task?.awaitingCall?.node.owner === node.owner;
    return this.loose.batchesAround(node.owner) ?? this.loose.collectorAround(node) ?? (isOwn ? task : undefined) ?? chainOf(node.owner) ?? task;
  }

  /** The series of a helper's earlier calls, each of which ran one combinator, and these helpers with all that they were called by. */
  helpersBefore(call: CombinatorCall): { readonly series: Series; readonly helpers: readonly PromiseNode[]; readonly levels: number } | undefined {
    const helpers = helpersOf(call);
    for (let depth = 0; depth < helpers.length; depth++) {
      const series = this.seriesOfHelper(call, helpers[depth], depth + 1);
      // Those of the call before may be taken for tasks by now.
      const before = series && ownersOf(series.last.node, depth + 1);
      if (before && areOneWork(before, helpers[depth])) return { series, helpers: [...before, ...helpers.slice(0, depth + 1)], levels: depth + 1 };
    }
    return undefined;
  }

  /** @param level how many helpers that is, with those inside */
  private seriesOfHelper(call: CombinatorCall, helper: PromiseNode, level: number): Series | undefined {
    const [same, any] = helperKeysOf(call, helper);
    if (same === undefined) return undefined;
    const known = this.scopes.known(homeOf(helper))?.series;
    // What a loop called again and again is called once more behind it: for the rest that did not fill a chunk. A loop inside of the helper says nothing of it.
    const rest = known?.get(any);
    const series = known?.get(same) ?? (rest && rest.helpers >= level ? rest : undefined) ?? (isCalledBack(helper) ? this.scopes.of(undefined).series?.get(backKeyOf(call, helper)) : undefined);
    // Of helpers that run at once each awaits the one before, or they are no chain.
    if (!isCalledBack(helper) && helper.family?.ranAtOnce && (!series || helper.lastWait !== series.last.node.owner)) return undefined;
    return series && !series.isBeside && !series.isHelperRunning && series.areTurns && series.last.node.owner !== call.node.owner
      && series.last.combinator === call.combinator && series.isFollowedBy(call) ? series : undefined;
  }
}

/** Whether a call may be the next one of a series, by what both are made for. */
const goesOnWith = (series: Series, call: CombinatorCall): boolean => !series.isChained && !series.isCallbacks && series.last !== call && series.last.combinator === call.combinator
  && !isCalledApart(series, call) && !isForOthers(series, call) && !holds(call, series) && !areApart(series.last, call) && !series.isOfOtherChain(call);

/** Whether one of a call's elements begins with one of a series, or is what the latest of these was made in: a function that calls itself for what is inside. */
function holds(call: CombinatorCall, { last }: Series): boolean {
  const sources = new Set(call.elements.map(sourceOf));
  return call.elements.some((element) => headOf(element).combinator?.series === last.series) || isInside(last.node.owner, (around) => sources.has(around));
}

/**
 * `const lane = () => load(next()).then(lane)`, where `load` gives `fetch(id).then((data) => Promise.all(…))`: whether two calls are steps of two tasks that
 * are chains, each of which began with a call of the same function, while others of it are at work; or were made in two turns of a worker's. Of one chain at
 * a time, that is a loop with chunks, and so it is where a library runs one after the other, whatever chain brings it the next: `loads.pipe(bufferCount(4), concatMap((rows) => Promise.all(…)))`.
 */
function areApart({ node: a }: CombinatorCall, { node: b }: CombinatorCall): boolean {
  const run = a.libraryTask?.group;
  if (run?.facts.kind === 'sequential' && run === b.libraryTask?.group) return false;
  if (a.isBeside && b.isBeside && a.task !== b.task) return true;
  const [before, head] = [a, b].map(chainHeadOf);
  if (!before || !head || before === head || functionKeyOf(before) !== functionKeyOf(head)) return false;
  return head.family?.ranAtOnce === true || (head.libraryTask !== before.libraryTask && head.libraryTask?.group?.facts.kind === 'pool');
}

/** `const go = (at) => Promise.all(slice(at)).then(() => go(at + size))`: the combinator call in a reaction to which another one is made. */
const calledBehind = ({ node: { madeIn } }: CombinatorCall): CombinatorCall | undefined => madeIn && headOf(madeIn).combinator;

/** `slices.reduce((before, slice) => before.then(async () => { await Promise.all(slice.map(load)); }), …)`: that of the call of the same function before, which the chain was resolved with. */
function calledBehindHelper({ node: { owner } }: CombinatorCall): CombinatorCall | undefined {
  const before = owner?.madeIn?.parent?.inner;
  if (!before || functionKeyOf(before) !== functionKeyOf(owner)) return undefined;
  return [...before.scope?.series?.values() ?? []].find(({ last }) => last.node.owner === before)?.last;
}

/** The running functions around a promise, innermost first. */
function ownersOf({ owner }: PromiseNode, count: number): PromiseNode[] {
  const owners: PromiseNode[] = [];
  for (let at = owner; at && owners.length < count; at = at.owner) owners.push(at);
  return owners;
}

/** Whether none of helpers that called one another did more behind that. @param next the one that comes after the outermost of them, on top of it maybe */
const areOneWork = (helpers: readonly PromiseNode[], next: PromiseNode): boolean => helpers.every((helper, i) => {
  const inner = helpers[i - 1] as PromiseNode | undefined;
  return !inner || (helper.isPending ? next.made : helper.ended) - inner.ended < NO_WORK_MS || !hasWaitedSince(helper, inner.ended);
});

/**
 * Whether one helper, no async function, was called once from each of two places of the running function: no loop does that. What was
 * called from one place again and again is once more called from another for the rest.
 */
function isCalledApart({ last, callCount }: Series, call: CombinatorCall): boolean {
  const [before, now] = [last, call].map(({ node }) => callFrameOf(node)?.place);
  const own = topOf(call.node.owner?.stack)?.place.fn;
  return callCount === 1 && before !== undefined && now !== undefined && before !== now && before.fn === own && now.fn === own && call.frame?.place.fn !== own && last.frame?.place.fn !== own;
}

/**
 * `inChunks(files, 4, pack).then((packs) => inChunks(packs, 3, send))`, where the helper goes on by chains of `then`, so that no running function tells its calls
 * apart: whether all elements of the one are calls of a function, and all of the other of another one.
 */
function isForOthers({ last }: Series, call: CombinatorCall): boolean {
  if (!isAtTop(call.node) || !call.node.inReaction) return false;
  const [before, now] = [last, call].map(({ elements }) => new Set(elements.map((element) => functionKeyOf(sourceOf(element)))));
  const [fn] = now;
  return before.size === 1 && now.size === 1 && fn !== '' && !before.has(fn) && !before.has('');
}
