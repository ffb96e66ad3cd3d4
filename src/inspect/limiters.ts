/** Which limiter, if any, a piece of work passes: one of a library, or one written by hand. */
import type { Node } from '@babel/types';
import { bare, isCall, methodOf, nameOf, nodesIn, ownNodes, type Call, type FunctionNode } from './ast';
import type { Bindings } from './bindings';
import { countsActive } from './counters';
import { offerOf, packageOf, startsWork, type Limit } from './libraries';

export interface Limiting {
  /** Missing where it is hand-written. */
  readonly library?: string;
  readonly limit?: number;
  /** Where it is written, if by hand. */
  readonly definition?: Node;
}

export interface LibraryCall {
  readonly library: string;
  /** As in `libraries.ts`; `run` without any limit is `all`. */
  readonly does: 'run' | 'make' | 'sequence' | 'all';
  readonly limit?: number;
}

/** How far calls are followed from function to function. */
const DEPTH = 3;
const ACQUIRE = /^(acquire|wait|lock|take|enter)$/;
const RELEASE = /^(release|signal|unlock|leave|free)$/;

export class Limiters {
  private readonly found = new Map<FunctionNode, Limiting | undefined>();
  private readonly mutexes = new Map<FunctionNode, boolean>();
  private readonly counting = new Map<Node, boolean>();

  /** Calls that make a limiter of no effect. */
  private readonly useless = new Set<Node>();

  constructor(private readonly bindings: Bindings) {}

  /** From here on, what passes the limiter that this call makes passes none. */
  disregard(maker: Call): void { this.useless.add(maker); }

  /** What the call asks of a library. */
  libraryCall(call: Call): LibraryCall | undefined {
    return this.poolChain(call) ?? this.offered(call) ?? this.mappedStream(call);
  }

  /** The limiter the call hands its work to. */
  through(call: Call): Limiting | undefined {
    const method = methodOf(call);
    const target = method?.object ?? call.callee;
    const maker = this.bindings.resolve(target);
    if (maker.type === 'CallExpression' || maker.type === 'NewExpression') {
      if (this.useless.has(maker)) return undefined;
      const made = this.offered(maker);
      if (made?.does === 'make' && (!method || startsWork(made.library, method.name))) return made;
      const wrapped = methodOf(maker);
      if (!method && wrapped?.name === 'wrap') return this.madeBy(wrapped.object);
      const written = this.definitionOf(maker, method !== undefined);
      if (written && this.countsActive(written)) return { limit: this.bindings.numberOf(maker.arguments[0]), definition: written };
    }
    const fn = method ? undefined : this.bindings.resolveFunction(target);
    return fn && this.isMutex(fn) ? { limit: 1, definition: fn } : undefined;
  }

  /** The limiter that the work of a function passes, in its own code or in that of functions it calls. */
  within(fn: FunctionNode, depth = DEPTH): Limiting | undefined {
    if (this.found.has(fn)) return this.found.get(fn);
    // Known from here on, so that functions that call each other come to an end.
    this.found.set(fn, undefined);
    const limiting = this.search(fn, depth);
    if (limiting || depth === DEPTH) this.found.set(fn, limiting); else this.found.delete(fn);
    return limiting;
  }

  private countsActive(node: Node): boolean {
    const known = this.counting.get(node);
    if (known !== undefined) return known;
    const counts = countsActive(node);
    this.counting.set(node, counts);
    return counts;
  }

  private isMutex(fn: FunctionNode): boolean {
    const known = this.mutexes.get(fn);
    if (known !== undefined) return known;
    const is = isMutex(fn);
    this.mutexes.set(fn, is);
    return is;
  }

  private search(fn: FunctionNode, depth: number): Limiting | undefined {
    const calls = nodesIn(fn).filter(isCall);
    for (const call of calls) {
      const limiting = this.through(call);
      if (limiting) return limiting;
    }
    const acquired = calls.find((call) => ACQUIRE.test(methodOf(call)?.name ?? ''));
    if (acquired && calls.some((call) => RELEASE.test(methodOf(call)?.name ?? nameOf(call.callee) ?? ''))) {
      const object = methodOf(acquired)?.object;
      return object && (this.madeBy(object) ?? { limit: this.argumentOfMaker(object) });
    }
    if (depth === 0) return undefined;
    for (const call of calls) {
      const called = call.type === 'CallExpression' && !methodOf(call) ? this.bindings.resolveFunction(call.callee) : undefined;
      const limiting = called && called !== fn ? this.within(called, depth - 1) : undefined;
      if (limiting) return limiting;
    }
    return undefined;
  }

  private madeBy(node: Node): LibraryCall | undefined {
    const maker = this.bindings.resolve(node);
    const made = isCall(maker) ? this.offered(maker) : undefined;
    return made?.does === 'make' ? made : undefined;
  }

