/** Counters of running work, by which hand-written pools and limiters are told. */
import type { Node } from '@babel/types';
import { isCall, nameOf, nodesIn, ownNodes } from './ast';
import type { Bindings } from './bindings';

/** Whether the code raises, lowers and compares one counter, as limiters do with what runs. */
export function countsActive(node: Node): boolean {
  const raised = new Set<string>(), lowered = new Set<string>(), compared = new Set<string>();
  for (const inner of nodesIn(node)) {
    if (inner.type === 'UpdateExpression') note(inner.operator === '++' ? raised : lowered, inner.argument);
    if (inner.type === 'AssignmentExpression') {
      if (inner.operator === '+=') note(raised, inner.left);
      if (inner.operator === '-=') note(lowered, inner.left);
    }
    if (inner.type === 'BinaryExpression' && /^[<>]=?$|^[=!]==?$/.test(inner.operator)) {
      note(compared, inner.left);
      note(compared, inner.right);
    }
  }
  return [...raised].some((name) => lowered.has(name) && compared.has(name));
}

function note(names: Set<string>, node: Node): void {
  const name = nameOf(node);
  if (name !== undefined) names.add(name);
}

/** The counters of running work of a file: raised where work begins, lowered in another function when it has ended. */
export class Counters {
  private readonly raised = new Map<string, Node[]>();
  private readonly lowered = new Map<string, Node[]>();

  constructor(private readonly bindings: Bindings) {
    for (const node of bindings.nodes) {
      if (node.type !== 'UpdateExpression') continue;
      const name = nameOf(node.argument);
      const all = node.operator === '++' ? this.raised : this.lowered;
      if (name !== undefined) all.set(name, [...all.get(name) ?? [], node]);
    }
  }

  /** Whether the loop is that of a hand-written pool: it starts work while a counter of what runs allows. */
  isPump(loop: Node): boolean {
    if ((loop.type !== 'WhileStatement' && loop.type !== 'ForStatement') || !loop.test) return false;
    for (const inner of nodesIn(loop.test)) {
      const name = nameOf(inner);
      if (name !== undefined && this.rises(name, loop) && this.fallsLater(name, loop) && ownNodes(loop).some(isCall)) return true;
    }
    return false;
  }

  private rises(name: string, loop: Node): boolean {
    // The step of a `for` counts rounds, no work.
    return this.raised.get(name)?.some((node) => this.bindings.around(node).loop === loop && this.bindings.around(node).parent !== loop) ?? false;
  }

  /** Lowered in another function: later, when the work has ended. In the loop itself it would count something else. */
  private fallsLater(name: string, loop: Node): boolean {
    const { fn } = this.bindings.around(loop);
    const counter = this.bindings.valueOf(name, loop);
    const falls = this.lowered.get(name)?.filter((node) => this.bindings.valueOf(name, node) === counter) ?? [];
    return counter !== undefined && falls.length > 0 && falls.every((node) => this.bindings.around(node).fn !== fn);
  }
}
