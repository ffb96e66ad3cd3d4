/** Facts of one thread → promises and what ties them together. Says what happened to whoever listens; judges nothing. */
import type { Activity } from '../../model/activity';
import { isCombinator, LibraryPromise, RootKind, type Hello } from '../../model/facts';
import type { LibraryTerms } from '../libraries/library-groups';
import type { LibraryFact } from '../libraries/adapted-facts';
import type { FactSink } from '../fact-reader';
import type { PeerFact } from '../threads/peer-facts';
import { HeldLinks } from './held-links';
import { chainBegin, type Link } from './link-begins';
import { headOf } from './chain-links';
import { Places, type Sources } from './places';
import { isFinallys, isLinkedTo, libraryMaking, PromiseNode } from './promise-node';
import { PromiseTable } from './promise-table';
import { NO_WAIT_MS } from '../moments';
import { Queue } from '../queue';

export interface GraphListener {
  /** Whether it has to know which promise code goes on behind, also where no promise of that is told of. */
  followsLanes(): boolean;
  /** A root promise is known, with its place and owner. */
  rooted(node: PromiseNode): void;
  /** A combinator took one more element. */
  listened(combinator: PromiseNode, element: PromiseNode): void;
  /** A combinator has all its elements. @param given how many: more than it was told of where others raced some of them before */
  gathered(combinator: PromiseNode, given: number): void;
  adopted(node: PromiseNode): void;
  /** The code that had called a library takes what the library's code gave. */
  awaited(node: PromiseNode): void;
  /** Somebody takes what a chain of `then` gives, or a link of it. */
  linked(link: PromiseNode): void;
  /** @param tick the run of code in which it settled */
  settled(node: PromiseNode, tick: number): void;
  /** A settled promise turned out to be rejected. @param kind `RejectionKind` */
  failed(node: PromiseNode, kind: number): void;
  /** A request was sent for a promise, or by the function whose call it is. @param name method, host and path */
  requests(node: PromiseNode, name: string): void;
  /** Nothing more is expected of a promise; what is known of it is about to be forgotten. */
  retiring(node: PromiseNode): void;
  /** An adapter told of a library's work. */
  library(fact: LibraryFact, terms: LibraryTerms): void;
  /** The thread went through something besides tasks. Times as the run counts them. */
  activity(activity: Omit<Activity, 'thread'>): void;
  /** A message went to or came from another thread, or one was started. */
  peer(fact: PeerFact, terms: LibraryTerms): void;
  /** The thread has said that it ends. @param time milliseconds after the run's `timeOrigin` @param failed whether by an error, or with another exit code than 0 */
  ended(time: number, failed: boolean): void;
}

/**
 * Settled promises that are kept although somebody had consumed them, besides those of the run of code that goes on: the
 * agent tells later which were rejected, in the same run of code or of the latest 1,024 (`RECENT` in `agent/promises/outcomes.ts`).
 */
const KEPT_SETTLED = 2048;
/** Promises that are kept because somebody may yet consume them: settled ones, and pending ones behind what is forgotten. */
const KEPT_UNREAD = 1 << 15;
/** Derived promises that are not asked yet whether they are pending behind what is forgotten; and how many are for each that comes. */
const KEPT_LINKS = 2048;
const LINKS_ASKED = 2;
/** Promises derived from others that nobody has told of, the latest; a power of two. */
const KEPT_DERIVED = 1 << 12;
/** Links of a `then` that are followed back. */
const MAX_LINKS = 16;

export class PromiseGraph implements FactSink {
  readonly places: Places;
  greeting: Hello | undefined;
  ending: { readonly exitCode: number | undefined; readonly crashed: boolean } | undefined;
  droppedCount = 0;
  gapMs = 0;
  private readonly nodes = new PromiseTable();
  private readonly held = new HeldLinks();
  private readonly settledNodes = new Queue<PromiseNode>();
  private readonly unreadNodes = new Queue<PromiseNode>();
  /** Derived promises, of which those that `await` makes for itself never settle; and how many are to be asked. */
  private readonly links = new Queue<PromiseNode>();
  private linksDue = 0;
  /** Ids of promises that were derived from others, and those others', in a ring by the first. */
  private readonly derivedIds = new Uint32Array(KEPT_DERIVED);
  private readonly derivedFrom = new Uint32Array(KEPT_DERIVED);
  private tick = 0;
  /** Of the queue of settled promises, those that settled in earlier ticks. */
  private settledBefore = 0;
  private shift = 0;

