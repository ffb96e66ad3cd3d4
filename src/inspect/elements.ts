/** What a combinator is given: how many tasks, and by which functions or calls they are made. */
import type { Node } from '@babel/types';
import { bare, isCall, isFunction, methodOf, nameOf } from './ast';
import type { Bindings } from './bindings';

export interface Elements {
  /** Functions called for each item, and calls that are elements themselves. */
  readonly tasks: readonly Node[];
  /** How many there are, where the source says it. */
  readonly count?: number;
  /** Whether there is one for each item of a list of any length. */
  readonly many: boolean;
  /** The list that was mapped. */
  readonly source?: Node;
  /** The name of the collection they are gathered in. */
  readonly collection?: string;
}

const UNKNOWN: Elements = { tasks: [], many: false };
/** Methods that hand a list on with fewer elements or in another order. */
const PASSING = /^(filter|flat|slice|concat|reverse|sort|toArray|values|keys|entries)$/;
const MAPPING = /^(map|flatMap)$/;

export function elementsOf(argument: Node | undefined, bindings: Bindings, depth = 4): Elements {
  if (!argument || depth === 0) return UNKNOWN;
  const node = bare(argument);
  const name = nameOf(node);
  if (name !== undefined) return gathered(name, node, bindings, depth);
  if (node.type === 'ArrayExpression') return listed(node, bindings, depth);
  if (isCall(node)) return called(node, bindings, depth);
  if (node.type === 'ConditionalExpression') return elementsOf(node.consequent, bindings, depth - 1);
  return UNKNOWN;
}

function gathered(name: string, node: Node, bindings: Bindings, depth: number): Elements {
  const added = bindings.addedTo(name);
  const value = bindings.valueOf(name, node);
  const first = value && value !== node ? elementsOf(value, bindings, depth - 1) : UNKNOWN;
  if (added.length === 0) return { ...first, collection: name };
  return {
    tasks: [...first.tasks, ...added], collection: name, source: first.source,
    many: first.many || added.some((each) => bindings.around(each).loop !== undefined || isCallback(bindings.around(each).fn, bindings)),
  };
}

/** Whether a function is handed to a call such as `forEach`. */
function isCallback(fn: Node | undefined, bindings: Bindings): boolean {
  const parent = fn && bindings.around(fn).parent;
  return parent !== undefined && isCall(parent) && /^(forEach|map|each)$/.test(methodOf(parent)?.name ?? '');
}

function listed(array: Node & { readonly type: 'ArrayExpression' }, bindings: Bindings, depth: number): Elements {
  const tasks: Node[] = [];
  let many = false;
  let count: number | undefined = 0;
  for (const each of array.elements) {
    if (!each) continue;
    if (each.type === 'SpreadElement') {
      const inner = elementsOf(each.argument, bindings, depth - 1);
      tasks.push(...inner.tasks);
      many ||= inner.many;
      count = inner.count === undefined || count === undefined ? undefined : count + inner.count;
      if (array.elements.length === 1) return inner;
    } else {
      tasks.push(bare(each));
      if (count !== undefined) count++;
    }
  }
  return { tasks, many, count };
}

function called(call: Node & { readonly type: 'CallExpression' | 'NewExpression' }, bindings: Bindings, depth: number): Elements {
  const method = methodOf(call);
  if (!method) return UNKNOWN;
  const [first, second] = call.arguments;
  if (nameOf(method.object) === 'Array' && method.name === 'from' && second) return mapped(first, second, bindings, depth);
  if (MAPPING.test(method.name) && first) {
    // lodash and its like take the list first.
    const asFunction = second && !isFunction(bare(first)) && isFunction(bindings.resolveFunction(second));
    return asFunction ? mapped(first, second, bindings, depth) : mapped(method.object, first, bindings, depth);
  }
  if (PASSING.test(method.name)) return { ...elementsOf(method.object, bindings, depth - 1), count: undefined };
  return UNKNOWN;
}

function mapped(source: Node, task: Node, bindings: Bindings, depth: number): Elements {
  const count = lengthOf(source, bindings, depth);
  return { tasks: [bindings.resolveFunction(task) ?? bare(task)], count, many: count === undefined, source: bare(source) };
}

/** How many items a list has, where the source says it: `[a, b]`, `Array(3).fill(0)`, `{ length: 3 }`. */
function lengthOf(source: Node, bindings: Bindings, depth: number): number | undefined {
  const node = bindings.resolve(source);
  if (depth === 0) return undefined;
  if (node.type === 'ArrayExpression') return node.elements.some((each) => each?.type === 'SpreadElement') || bindings.addedTo(nameOf(bare(source)) ?? '').length > 0 ? undefined : node.elements.length;
  if (node.type === 'ObjectExpression') {
    for (const property of node.properties) if (property.type === 'ObjectProperty' && nameOf(property.key) === 'length') return bindings.numberOf(property.value);
    return undefined;
  }
  if (!isCall(node)) return undefined;
  if (nameOf(node.callee) === 'Array') return node.arguments.length === 1 ? bindings.numberOf(node.arguments[0]) : node.arguments.length;
  const method = methodOf(node);
  if (method && /^(fill|keys|map|values|entries)$/.test(method.name)) return lengthOf(method.object, bindings, depth - 1);
  if (method?.name === 'from' && nameOf(method.object) === 'Array' && node.arguments.length > 0) return lengthOf(node.arguments[0], bindings, depth - 1);
  return undefined;
}
