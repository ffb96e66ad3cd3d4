/** Pools and loops that no combinator holds together: to which calls of one thread a call belongs. */
import type { ApiCall } from '../promises/api-calls';
import { AskedCalls } from './asked-calls';
import type { CombinatorCall } from '../combinators/combinator-call';
import type { GroupDraft, TaskDraft } from '../drafts';
import { Chains, swallowsOnWay } from './chains';
import type { Family } from './family';
import { FamilyRegister } from './family-register';
import { FedQueues, type Fed } from './fed-queues';
import { Generators } from './generators';
import { LooseLanes, type LaneCalls } from './loose-lanes';
import { areSeveral, areSeveralEach, collectorOf, isLaterRun, laterRunOf, laneBefore, partFor } from './parts';
import { SharedPlaces } from './shared-places';
import { StreamAsks } from './stream-asks';
import type { LoopEntries } from '../promises/loop-entries';
import { isPause, waiterOf } from '../promises/pauses';
import { isBuiltin, topOf, userFrame, type Stack } from '../promises/places';
import { frameAround, functionKeyOf, isInOwnCode, isIteratorStep, isStreamPump, isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';
import { endOf, headOf } from '../promises/chain-links';
import { anchorOf, type Scope, type Scopes } from '../promises/scopes';

/** The library that called what called a function, as far as the stack tells: it may go on by itself with what it called there first. */
const libraryAround = ({ owner, stack }: PromiseNode): string | undefined => topOf(stack)?.libraryUpTo(topOf(owner?.stack)?.place.fn);

/** Whether the promise is the result of a call of a function, and not made by the running code itself or by a generator's step. */
function isCall(node: PromiseNode): boolean {
  if (!isUserCall(node)) return false;
  if (node.isAsyncFunction) return true;
  const frame = topOf(node.stack);
  if (!frame || isIteratorStep(node)) return false;
  return !isInOwnCode(frame.place, node.owner);
}

/** `tail = tail.then(() => flush(batch))`: the family of the call before in a chain, whoever has put the link on that it is made in. */
function linkedFamily({ madeIn }: PromiseNode, fn: string): Family | undefined {
  const before = madeIn?.parent?.inner;
  if (!before?.isAsyncFunction || before.isPending || functionKeyOf(before) !== fn) return undefined;
  const { family } = before;
  return family && !family.continuedBy && !family.isPart && !family.libraryCall && !family.isAnothers ? family : undefined;
}

function calledBy(scope: Scope | undefined): Scope['called'] {
  let called = scope?.called;
  while (called !== 'several' && called?.continuedBy) called = called.continuedBy;
  return called;
}

/** Calls of one function in a row from which on the next one, that nobody looked at, is taken for one more. */
const ALWAYS = 8;

/** All families of one thread. */
export class Families {
  private readonly asyncFunctions = new Set<string>();
  private readonly byLibrary = new Map<string, Family>();
  /** Whether some have only the calls of some lanes. */
  hasParts = false;
  private readonly builtinCalls = new Set<PromiseNode>();
  /** By a library's call: the family of what it calls, where it calls several at once; and what it called last. */
  private readonly runs = new WeakMap<PromiseNode, Family>();
  private readonly latestOfRun = new WeakMap<PromiseNode, PromiseNode>();
  /** The latest call that was placed in a family. */
  private latest: PromiseNode | undefined;
  private readonly chains = new Chains((family, head, end, tick) => { this.over(family, head, end, tick); });
  private readonly register: FamilyRegister;
  private readonly generators = new Generators();
  private readonly streams = new StreamAsks();
  private readonly shared: SharedPlaces;
  private readonly queues = new FedQueues();
  private readonly lanes: LooseLanes;
  private readonly asked: AskedCalls;

  /** @param tellsOf whether a library tells of its tasks by itself */
  constructor(thread: number, private readonly scopes: Scopes, loop: LoopEntries, tellsOf: (library: string) => boolean) {
    this.register = new FamilyRegister(thread, loop, this.chains);
    this.shared = new SharedPlaces((scope, key) => this.register.make(scope, key, undefined, true), (one, other, key) => this.merge(one, other, key));
    this.asked = new AskedCalls({
      tellsOf,
      latest: () => this.latest,
      isAsync: (fn) => this.asyncFunctions.has(fn),
      familyFor: (node, call) => this.familyOfApi(node, call),
      goesOnUntil: (link, head, before) => { this.chains.goesOnUntil(link, head, before); },
      join: (node, family) => { this.join(family, node); },
      giveUp: (family) => { this.register.giveUp(family); },
      add: (node) => { this.add(node); },
    });
    this.lanes = new LooseLanes(scopes, (before, outer) => { this.gather(before, outer); });
  }

  /** What is awaited, and is none of V8's promises, turned out to be one that is known. */
  adopted(node: PromiseNode): void { this.asked.adopted(node); }

  /** The code that had called a library takes what the library's code gave. */
  awaited(node: PromiseNode): void { this.asked.awaited(node); }

  /** Groups that turned out to be none. */
  get abandoned(): GroupDraft[] { return this.register.abandoned; }

  /** A `race` waits for a free slot in the running function: that is where its pool stands. */
  racedAt(owner: PromiseNode | undefined, frame: Stack): void { this.scopes.of(owner).race = frame; }

  /**
   * A combinator takes a family's calls, or lanes of them. Where another one that is pending did so at the same place, in another call of the same
   * plain function, each has a pool of its own.
   */
  collected(family: Family, call: CombinatorCall): void {
    const later = isLaterRun(family, call) ? laterRunOf(family.separable() ?? [], call) : undefined;
    if (later?.areLast) { this.register.beginAnew(family, [...later.calls]).collectedBy(call); return; }
    const parts = later ? this.divide(family, (head) => (later.calls.has(head) ? call.node : family.collector?.node))
      : areSeveral(family, call) ? this.divide(family, (head) => collectorOf(head)?.node) : undefined;
    for (const [node, part] of parts ?? []) if (node?.combinator) part.collectedBy(node.combinator);
    if (parts && parts.size > 0) return;
    family.collectedBy(call);
    this.register.touched.add(family);
  }

  /**
   * Plain functions gave a combinator its elements: where most calls of them began several calls each, these are a group of each. One call
   * alone is what a limiter lets begin at once.
   * @param elementOf the element in whose call something was begun
   */
  given({ node }: CombinatorCall, elementOf: (begun: PromiseNode) => PromiseNode | undefined): void {
    for (const family of this.scopes.known(anchorOf(node).user)?.families?.values() ?? []) {
      const begun = family.latest?.tick === node.tick ? family.separable() : undefined;
      if (!begun || begun.some(({ awaitingCall }) => awaitingCall && (awaitingCall.node === node || (awaitingCall.holdsTasks && awaitingCall.combinator !== 'race'))) || !areSeveralEach(begun, elementOf)) continue;
      for (const [element, part] of this.divide(family, elementOf)) if (element) headOf(element).isWhole = part.callCount > 1;
    }
  }

  /** Makes several families of one. @param keyOf what tells them apart; undefined where that is what told the call before in the same lane */
  private divide(family: Family, keyOf: (call: PromiseNode) => PromiseNode | undefined): ReadonlyMap<PromiseNode | undefined, Family> {
    const parts = new Map<PromiseNode | undefined, Family>();
    const calls = family.separable();
    if (!calls) return parts;
    this.register.giveUp(family);
    this.hasParts = true;
    const keys = new Map<PromiseNode, PromiseNode | undefined>();
    const callsOf = new Map<Family, PromiseNode[]>();
    for (const call of calls) {
      const lane = laneBefore(call);
      const key = keyOf(call) ?? (lane && keys.get(lane));
      keys.set(call, key);
      let part = parts.get(key);
      if (!part) {
        parts.set(key, (part = parts.size === 0 ? this.register.replace(family) : this.register.make(family.scope, family.key, family.libraryCall)));
        part.api = family.api;
        part.isPart = true;
        callsOf.set(part, []);
      }
      const run = family.libraryCall && anchorOf(call).library;
      if (run) this.runs.set(run, part);
      if (run && callsOf.get(part)?.length === 0) part.madeBy(run);
      callsOf.get(part)?.push(call);
    }
    for (const [part, own] of callsOf) this.register.handOver(own, part);
    return parts;
  }

  /** Makes one family of two, of what one place calls. @returns undefined where calls of one of them are settled for good */
  private merge(one: Family, other: Family, key: string): Family | undefined {
    if (!one.separable() || !other.separable()) return undefined;
    const { scope } = one;
    const all = this.register.make(scope, key, undefined, true);
    this.register.unite([one, other], all);
    for (const family of [one, other]) scope.families?.set(family.key, all);
    return all;
  }

  /** What was begun in the wake of several functions is one queue's, which these feed. */
  private feed({ families, home, become }: Fed): Family {
    const all = this.register.make(this.scopes.of(home), families[0].key);
    all.fedIn = { node: home };
    this.register.unite(families, all);
    become(all);
    return all;
  }

  /** Calls of one function that were taken for another group's are none: they are a family's again. */
  regain(calls: readonly PromiseNode[]): void { this.register.regain(calls); }

  /** A step of a chain has failed. @returns the task that is over with the chain, and swallowed that */
  taskSwallowing(link: PromiseNode): TaskDraft | undefined {
    const head = headOf(link);
    const task = link.isDerived && head.family ? head.task : undefined;
    return task && head.chainEnd && !Number.isNaN(task.end) && swallowsOnWay(head, head.chainEnd) ? task : undefined;
  }

  /** A running function races work, and as much more as others had raced before. */
  raced(by: PromiseNode, works: readonly PromiseNode[], racedBefore: number): void { this.lanes.raced(by, works, racedBefore); }

  /** @returns the family the call belongs to; undefined where it cannot be anybody's task. */
  add(node: PromiseNode): Family | undefined {
    this.chains.beginRun(node.tick);
    this.chains.passedOnTo(node);
    this.streams.rooted(node);
    this.generators.rooted(node);
    if (isBuiltin(node.stack?.place, 'fromAsync')) this.builtinCalls.add(node);
    const found = this.alongside(node) ?? (node.stack ? this.place(node) : this.guess(node));
    return found && this.join(found, node);
  }

  /** @param found where its like was placed so far @returns the family it belongs to; undefined where it goes on with a call that is known */
  private join(found: Family, node: PromiseNode): Family | undefined {
    if (this.chains.goesOn(node, found)) return undefined;
    const isNew = found.isOverFor(node);
    const family = isNew ? this.register.replace(found) : found;
    if (isNew) family.follow(found);
    const first = family.isLoopLeftBy(node) || family.isRunBegunBy(node) ? family.latest : undefined;
    if (first) return this.addTo(this.register.beginAnew(family, [first]), node);
    const around = this.scopes.known(node.owner);
    if (isNew && around) around.race = undefined;
    if (around?.race && !isPause(node)) family.collectedAt(around.race, true);
    return this.addTo(family, node);
  }

  private addTo(family: Family, node: PromiseNode): Family {
    family.add(node);
    node.family = family;
    this.latest = node;
    this.shared.placed(node);
    this.register.touched.add(family);
    const fed = this.queues.placed(node, family);
    return fed ? this.feed(fed) : family;
  }

  /** The family of the call before, where the same code called it in the same run: of a million calls most follow one like them. */
  private alongside({ stack, owner, tick }: PromiseNode): Family | undefined {
    const { latest } = this;
    if (!latest || !stack || latest.stack !== stack || latest.tick !== tick || latest.owner !== owner || !latest.isAsyncFunction) return undefined;
    const { family } = latest;
    return family && !family.continuedBy && !family.isPart && !family.libraryCall && !family.builtinCall ? family : undefined;
  }

  /** Nobody looked at where it was made: it is like what its owner called before, where that was always the same, time after time. */
  private guess(node: PromiseNode): Family | undefined {
    const known = calledBy(node.owner?.scope);
    return known === undefined || known === 'several' || known.callCount < ALWAYS ? undefined : known;
  }

  private place(node: PromiseNode): Family | undefined {
    if (!isCall(node)) return this.asked.familyOf(node);
    if (this.generators.madeBy(node)) return undefined;
    const fn = waiterOf(node)?.place.fn ?? functionKeyOf(node);
    // In an async function every other promise is made by its body: the call is the function's own promise.
    if (node.isAsyncFunction) this.asyncFunctions.add(fn);
    else if (this.asyncFunctions.has(fn)) return undefined;
    if (!fn) return undefined;
    const { user, library, asked } = anchorOf(node);
    if (asked && this.asked.isInnerOf(asked, node)) return undefined;
    const builtin = user || library ? undefined : this.builtinCalling(node);
    if (builtin) {
      const family = this.familyOf(this.scopes.of(builtin), fn, undefined);
      family.builtinCall = builtin;
      return family;
    }
    const queue = library ? undefined : this.queues.familyOf(node, fn);
    if (queue) return queue;
    // The library goes on in the wake of a task that ended: the next one is that one's neighbour, not its child.
    const neighbour = library && user && user !== node && functionKeyOf(user) === fn ? user.family : undefined;
    const known = neighbour ?? (library ? undefined : linkedFamily(node, fn));
    if (known) return known;
    const through = library ? libraryMaking(library) ?? '' : libraryAround(node);
    const by = through === undefined ? fn : `${fn}|${through}`;
    // Resumed by the library's own queue, out of sight of the call that filled it: it goes on with what there is.
    const lost = library && !isStreamPump(library) && !user && !frameAround(library) ? this.byLibrary.get(by) : undefined;
    const scope = this.scopes.of(library ? user : this.lanes.homeOf(node, user));
    if (!library && this.lanes.isLane(node, user)) return undefined;
    const own = lost ?? (library ? this.runOf(library, node, this.runs.get(library) ?? this.familyOf(scope, by, library)) : this.familyOf(scope, by, undefined));
    const family = library ? own : own.isPart ? partFor(node, own) : this.shared.familyFor(node, own, scope);
    if (library) this.byLibrary.set(by, family);
    if (node.owner) {
      const caller = this.scopes.of(node.owner);
      caller.called = (calledBy(caller) ?? family) === family ? family : 'several';
    }
    return family;
  }

  /** A library's call that calls several at once is a pool, and each of several such calls one of its own. @param own the family of what they call */
  private runOf(library: PromiseNode, node: PromiseNode, own: Family): Family {
    const before = this.latestOfRun.get(library);
    this.latestOfRun.set(library, node);
    if (!before?.isPending || before.family !== own || this.runs.has(library)) return own;
    this.runs.set(library, own);
    own.isRun = true;
    if (own.separable()?.some((call) => anchorOf(call).library !== library) !== true) return own;
    for (const part of this.divide(own, (call) => anchorOf(call).library).values()) part.isRun = true;
    return this.runs.get(library) ?? own;
  }

  private familyOfApi(node: PromiseNode, call: ApiCall): Family {
    const scope = this.scopes.of(this.lanes.homeOfApi(anchorOf(node).user));
    const own = partFor(node, this.familyOf(scope, call.key, undefined));
    const family = call.isWrapped && !own.isPart ? this.shared.familyFor(node, own, scope) : own;
    if (!family.isOfPlace) family.api ??= call;
    return family;
  }

  /** What lanes called so far belongs to one group of all of them. */
  private gather({ calls, mistaken }: LaneCalls, outer: Scope): void {
    this.abandoned.push(...mistaken);
    for (const { key, node } of calls) {
      const family = this.familyOf(outer, key, undefined);
      node.family = family;
      family.add(node);
      this.register.touched.add(family);
    }
  }

  /** V8 itself calls the function of an `Array.fromAsync`, in a run of code where there is nothing else of the program's. */
  private builtinCalling({ stack }: PromiseNode): PromiseNode | undefined {
    const top = topOf(stack);
    if (!top || userFrame(top.callers)) return undefined;
    return [...this.builtinCalls].findLast((call) => userFrame(call.stack)?.place.file === top.place.file);
  }

  /** The `Array.fromAsync` that asked a generator for what a promise was made on the way to: at first on top of who called it, then V8 itself. */
  collectorAround({ owner, stack }: PromiseNode): PromiseNode | undefined {
    if (this.builtinCalls.size === 0) return undefined;
    let outermost = stack;
    while (outermost?.callers && !outermost.callers.awaits && !isBuiltin(outermost.place, 'fromAsync')) outermost = outermost.callers;
    const isOnTop = isBuiltin(outermost?.place, 'fromAsync');
    if (owner && !isOnTop) return undefined;
    return [...this.builtinCalls].findLast((call) => isOnTop || userFrame(call.stack)?.place.file === stack?.base?.place.file);
  }

  touch(family: Family): void { this.register.touched.add(family); }

  /** A promise has settled: it may be somebody's task. */
  settled(node: PromiseNode, tick: number): void {
    this.chains.beginRun(tick);
    this.builtinCalls.delete(node);
    if (!this.chains.settled(node, tick) && node.family) this.over(node.family, node, endOf(node), tick);
    this.lanes.released(node);
    this.lanes.looked(node);
    this.lanes.took(node);
    this.lanes.left(node);
    this.queues.settled(node);
  }

  /** No code of the thread's runs any more. */
  ended(): void { this.chains.beginRun(0); }

  /** A promise is about to be forgotten. */
  retiring(node: PromiseNode): void { node.family?.retiring(node); }

  /** Somebody takes a link of a chain. */
  linked(link: PromiseNode): void {
    this.chains.taken(link);
    this.asked.linked(link);
  }

  /** @param end the promise by which a call is over: its own, or a link behind it */
  private over(family: Family, call: PromiseNode, end: PromiseNode, tick: number): void {
    family.settle(call, end, tick);
    this.register.touched.add(family);
  }

  /** What a chain begins with turned out to be no work, as the first step is. */
  beginsBehind(head: PromiseNode): void { this.chains.beginsBehind(head); }

  /** @returns the groups there are among the families that something happened to. */
  update(): GroupDraft[] {
    const drafts: GroupDraft[] = [];
    for (const family of this.register.touched) {
      const draft = family.update();
      if (draft) drafts.push(draft);
    }
    this.register.touched.clear();
    return drafts;
  }

  private familyOf(scope: Scope, key: string, library: PromiseNode | undefined): Family {
    let family = scope.families?.get(key);
    // A library call made after the one before had ended is another run of the pool.
    const before = family?.libraryCall;
    if (!family || (before && library && before !== library && !family.isActive && (frameAround(library) ?? isStreamPump(library)) && before.ended < library.made)) {
      family = this.register.make(scope, key, library);
      (scope.families ??= new Map()).set(key, family);
    }
    // The user's place is known of the calls made on the user's own stack.
    if (library && frameAround(library)) family.madeBy(library);
    return family;
  }
}