  /** @param originOf epoch milliseconds of the run's zero, asked once the thread's own is known */
  constructor(private readonly listener: GraphListener, private readonly originOf: (hello: Hello) => number, sources: Sources) {
    this.places = new Places(sources);
  }

  hello(hello: Hello): void {
    if (this.greeting) return;
    this.greeting = hello;
    this.shift = this.greeting.timeOrigin - this.originOf(this.greeting);
  }

  string(id: number, text: string): void { this.places.addString(id, text); }

  frame(id: number, native: boolean, file: number, name: number, line: number, column: number, startLine: number, startColumn: number): void {
    this.places.addFrame(id, native, file, name, line, column, startLine, startColumn);
  }

  stack(id: number, callers: number, frame: number, awaits: boolean): void { this.places.addStack(id, callers, frame, awaits); }

  root(id: number, kind: number, stack: number, owner: number, tick: number, context: number, time: number): void {
    if (kind === RootKind.link) {
      this.link(id, stack, owner, tick, context, time);
      return;
    }
    const node = this.nodes.take(id);
    if (!node) return;
    node.kind = kind;
    node.stack = kind === RootKind.value ? this.places.thenAt(stack) : this.places.stack(stack);
    this.make(node, this.known(owner), tick, context, time + this.shift);
    if (kind === RootKind.asyncFunction && node.stack?.isForStream === true) node.owner = undefined;
    this.listener.rooted(node);
  }

  /** @param owner whose code makes it @param context as for `root` @param made milliseconds after the run's `timeOrigin` */
  private make(node: PromiseNode, owner: PromiseNode | undefined, tick: number, context: number, made: number): void {
    node.owner = owner;
    node.tick = tick;
    node.inReaction = context !== 0;
    node.madeIn = context === 0 ? undefined : this.nodes.find(context);
    node.made = made;
    node.begunBehind = this.behind(context, node.madeIn);
    if (!node.madeIn && node.begunBehind !== 0 && (isCombinator(node.kind) || this.listener.followsLanes())) node.madeBehind = this.nodes.find(node.begunBehind);
  }

  /** A derived promise, of which it is known where `then` was called. Parameters as for `root`. */
  private link(id: number, stack: number, owner: number, tick: number, context: number, time: number): void {
    const taken = this.takenBehind(id);
    const at = this.places.stack(stack);
    const parent = this.nodes.find(taken);
    const link = at && { id, at, tick, context, hasBegun: false };
    const begin = link ? chainBegin(link, parent) : 'further';
    if (!link || begin === 'further') {
      this.held.keep(id, taken, owner, time);
      return;
    }
    // A link was taken for one of a chain that began with what others were given as well.
    if (begin !== 'new' && parent) {
      const unseen = this.unseenBefore(begin, parent);
      if (unseen) this.begin(unseen, parent);
      this.begin(begin, parent);
    }
    this.derived(id, taken, owner, time);
    this.begin(link);
  }

  /**
   * `const ready = read().then(parse)`: what was made of such a link in the run of code that made it nobody has looked at. It began where the next did, which is a guess.
   * @param next the first link of the same promise that is known
   */
  private unseenBefore(next: Link, parent: PromiseNode): Link | undefined {
    const id = parent.firstDerived;
    const head = headOf(parent);
    if (head === parent || id === 0 || id >= next.id || this.nodes.find(id)?.parent !== parent) return undefined;
    return { id, at: next.at, tick: head.tick, context: head.madeIn?.id ?? 0, hasBegun: false };
  }

  /** A chain begins with a link, as it would with a promise that was settled where `then` was called. @param insteadOf what it had seemed to begin with */
  private begin(first: Link, insteadOf?: PromiseNode): void {
    first.hasBegun = true;
    const { id, at, tick, context } = first;
    const link = this.take(id);
    if (!link || link.isRetired) return;
    // Between the promise made before and the link: it is no promise of the program's, and has no number.
    const begin = new PromiseNode(id - 0.5);
    begin.kind = RootKind.other;
    begin.stack = this.places.resolvedAt(at);
    begin.insteadOf = insteadOf;
    this.make(begin, link.owner, tick, context, link.made);
    this.listener.rooted(begin);
    begin.ended = link.made;
    begin.endedTick = tick;
    begin.settledAtOnce = begin.consumed = true;
    link.parent = begin;
    if (insteadOf) {
      begin.chainEnd = this.takenEnd(link);
      headOf(insteadOf).chainEnd = undefined;
    }
    this.hasSettled(begin, tick);
    // Who is given it may take it only in a later run of code.
    if (!begin.chainEnd) this.listener.linked(link);
  }

