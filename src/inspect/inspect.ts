/** Finds the places of one source file where work runs at the same time, or needlessly does not. Pure. */
import type { File, Node } from '@babel/types';
import { isCall, isLoop, isWait, methodOf, nameOf, nodesIn, ownNodes, type Call } from './ast';
import { Bindings } from './bindings';
import { combinatorOf, judgeCombinator, type Judged } from './combinators';
import { Counters } from './counters';
import { Limiters } from './limiters';
import { parseSource } from './parse';
import type { Place } from './place';
import { isForgotten, isNeedlesslySequential, isReducedSequence } from './sequences';
import { isWorker } from './workers';

/** Raised when the same source would give other places: what was kept of it is void then. */
export const INSPECTION_VERSION = 2;

/**
 * @param name the file's, for its extension
 * @returns places in the order of the source; none where the source cannot be read
 */
export function inspect(text: string, name: string): Place[] {
  const file = parseSource(text, name);
  return file ? new Inspection(file).places() : [];
}

class Inspection {
  private readonly bindings: Bindings;
  private readonly limiters: Limiters;
  private readonly found: (Judged & { readonly node: Node })[] = [];
  /** Nodes inside a place that has already been named. */
  private readonly taken = new Set<Node>();

  constructor(file: File) {
    this.bindings = new Bindings(file);
    this.limiters = new Limiters(this.bindings);
  }

  places(): Place[] {
    const calls = this.bindings.nodes.filter(isCall);
    this.limitersInLoops(calls);
    this.combinators(calls);
    for (const call of calls) if (!this.taken.has(call)) this.otherCall(call);
    this.pumps();
    this.sequences();
    return this.found.flatMap(({ node, ...judged }) => this.placeAt(node, judged)).sort((a, b) => a.line - b.line || a.column - b.column);
  }

  private placeAt(node: Node, { kind, combinator, library, limit }: Judged): Place[] {
    if (!node.loc) return [];
    return [{
      kind, line: node.loc.start.line, column: node.loc.start.column + 1, endLine: node.loc.end.line, function: this.bindings.functionName(node),
      combinator, library, limit: limit !== undefined && Number.isFinite(limit) ? limit : undefined,
    }];
  }

  private combinators(calls: readonly Call[]): void {
    const judged = calls.flatMap((call) => {
      const combinator = combinatorOf(call);
      const verdict = combinator && !this.taken.has(call) ? judgeCombinator(call, combinator, this.bindings, this.limiters) : undefined;
      return verdict ? [{ ...verdict, node: call }] : [];
    });
    for (const each of judged) {
      if (judged.some((other) => other !== each && isRestOf(each, other, this.bindings))) continue;
      this.add(each.node, each);
    }
  }

  private otherCall(call: Call): void {
    const asked = this.limiters.libraryCall(call);
    if (asked?.does === 'run') return this.add(call, { kind: 'library', library: asked.library, limit: asked.limit });
    if (asked?.does === 'sequence') return this.add(call, { kind: 'sequential', library: asked.library });
    if (asked?.does === 'all') return this.add(call, { kind: 'unbounded', library: asked.library });
    const through = asked ? undefined : this.limiters.through(call);
    if (through?.library !== undefined && this.beginsWork(call)) return this.add(call, { kind: 'library', library: through.library, limit: through.limit });
    if (isForgotten(call, this.bindings)) return this.add(call, { kind: 'forEach' });
    const method = methodOf(call);
    if ((isReducedSequence(call) && !this.holdsPlace(call)) || (method?.name === 'fromAsync' && nameOf(method.object) === 'Array' && call.arguments.length > 1)) this.add(call, { kind: 'sequential' });
  }

  /** A limiter is handed work as a function, or is told of it by a method that takes some. */
  private beginsWork(call: Call): boolean {
    const method = methodOf(call);
    return method?.name === 'start' || call.arguments.length > 0;
  }

