/** Walking a syntax tree, and asking small questions about its nodes. */
import type { ArrowFunctionExpression, CallExpression, ClassMethod, FunctionDeclaration, FunctionExpression, NewExpression, Node, ObjectMethod } from '@babel/types';

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression | ClassMethod | ObjectMethod;
export type Call = CallExpression | NewExpression;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Keys that hold no part of the tree. */
const ASIDE = new Set(['loc', 'type', 'start', 'end', 'extra', 'errors', 'tokens', 'comments', 'leadingComments', 'trailingComments', 'innerComments',
  'typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeParameters', 'implements']);

export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  const fields = node as unknown as Readonly<Record<string, unknown>>;
  for (const key in fields) {
    const value = fields[key];
    if (typeof value !== 'object' || value === null || ASIDE.has(key)) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) {
      children.push(value);
    }
  }
  return children;
}

/** Every node below `node`, itself first, in the order of the source; below those for which `enter` is false none. */
export function nodesIn(node: Node, enter: (inner: Node) => boolean = () => true): Node[] {
  const nodes: Node[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    nodes.push(next);
    const children = childrenOf(next);
    for (let child = children.length - 1; child >= 0; child--) if (enter(children[child])) waiting.push(children[child]);
  }
  return nodes;
}

/** Every node of a function's or loop's own run of code: functions inside it are left out. */
export const ownNodes = (node: Node): Node[] => nodesIn(node, (inner) => !isFunction(inner));

export function isFunction(node: Node | null | undefined): node is FunctionNode {
  switch (node?.type) {
    case 'FunctionDeclaration': case 'FunctionExpression': case 'ArrowFunctionExpression': case 'ClassMethod': case 'ObjectMethod': return true;
    default: return false;
  }
}

export const isCall = (node: Node | null | undefined): node is Call => node?.type === 'CallExpression' || node?.type === 'NewExpression';

export function isLoop(node: Node): boolean {
  switch (node.type) {
    case 'ForStatement': case 'ForOfStatement': case 'ForInStatement': case 'WhileStatement': case 'DoWhileStatement': return true;
    default: return false;
  }
}

/** `name` of `name`, `this.name` and `#name`; undefined for anything longer. */
export function nameOf(node: Node | null | undefined): string | undefined {
  switch (node?.type) {
    case 'Identifier': return node.name;
    case 'PrivateName': return node.id.name;
    case 'MemberExpression': case 'OptionalMemberExpression':
      return node.object.type === 'ThisExpression' ? nameOf(node.property) : undefined;
    default: return undefined;
  }
}

/** `object` and `property` of `object.property(…)`. */
export function methodOf(call: Node): { readonly object: Node; readonly name: string } | undefined {
  const callee = call.type === 'CallExpression' || call.type === 'OptionalCallExpression' || call.type === 'NewExpression' ? call.callee : undefined;
  if (callee?.type !== 'MemberExpression' && callee?.type !== 'OptionalMemberExpression') return undefined;
  const name = callee.computed ? undefined : nameOf(callee.property);
  return name === undefined ? undefined : { object: callee.object, name };
}

/** The expression without what TypeScript, parentheses and `await` put around it. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression': case 'TSNonNullExpression': case 'TSSatisfiesExpression': case 'TSTypeAssertion': case 'ParenthesizedExpression':
      return bare(node.expression);
    case 'AwaitExpression': return bare(node.argument);
    default: return node;
  }
}

/** Whether the code waits here: `await`, or `yield` where a compiler has made it of one. */
export const isWait = (node: Node): boolean => node.type === 'AwaitExpression' || (node.type === 'YieldExpression' && !node.delegate);

/** Whether `name` is used anywhere in the node. */
export function mentions(node: Node, names: ReadonlySet<string>): boolean {
  for (const inner of nodesIn(node)) if (inner.type === 'Identifier' && names.has(inner.name)) return true;
  return false;
}

/** Names that a pattern or parameter declares. */
export function namesIn(pattern: Node): string[] {
  const names: string[] = [];
  for (const node of nodesIn(pattern)) if (node.type === 'Identifier') names.push(node.name);
  return names;
}