  /** The last of the links that were derived from one, each from the one before, which somebody waits for, goes on behind, or gives. */
  private takenEnd(link: PromiseNode): PromiseNode | undefined {
    let end: PromiseNode | undefined;
    for (let at: PromiseNode | undefined = link, steps = 0; at && steps < MAX_LINKS; steps++) {
      if (at.firstDerived !== 0 || at.adoptedBy) end = at;
      const next: PromiseNode | undefined = this.nodes.find(at.firstDerived);
      at = next?.parent === at ? next : undefined;
    }
    return end;
  }

  derived(id: number, parent: number, owner: number, time: number): void {
    const node = this.nodes.take(id);
    if (!node) return;
    node.kind = RootKind.other;
    node.owner = this.known(owner);
    node.made = time + this.shift;
    // What a function wraps a thenable in that it awaits is derived from its own call, and no link of a chain that begins with that.
    if (parent === owner) return;
    node.parent = this.take(parent);
    this.links.push(node);
    this.linksDue += LINKS_ASKED;
  }

  consumed(id: number, owner: number, derived: number): void {
    const slot = derived & (KEPT_DERIVED - 1);
    this.derivedIds[slot] = derived;
    this.derivedFrom[slot] = id;
    const node = this.take(id);
    if (!node) return;
    node.isForked ||= node.consumed;
    if (!node.consumed) node.firstDerived = derived;
    node.consumed = true;
    const by = this.known(owner);
    if (by && !isFinallys(node)) {
      if (by.lastWait && by.lastWait.ended - by.lastWait.made >= NO_WAIT_MS) by.waitedFor = by.lastWait;
      by.lastWait = node;
      node.awaitedBy ??= by;
      if (isLinkedTo(node, by)) node.isLink = by.isLink = true;
    }
    if (node.parent) this.listener.linked(node);
    else if (node.owner === by && libraryMaking(node) !== undefined && !(by && libraryMaking(by) !== undefined)) this.listener.awaited(node);
  }

  /** @param derived promise, told of or not @returns the id of what was taken as it was derived; 0 where that is not known any more */
  private takenBehind(derived: number): number {
    const slot = derived & (KEPT_DERIVED - 1);
    return derived !== 0 && this.derivedIds[slot] === derived ? this.derivedFrom[slot] : 0;
  }

  /** @param reaction the promise whose reaction a run of code is, where it was told of @returns the id of what that was derived from; 0 where that is not known any more */
  private behind(context: number, reaction: PromiseNode | undefined): number {
    return this.takenBehind(context) || (reaction?.parent?.id ?? 0);
  }

  element(combinator: number, element: number): void {
    const of = this.nodes.take(combinator);
    const node = this.take(element);
    if (!of || !node) {
      // What somebody had taken long ago, as a cache gives it again, is no task; but what nobody had is missing from the group.
      if (!of || this.nodes.isLost(element)) this.droppedCount++;
      return;
    }
    node.consumed = true;
    this.listener.listened(of, node);
  }

  gathered(id: number, given: number): void {
    const node = this.nodes.take(id);
    if (node) this.listener.gathered(node, given);
  }

  adopted(id: number, inner: number): void {
    const node = this.take(id);
    const other = this.take(inner);
    if (!node || !other) return;
    other.consumed = true;
    if (other === node) return;
    if (other.parent) this.listener.linked(other);
    const begun = madeBefore(other, node);
    node.inner = begun;
    begun.adoptedBy = node;
    this.listener.adopted(node);
  }

  settled(id: number, by: number, context: number, tick: number, time: number, byTimer: boolean): void {
    const held = this.held.find(id);
    if (held) { held.settled = time; return; }
    const node = this.nodes.find(id);
    if (!node || !node.isPending) return;
    // `work().then((value) => { resolve(value); … })`: what settles it tells whose result it is.
    if (node.kind === RootKind.other && !node.isDerived) this.hear(context);
    node.ended = time + this.shift;
    node.endedTick = tick;
    node.settledBy = this.known(by);
    node.byTimer = byTimer;
    const isLater = tick !== node.tick;
    node.settledAtOnce = !isLater && !node.isAsyncFunction;
    node.byModule = by === 0 && context !== 0 && isLater;
    // Most contexts are what `await` made for itself: never told of. And what was made in the same run of code was not brought about by what led to that.
    if (isLater) {
      node.settledIn = this.nodes.find(context);
      node.endedBehind = this.behind(context, node.settledIn);
    }
    this.hasSettled(node, tick);
  }