  /** Loops that are pools by themselves, unless the use of what they belong to was found. */
  private pumps(): void {
    const used = new Set(this.found.map(({ definition }) => definition));
    const counters = new Counters(this.bindings);
    for (const node of this.bindings.nodes) {
      if (!counters.isPump(node) || this.taken.has(node)) continue;
      if (![...this.ancestors(node)].some((outer) => used.has(outer))) this.add(node, { kind: 'pool' });
    }
  }

  private sequences(): void {
    for (const node of this.bindings.nodes) {
      if (!isLoop(node) || this.taken.has(node) || !isNeedlesslySequential(node)) continue;
      // What runs several at once inside is no sequence of single tasks, and a loop inside a loop is told once.
      if (this.holdsPlace(node) || ownNodes(node).some((each) => each !== node && isLoop(each) && ownNodes(each).some(isWait))) continue;
      const { fn } = this.bindings.around(node);
      if (!fn || !isWorker(fn, this.bindings)) this.add(node, { kind: 'sequential' });
    }
  }

  private holdsPlace(node: Node): boolean {
    const inner = new Set(nodesIn(node));
    return this.found.some((place) => inner.has(place.node));
  }

  /** A limiter that is made and used in one and the same round limits that one call. */
  private limitersInLoops(calls: readonly Call[]): void {
    for (const call of calls) {
      const made = this.limiters.libraryCall(call);
      if (made?.does !== 'make' || !/^(p-limit|p-queue|async-sema|async-mutex|promise-limit|bottleneck|throat)$/.test(made.library)) continue;
      const { parent, fn, loop } = this.bindings.around(call);
      if (!loop && !this.isPerItem(fn)) continue;
      const name = parent?.type === 'VariableDeclarator' ? nameOf(parent.id) : undefined;
      const uses = name === undefined ? [] : calls.filter((use) => this.bindings.valueOf(name, use) === call
        && (nameOf(use.callee) === name || nameOf(methodOf(use)?.object) === name));
      const isUseless = name === undefined ? isCall(parent) && parent.callee === call
        : uses.length > 0 && uses.every((use) => this.bindings.around(use).fn === fn && this.bindings.around(use).loop === loop);
      if (!isUseless) continue;
      this.add(call, { kind: 'limiterInLoop', library: made.library, limit: made.limit });
      this.limiters.disregard(call);
    }
  }

  private isPerItem(fn: Node | undefined): boolean {
    const parent = fn && this.bindings.around(fn).parent;
    return parent !== undefined && isCall(parent) && /^(map|forEach|flatMap)$/.test(methodOf(parent)?.name ?? '') && parent.arguments[0] === fn;
  }

  private add(node: Node, judged: Judged): void {
    this.found.push({ ...judged, node });
    // A pool's own work is part of it; tasks of a combinator may hold places of their own.
    for (const inner of nodesIn(node)) if (inner === node || judged.kind === 'library' || judged.kind === 'pool') this.taken.add(inner);
  }

  private *ancestors(node: Node): Generator<Node> {
    for (let outer = this.bindings.around(node).parent; outer; outer = this.bindings.around(outer).parent) yield outer;
  }
}

type Found = Judged & { readonly node: Node };

/** Whether a combinator only waits for what another place has left: `if (pending.length) await Promise.all(pending)` behind the loop. */
function isRestOf(each: Found, other: Found, bindings: Bindings): boolean {
  if (each.combinator === 'race' && other.combinator === 'race') return each.collection !== undefined && each.collection === other.collection && each.limit === undefined && other.node.start !== each.node.start && (other.limit !== undefined || (other.node.start ?? 0) < (each.node.start ?? 0));
  if (other.kind === 'pool' && other.combinator === 'race') {
    if (each.collection === undefined || bindings.around(each.node).fn !== bindings.around(other.node).fn) return false;
    const loop = bindings.around(other.node).loop;
    return each.collection === other.collection || bindings.addedTo(each.collection).some((node) => loop !== undefined && nodesIn(loop).includes(node));
  }
  return other.kind === 'chunk' && each.kind !== 'chunk' && each.collection !== undefined && each.collection === other.collection
    && bindings.around(each.node).fn === bindings.around(other.node).fn;
}