  private argumentOfMaker(node: Node): number | undefined {
    const maker = this.bindings.resolve(node);
    return isCall(maker) ? this.bindings.numberOf(maker.arguments[0]) : undefined;
  }

  /** The class, or the function that gave a function, of a limiter written in this file. */
  private definitionOf(maker: Call, asObject: boolean): Node | undefined {
    const name = nameOf(maker.callee);
    if (name === undefined) return undefined;
    return maker.type === 'NewExpression' && asObject ? this.bindings.classOf(name) : this.bindings.functionOf(name);
  }

  private offered(call: Call): LibraryCall | undefined {
    const callee = bare(call.callee);
    const own = callee.type === 'Identifier' ? this.bindings.importOf(callee.name) : undefined;
    if (own) return this.read(own.module, own.exported, call);
    const method = methodOf(call);
    const object = method && bare(method.object);
    const from = object?.type === 'Identifier' ? this.bindings.importOf(object.name) : undefined;
    if (!from || !method) return undefined;
    const isWhole = from.exported === '*' || from.exported === 'default';
    return this.read(from.module, isWhole ? method.name : `${from.exported}.${method.name}`, call);
  }

  private read(module: string, exported: string, call: Call): LibraryCall | undefined {
    const offer = offerOf(module, exported);
    if (!offer) return undefined;
    const library = packageOf(module);
    const value = offer.limit && this.limitOf(call, offer.limit);
    return offer.unlimited && value === 'none' ? { library, does: offer.unlimited } : { library, does: offer.does, limit: typeof value === 'number' ? value : undefined };
  }

  /** @returns `none` where the call names no limit, undefined where it cannot be read */
  private limitOf(call: Call, { argument, option }: Limit): number | 'none' | undefined {
    const given = call.arguments.at(argument);
    if (!given) return 'none';
    const value = this.bindings.resolve(given);
    if (value.type === 'ObjectExpression') return option === undefined ? undefined : this.option(value, option) ?? 'none';
    if (value.type === 'StringLiteral' && option !== undefined) return this.limitOf(call, { argument: argument + 1, option });
    return this.bindings.numberOf(value);
  }

  private option(object: Node & { readonly type: 'ObjectExpression' }, name: string): number | undefined {
    for (const property of object.properties) {
      // What is spread may bring it, with a number nobody can read.
      if (property.type === 'SpreadElement') return NaN;
      if (property.type === 'ObjectProperty' && nameOf(property.key) === name) return this.bindings.numberOf(property.value) ?? NaN;
    }
    return undefined;
  }

  /** `PromisePool.for(items).withConcurrency(3).process(task)`, its calls in any order. */
  private poolChain(call: Call): LibraryCall | undefined {
    if (methodOf(call)?.name !== 'process') return undefined;
    let limit: number | undefined;
    for (let link: Node = call; ;) {
      const method = methodOf(link);
      if (method && isCall(link) && method.name === 'withConcurrency') limit = this.bindings.numberOf(link.arguments[0]);
      const next: Node | undefined = method ? bare(method.object) : link.type === 'NewExpression' ? link.callee : undefined;
      if (!next) {
        const from = link.type === 'Identifier' ? this.bindings.importOf(link.name) : undefined;
        return from?.module === '@supercharge/promise-pool' ? { library: from.module, does: 'run', limit } : undefined;
      }
      link = next;
    }
  }

  /** `stream.map(task, { concurrency: 4 })`, of Node's streams and of promises of bluebird. */
  private mappedStream(call: Call): LibraryCall | undefined {
    const method = methodOf(call);
    const options = call.arguments.at(1);
    if (!method || !/^(map|filter|forEach|flatMap)$/.test(method.name) || options?.type !== 'ObjectExpression') return undefined;
    const limit = this.option(options, 'concurrency');
    return limit === undefined ? undefined : { library: this.usesBluebird() ? 'bluebird' : 'node:stream', does: 'run', limit };
  }

  private usesBluebird(): boolean {
    return ['Promise', 'Bluebird', 'BPromise', 'P', 'BbPromise', 'BB'].some((name) => this.bindings.importOf(name)?.module === 'bluebird');
  }
}

/** `tail = tail.then(…)`: each call waits for the one before. */
function isMutex(fn: FunctionNode): boolean {
  for (const node of ownNodes(fn)) {
    if (node.type !== 'AssignmentExpression' || node.operator !== '=') continue;
    const name = nameOf(node.left);
    for (let link = bare(node.right); name !== undefined; ) {
      const method = methodOf(link);
      if (!method || !/^(then|catch|finally)$/.test(method.name)) break;
      if (nameOf(method.object) === name) return true;
      link = bare(method.object);
    }
  }
  return false;
}
