/** Facts of one thread → promises and what ties them together. Says what happened to whoever listens; judges nothing. */
import type { Activity } from '../model/activity';
import { RootKind, type Hello } from '../model/facts';
import type { LibraryTerms } from './adapted';
import type { LibraryFact } from './adapted-facts';
import type { FactSink } from './fact-reader';
import { Places } from './places';
import { PromiseNode } from './promise-node';

export interface GraphListener {
  /** A root promise is known, with its place and owner. */
  rooted(node: PromiseNode): void;
  /** A combinator took one more element. */
  listened(combinator: PromiseNode, element: PromiseNode): void;
  /** A combinator has all its elements. */
  gathered(combinator: PromiseNode): void;
  adopted(node: PromiseNode): void;
  settled(node: PromiseNode): void;
  /** A settled promise turned out to be rejected. */
  failed(node: PromiseNode): void;
  /** An adapter told of a library's work. */
  library(fact: LibraryFact, terms: LibraryTerms): void;
  /** The thread went through something besides tasks. Times as the run counts them. */
  activity(activity: Omit<Activity, 'thread'>): void;
}

export class PromiseGraph implements FactSink {
  readonly places = new Places();
  greeting: Hello | undefined;
  ending: { readonly exitCode: number | undefined; readonly crashed: boolean } | undefined;
  droppedCount = 0;
  gapMs = 0;
  private readonly nodes = new Map<number, PromiseNode>();
  private shift = 0;

  /** @param originOf epoch milliseconds of the run's zero, asked once the thread's own is known */
  constructor(private readonly listener: GraphListener, private readonly originOf: (hello: Hello) => number) {}

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

  root(id: number, kind: number, stack: number, owner: number, tick: number, _context: number, time: number): void {
    const node = this.node(id);
    node.kind = kind;
    node.stack = this.places.stack(stack);
    node.owner = this.known(owner);
    node.tick = tick;
    node.made = time + this.shift;
    this.listener.rooted(node);
  }

  derived(id: number, parent: number, owner: number, time: number): void {
    const node = this.node(id);
    node.kind = RootKind.other;
    node.parent = this.node(parent);
    node.owner = this.known(owner);
    node.made = time + this.shift;
  }

  consumed(id: number, owner: number): void {
    const node = this.node(id);
    node.consumed = true;
    const by = this.known(owner);
    if (by) {
      by.lastWait = node;
      node.awaitedBy ??= by;
    }
  }

  element(combinator: number, element: number): void {
    const node = this.node(element);
    node.consumed = true;
    this.listener.listened(this.node(combinator), node);
  }

  gathered(id: number): void { this.listener.gathered(this.node(id)); }

  adopted(id: number, inner: number): void {
    const node = this.node(id);
    const other = this.node(inner);
    other.consumed = true;
    if (other === node) return;
    node.inner = other;
    other.adoptedBy = node;
    this.listener.adopted(node);
  }

  settled(id: number, by: number, context: number, _tick: number, time: number): void {
    const node = this.nodes.get(id);
    if (!node || !node.isPending) return;
    node.ended = time + this.shift;
    node.settledBy = this.known(by);
    node.settledIn = this.known(context);
    this.listener.settled(node);
  }

  rejected(id: number): void {
    const node = this.nodes.get(id);
    if (!node || node.rejected) return;
    node.rejected = true;
    this.listener.failed(node);
  }

  library(fact: LibraryFact): void {
    this.listener.library(fact, {
      promise: (id) => this.node(id), stack: (id) => this.places.stack(id), text: (id) => this.places.text(id), shift: this.shift,
    });
  }

  activity(fact: Omit<Activity, 'thread'>): void {
    this.listener.activity({ ...fact, start: fact.start + this.shift, end: fact.end + this.shift });
  }

  gap(ms: number): void { this.gapMs += ms; }
  dropped(count: number): void { this.droppedCount += count; }

  end(exitCode: number | undefined, crashed: boolean): void { this.ending = { exitCode, crashed }; }

  /** A promise may be named before it is told of: then it is known by its number until more comes. */
  private node(id: number): PromiseNode {
    let node = this.nodes.get(id);
    if (!node) this.nodes.set(id, (node = new PromiseNode(id)));
    return node;
  }

  private known(id: number): PromiseNode | undefined { return id === 0 ? undefined : this.node(id); }
}
