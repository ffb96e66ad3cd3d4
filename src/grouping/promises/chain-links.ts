/** What hangs on what in chains of `then`, be their links resolved with other chains or not. */
import { isFinallys, type PromiseNode } from './promise-node';

/** To its first link a chain is followed no further. */
const MAX_LINKS = 256;

/** What a combinator sees as an element, or `await` as its operand: back from `then` to the promise it all began with. */
export function sourceOf(node: PromiseNode): PromiseNode {
  let at = node;
  for (let steps = 0; at.parent && !isOthers(at.inner) && !at.parent.elementOf && steps < 64; steps++) at = at.parent;
  return at;
}

/** Whether a link of a chain was resolved with something else than what `finally` makes of its function's result. */
export const isOthers = (inner: PromiseNode | undefined): inner is PromiseNode => inner !== undefined && !(inner.parent && isFinallys(inner.parent));

/** What a chain of `then` began with, be its links resolved with others or not. */
export function headOf(node: PromiseNode): PromiseNode {
  let at = node;
  for (let steps = 0; at.parent && !at.parent.elementOf && steps < 64; steps++) at = at.parent;
  return at;
}

/** The promise that was resolved with a call, or with the chain that begins with it. */
export const resolvedWith = ({ adoptedBy, chainEnd }: PromiseNode): PromiseNode | undefined => adoptedBy ?? chainEnd?.adoptedBy;

/** What the chain began with that goes on with a call: one of its links was resolved with that, or with a chain which begins with it. */
export function headBefore(node: PromiseNode): PromiseNode | undefined {
  const link = resolvedWith(node);
  const head = link && headOf(link);
  return head === link ? undefined : head;
}

/** What the chain began with in a reaction of which something was made. */
export const chainHeadOf = ({ madeIn }: PromiseNode): PromiseNode | undefined => (madeIn?.isDerived ? headOf(madeIn) : undefined);

/** The head of a chain in whose reactions a call was made, or a head that one was made in the reactions of, and so on: the first that is looked for. */
export function headAround({ madeIn }: PromiseNode, isIt: (head: PromiseNode) => boolean): PromiseNode | undefined {
  let at = madeIn;
  for (let steps = 0; at && steps < 16; steps++) {
    const head = headOf(at);
    if (isIt(head)) return head;
    at = head.madeIn;
  }
  return undefined;
}

/** Whether one of two links led to the other. */
export const areOfOneChain = (a: PromiseNode, b: PromiseNode): boolean => isBehind(a, b) || isBehind(b, a);

/** Whether a link came of another one, or is it. */
export function isBehind(link: PromiseNode, other: PromiseNode): boolean {
  let at: PromiseNode | undefined = link;
  for (let steps = 0; at && at !== other && steps < 64; steps++) at = at.parent;
  return at === other;
}

/** The promise by which a call is over: its own, or the link behind it that its function gave. */
export const endOf = (call: PromiseNode): PromiseNode => call.chainEnd ?? call;

/** The first link behind what a chain began with. */
export function firstLinkOf(link: PromiseNode, head: PromiseNode): PromiseNode {
  let first = link;
  for (let steps = 0; first.parent && first.parent !== head && steps < MAX_LINKS; steps++) first = first.parent;
  return first;
}
