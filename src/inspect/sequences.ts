/** One awaited after the other, though none needs the one before; and tasks that nobody awaits. */
import type { Node } from '@babel/types';
import { bare, isCall, isFunction, isWait, mentions, methodOf, nameOf, namesIn, nodesIn, ownNodes, type Call } from './ast';
import type { Bindings } from './bindings';

/** Waiting on purpose: between calls that a service would refuse if they came at once. */
const PAUSE = /^(sleep|delay|wait|pause|setTimeout|backoff|throttle|nextTick|setImmediate|timeout)/i;

/**
 * Whether a loop awaits calls that know of their own item only: no round is broken off, hands anything to the next one, or waits
 * on purpose. That the calls do not depend on each other by what they do to the world, nobody can see here.
 */
export function isNeedlesslySequential(loop: Node): boolean {
  if (loop.type !== 'ForOfStatement' && loop.type !== 'ForStatement') return false;
  if (loop.type === 'ForOfStatement' && loop.await) return false;
  const items = itemNames(loop);
  if (items.size === 0) return false;
  const own = nodesIn(loop.body, (inner) => !isFunction(inner));
  const waits = own.filter((node) => node.type === 'AwaitExpression');
  const calls = waits.map(bare).filter(isCall);
  if (calls.length === 0 || calls.length !== waits.length) return false;
  if (own.some((node) => node.type === 'BreakStatement' || node.type === 'ReturnStatement' || node.type === 'ThrowStatement' || (node.type === 'ForOfStatement' && node.await))) return false;
  if (calls.some((call) => PAUSE.test(nameOf(call.callee) ?? methodOf(call)?.name ?? ''))) return false;
  // Only of what was awaited may the next await know: everything else is the item's.
  if (!calls.some((call) => mentions(call, items))) return false;
  return !handsOn(own, items);
}

/** The names a round gets its item by, and those it declares itself. */
function itemNames(loop: Node): Set<string> {
  if (loop.type === 'ForOfStatement') return new Set([...namesIn(loop.left).filter((name) => name !== 'undefined'), ...declaredIn(loop.body)]);
  if (loop.type !== 'ForStatement' || loop.init?.type !== 'VariableDeclaration' || loop.update?.type !== 'UpdateExpression') return new Set();
  const index = nameOf(loop.update.argument);
  if (index === undefined || !loop.test) return new Set();
  // A count of attempts is no list.
  const overList = nodesIn(loop.test).some((node) => node.type === 'MemberExpression' && nameOf(node.property) === 'length');
  return overList ? new Set([index, ...declaredIn(loop.body)]) : new Set();
}

function declaredIn(body: Node): string[] {
  const names: string[] = [];
  for (const node of ownNodes(body)) if (node.type === 'VariableDeclarator') names.push(...namesIn(node.id));
  return names;
}

/** Whether a round leaves something in a variable of outside that the awaited calls, or a condition, look at. */
function handsOn(own: readonly Node[], items: ReadonlySet<string>): boolean {
  const left = new Set<string>();
  for (const node of own) {
    const target = node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : undefined;
    for (const name of target ? namesIn(target.type === 'MemberExpression' ? target.object : target) : []) if (!items.has(name)) left.add(name);
  }
  if (left.size === 0) return false;
  return own.some((node) => (isWait(node) || node.type === 'IfStatement') && mentions(node.type === 'IfStatement' ? node.test : node, left));
}

/** `items.reduce((before, item) => before.then(() => work(item)), Promise.resolve())` */
export function isReducedSequence(call: Call): boolean {
  if (methodOf(call)?.name !== 'reduce') return false;
  const [fn, first] = call.arguments;
  if (!isFunction(fn) || !first || fn.params.length < 2) return false;
  const before = nameOf(fn.params[0]);
  if (before === undefined) return false;
  for (const node of nodesIn(fn.body)) {
    if (isCall(node) && methodOf(node)?.name === 'then' && nameOf(bare(methodOf(node)?.object ?? node)) === before) return true;
    if (fn.async && node.type === 'AwaitExpression' && nameOf(node.argument) === before) return true;
  }
  return false;
}

/** `items.forEach(async …)`, and `items.map(async …)` whose promises nobody takes. */
export function isForgotten(call: Call, bindings: Bindings): boolean {
  const method = methodOf(call);
  const [first] = call.arguments;
  if (!method || !first || !(bindings.resolveFunction(first)?.async ?? false)) return false;
  if (bindings.resolveFunction(first)?.generator === true || nameOf(first) === undefined && !isFunction(first)) return false;
  if (method.name === 'forEach') return !ownNodes(call).some((node) => node.type === 'ObjectExpression');
  return method.name === 'map' && bindings.around(call).parent?.type === 'ExpressionStatement';
}
