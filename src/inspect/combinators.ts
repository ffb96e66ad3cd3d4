/** What `Promise.all` and its like are used for at one place. */
import type { Node } from '@babel/types';
import type { Combinator } from '../model/timeline';
import { bare, isCall, isFunction, isWait, mentions, methodOf, nameOf, namesIn, nodesIn, ownNodes, type Call, type FunctionNode } from './ast';
import type { Bindings } from './bindings';
import { elementsOf, type Elements } from './elements';
import type { Limiters } from './limiters';
import type { Place } from './place';
import { callsItself, isWorker } from './workers';

export interface Judged extends Pick<Place, 'kind' | 'combinator' | 'library' | 'limit'> {
  /** The hand-written limiter whose work this is. */
  readonly definition?: Node;
  /** Name of the collection the tasks are gathered in. */
  readonly collection?: string;
}

export function combinatorOf(call: Node): Combinator | undefined {
  const method = call.type === 'CallExpression' ? methodOf(call) : undefined;
  if (!method || !/^(Promise|Bluebird|\$q)$/.test(nameOf(method.object) ?? '')) return undefined;
  switch (method.name) {
    case 'all': case 'allSettled': case 'race': case 'any': return method.name;
    default: return undefined;
  }
}

export function judgeCombinator(call: Call, combinator: Combinator, bindings: Bindings, limiters: Limiters): Judged | undefined {
  const elements = elementsOf(call.arguments.at(0), bindings);
  const { collection, count } = elements;
  if (combinator === 'race') return judgeRace(call, elements, bindings);
  for (const task of elements.tasks) {
    const fn = isCall(task) ? bindings.resolveFunction(task.callee) : bindings.resolveFunction(task);
    const limiting = (isCall(task) ? limiters.through(task) : undefined) ?? (fn && limiters.within(fn));
    if (limiting) return { kind: limiting.library === undefined ? 'pool' : 'library', ...limiting, combinator, collection };
    if (fn && isWorker(fn, bindings)) return { kind: 'pool', combinator, collection, limit: elements.many ? undefined : count };
  }
  if (collection !== undefined && bindings.isChained(collection)) return { kind: 'pool', combinator, collection, limit: count };
  if (count !== undefined && count < 2) return undefined;
  const { fn, loop } = bindings.around(call);
  if (combinator !== 'any' && isAwaited(call, bindings) && (loop || (fn && repeats(fn, bindings)))) {
    return { kind: 'chunk', combinator, collection, limit: chunkSize(elements, call, bindings) };
  }
  return { kind: elements.many ? 'unbounded' : 'together', combinator, collection };
}

/** The set of running tasks that is raced whenever it is full; or tasks of which the first counts, unless one is a timeout. */
function judgeRace(call: Call, elements: Elements, bindings: Bindings): Judged | undefined {
  const { collection } = elements;
  const raced = collection ?? rawCollection(call);
  if (raced !== undefined && bindings.around(call).loop && bindings.addedTo(raced).length > 0) {
    return { kind: 'pool', combinator: 'race', collection: raced, limit: fullAt(raced, call, bindings) };
  }
  if (bindings.around(call).loop) return undefined;
  const work = elements.tasks.filter((task) => isCall(task) && !isTimeout(task));
  if (!elements.many && (work.length < 2 || elements.tasks.some(isTimeout))) return undefined;
  return { kind: elements.many ? 'unbounded' : 'together', combinator: 'race', collection };
}

/** `running` in `Promise.race(running.values())` and `Promise.race([...running])`. */
function rawCollection(call: Call): string | undefined {
  const [argument] = call.arguments;
  if (!argument) return undefined;
  const node = bare(argument);
  if (node.type === 'ArrayExpression' && node.elements.length === 1) {
    const [only] = node.elements;
    return only?.type === 'SpreadElement' ? nameOf(only.argument) ?? nameOf(methodOf(only.argument)?.object) : undefined;
  }
  return nameOf(methodOf(node)?.object);
}

const TIMER = /time|delay|sleep|wait|abort|cancel|signal|after/i;

function isTimeout(task: Node): boolean {
  if (task.type === 'NewExpression') return true;
  const name = isCall(task) ? nameOf(task.callee) ?? methodOf(task)?.name : nameOf(task) ?? (task.type === 'MemberExpression' ? nameOf(task.property) : undefined);
  return name !== undefined && TIMER.test(name);
}

/** Whether the function goes on only when the combinator has settled. */
function isAwaited(call: Node, bindings: Bindings): boolean {
  for (let node = bindings.around(call).parent; node && !isFunction(node); node = bindings.around(node).parent) if (isWait(node)) return true;
  return false;
}

/** Whether a function is entered again and again, each time after the time before: it calls itself, or is handed to `reduce`. */
function repeats(fn: FunctionNode, bindings: Bindings): boolean {
  const name = bindings.nameOf(fn);
  if (name !== undefined && callsItself(fn, name)) return true;
  const { parent } = bindings.around(fn);
  const [before] = fn.params;
  if (!parent || !isCall(parent) || methodOf(parent)?.name !== 'reduce' || !fn.async || before?.type !== 'Identifier') return false;
  return ownNodes(fn).some((node) => node.type === 'AwaitExpression' && nameOf(node.argument) === before.name);
}

/** The size of a chunk: `slice(i, i + 4)`, `splice(0, 4)`, `chunk(items, 4)`, `if (pending.length === 4)`. */
function chunkSize(elements: Elements, call: Call, bindings: Bindings): number | undefined {
  if (!elements.many) return elements.count;
  if (elements.collection !== undefined) {
    const full = fullAt(elements.collection, call, bindings);
    if (full !== undefined) return full;
  }
  return elements.source && sliceSize(elements.source, bindings);
}

function sliceSize(source: Node, bindings: Bindings): number | undefined {
  const cut = bindings.resolve(source);
  if (isCall(cut)) {
    const method = methodOf(cut);
    const [from, to] = cut.arguments;
    if (method?.name === 'splice') return bindings.numberOf(to);
    if (method?.name === 'slice' && to?.type === 'BinaryExpression' && to.operator === '+' && from) return bindings.numberOf(to.right);
    return undefined;
  }
  const name = nameOf(cut);
  if (name === undefined) return undefined;
  const { loop } = bindings.around(source);
  if (loop?.type !== 'ForOfStatement' || !namesIn(loop.left).includes(name)) return undefined;
  // Through `batches.entries()` and a name, to the call that cut the list.
  for (let list = bindings.resolve(loop.right), steps = 0; isCall(list) && steps < 3; steps++) {
    if (/chunk|batch|slices|partition/i.test(nameOf(list.callee) ?? methodOf(list)?.name ?? '')) return bindings.numberOf(list.arguments.at(1));
    const object = methodOf(list)?.object;
    if (!object) return undefined;
    list = bindings.resolve(object);
  }
  return undefined;
}

/** The number that the size of a collection is compared with in a condition around the call. */
function fullAt(collection: string, call: Node, bindings: Bindings): number | undefined {
  for (let node: Node | undefined = call; node && !isFunction(node); node = bindings.around(node).parent) {
    const test = node.type === 'IfStatement' || node.type === 'WhileStatement' ? node.test : undefined;
    if (!test || !mentions(test, new Set([collection]))) continue;
    for (const inner of nodesIn(test)) {
      if (inner.type !== 'BinaryExpression' || !/[<>=]/.test(inner.operator)) continue;
      const value = bindings.numberOf(inner.right) ?? bindings.numberOf(inner.left);
      if (value !== undefined && value > 0) return value;
    }
  }
  return undefined;
}
