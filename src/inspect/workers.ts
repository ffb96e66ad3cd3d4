/** Whether a function is the worker of a hand-written pool: it takes one item after the other from what it shares with its like. */
import type { Node } from '@babel/types';
import { bare, isCall, isLoop, isWait, methodOf, mentions, nameOf, namesIn, nodesIn, ownNodes, type FunctionNode } from './ast';
import type { Bindings } from './bindings';

const TAKE = /^(shift|pop|next|splice|dequeue|poll|take)$/;

export function isWorker(fn: FunctionNode, bindings: Bindings): boolean {
  for (const node of nodesIn(fn)) {
    if (isLoop(node) && ownNodes(node).some(isWait) && sharesItsItems(node, bindings)) return true;
  }
  return takesAndCallsItself(fn, bindings);
}

function sharesItsItems(loop: Node, bindings: Bindings): boolean {
  const fn = bindings.around(loop).fn;
  if (!fn) return false;
  if (loop.type === 'ForOfStatement') return isSharedIterator(loop.right, fn, bindings);
  if (loop.type === 'ForStatement' && startsFromParameter(loop.init, fn)) return true;
  return takes(loop, fn, bindings);
}

/** An iterator made outside: whoever asks gets the next item. */
function isSharedIterator(right: Node, fn: FunctionNode, bindings: Bindings): boolean {
  const name = nameOf(right);
  if (name === undefined || isOwn(name, right, fn, bindings)) return false;
  const value = bindings.valueOf(name, right);
  const call = value && bare(value);
  if (call?.type !== 'CallExpression') return false;
  const { callee } = call;
  if (callee.type === 'MemberExpression' && callee.computed) return mentions(callee.property, new Set(['iterator', 'asyncIterator']));
  const method = methodOf(call);
  if (method) return /^(values|entries|keys)$/.test(method.name);
  const generator = bindings.resolveFunction(callee);
  return generator?.generator === true;
}

/** `for (let i = worker; …; i += workers)`: each has its own share. */
function startsFromParameter(init: Node | null | undefined, fn: FunctionNode): boolean {
  const parameters = new Set(fn.params.flatMap(namesIn));
  return init?.type === 'VariableDeclaration' && init.declarations.some((each) => each.init?.type === 'Identifier' && parameters.has(each.init.name));
}

function takes(node: Node, fn: FunctionNode, bindings: Bindings): boolean {
  for (const inner of ownNodes(node)) {
    const method = isCall(inner) ? methodOf(inner) : undefined;
    const taken = method && TAKE.test(method.name) ? nameOf(method.object) : inner.type === 'UpdateExpression' && inner.operator === '++' ? nameOf(inner.argument) : undefined;
    if (taken !== undefined && !isOwn(taken, inner, fn, bindings)) return true;
  }
  return false;
}

/** Whether the function itself declares the name; what it is handed may be shared. */
function isOwn(name: string, at: Node, fn: FunctionNode, bindings: Bindings): boolean {
  const value = bindings.valueOf(name, at);
  return value !== undefined && bindings.around(value).fn === fn;
}

/** `const next = async () => { const item = queue.shift(); if (item) { await work(item); return next(); } }` */
function takesAndCallsItself(fn: FunctionNode, bindings: Bindings): boolean {
  const name = bindings.nameOf(fn);
  if (name === undefined || !ownNodes(fn).some(isWait)) return false;
  return takes(fn, fn, bindings) && callsItself(fn, name);
}

export function callsItself(fn: FunctionNode, name: string): boolean {
  for (const node of ownNodes(fn)) {
    if (isCall(node) && (nameOf(node.callee) === name || (methodOf(node)?.object.type === 'ThisExpression' && methodOf(node)?.name === name))) return true;
  }
  return false;
}