  private hasSettled(node: PromiseNode, tick: number): void {
    if (tick !== this.tick) {
      this.tick = tick;
      this.settledBefore = this.settledNodes.length;
    }
    this.settledNodes.push(node);
    this.listener.settled(node, tick);
  }

  rejected(id: number, kind: number, words: number): void {
    const held = this.held.find(id);
    if (held) { held.rejected = { kind, words }; return; }
    const node = this.nodes.find(id);
    if (!node || node.rejected) return;
    node.rejected = true;
    node.error = this.places.text(words) || undefined;
    this.listener.failed(node, kind);
  }

  request(id: number, name: number): void {
    const node = this.nodes.find(id);
    const text = this.places.text(name);
    if (node && text !== '') this.listener.requests(node, text);
  }

  library(fact: LibraryFact): void {
    if (fact.what === 'promise' && fact.role === LibraryPromise.made) {
      const node = this.take(fact.promise);
      if (node) node.library = this.places.text(fact.id) || undefined;
      return;
    }
    this.listener.library(fact, this.terms());
  }

  peer(fact: PeerFact): void { this.listener.peer(fact, this.terms()); }

  private terms(): LibraryTerms {
    return { promise: (id) => this.take(id), behind: (context) => this.nodes.find(this.behind(context, this.nodes.find(context))), stack: (id) => this.places.stack(id), text: (id) => this.places.text(id), shift: this.shift };
  }

  activity(fact: Omit<Activity, 'thread'>): void {
    this.listener.activity({ ...fact, start: fact.start + this.shift, end: fact.end + this.shift });
  }

  gap(ms: number): void { this.gapMs += ms; }
  dropped(count: number): void { this.droppedCount += count; }

  end(exitCode: number | undefined, crashed: boolean, time: number): void {
    this.ending = { exitCode, crashed };
    this.listener.ended(time + this.shift, crashed || (exitCode ?? 0) !== 0);
  }

  /**
   * Forgets what lies far enough back, so that a run takes memory by what is going on in it and not by its length. To be
   * called when all that came so far is judged.
   */
  forgetOld(): void {
    for (; this.settledBefore > 0 && this.settledNodes.length > KEPT_SETTLED; this.settledBefore--) {
      const node = this.settledNodes.shift();
      if (node.consumed) this.retire(node); else this.unreadNodes.push(node);
    }
    for (; this.linksDue > 0 && this.links.length > KEPT_LINKS; this.linksDue--) this.askLink(this.links.shift());
    while (this.unreadNodes.length > KEPT_UNREAD) {
      const node = this.unreadNodes.shift();
      if (!node.consumed) this.nodes.lose(node.id);
      this.retire(node);
    }
  }

  private askLink(link: PromiseNode): void {
    if (!link.isPending || link.consumed || link.isRetired) return;
    if (link.parent?.isRetired === true) this.unreadNodes.push(link); else this.links.push(link);
  }

  private retire(node: PromiseNode): void {
    this.listener.retiring(node);
    node.retire();
    this.nodes.forget(node);
  }

  private known(id: number): PromiseNode | undefined { return id === 0 ? undefined : this.nodes.take(id); }

  /** Something comes of a promise. */
  private take(id: number): PromiseNode | undefined {
    this.hear(id);
    return this.nodes.take(id);
  }

  /** If a promise is a link that was kept aside, that is heard of now. */
  private hear(id: number): void {
    const held = this.held.release(id);
    if (!held) return;
    this.derived(id, held.parent, held.owner, held.time);
    const { settled, rejected } = held;
    // In the run of code that goes on, as of other links that are told of late.
    if (!Number.isNaN(settled)) this.settled(id, 0, 0, this.tick, settled, false);
    if (rejected) this.rejected(id, rejected.kind, rejected.words);
  }
}

/** What a thenable's own `then` only adds links to (`return this.sent.then(parse).then(resolve)`) is what it was made with. @param outer adopts the last of those links @returns the link where that began only since */
function madeBefore(link: PromiseNode, outer: PromiseNode): PromiseNode {
  let at = link;
  for (let steps = 0; at.parent && at.owner === outer && !at.parent.elementOf && steps < MAX_LINKS; steps++) at = at.parent;
  return at.id < outer.id ? at : link;
}
