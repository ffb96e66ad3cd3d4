/**
 * Requests that an interceptor of axios holds back: `client.interceptors.request.use((config) => new Promise((go) => { waiting.push(() => go(config)); }))`.
 * The request is sent once that is through, whoever let it go: until then the call has waited for its turn.
 */
import type { CombinatorCall } from './combinator-call';
import { isBareWait, releaseOf } from './releases';
import { looksAgain } from '../promises/pauses';
import { isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';
import { headOf } from '../promises/chain-links';

/** The library that runs interceptors as a chain: each call begins one. */
const LIBRARY = 'axios';
/** Interceptors one behind the other. */
const MAX_INTERCEPTORS = 16;
/** Async functions of axios's own, one inside of the other, behind a call of it. */
const MAX_INNER = 8;

/**
 * @param hold what may be an interceptor's promise
 * @returns the element of a combinator that is, or has called first of all, the request which it holds back, or has
 */
export function heldBackBy(hold: PromiseNode): { readonly call: CombinatorCall; readonly element: PromiseNode } | undefined {
  const link = hold.adoptedBy;
  if (!link?.parent || !isHold(hold) || !isBeforeRequest(link)) return undefined;
  const request = requestOf(headOf(link));
  for (const element of [request, request?.awaitedBy]) {
    const call = element?.awaitingCall;
    if (element && call && element.tick === request?.tick) return { call, element };
  }
  return undefined;
}

/** The call that axios gave for what it began a chain for: the outermost of its async functions, or, before there were any, the chain itself. */
function requestOf(head: PromiseNode): PromiseNode | undefined {
  let at = head;
  for (let steps = 0; at.owner && libraryMaking(at.owner) === LIBRARY && steps < MAX_INNER; steps++) at = at.owner;
  return libraryMaking(at) === LIBRARY ? at : undefined;
}

/** Whether an interceptor does nothing but wait for somebody, or for a while, before it goes on. An async function may do work: of that its end tells. */
function isHold(node: PromiseNode): boolean {
  if (!isUserCall(node)) return false;
  return node.isAsyncFunction ? !node.isPending && (isBareWait(node) || looksAgain(node)) : !node.isDerived && releaseOf(node) === node;
}

/** Whether nothing but holds came before a link: what axios goes on with behind the last of them is the request itself. */
function isBeforeRequest(link: PromiseNode): boolean {
  let at = link.parent;
  for (let steps = 0; at?.parent && steps < MAX_INTERCEPTORS; steps++, at = at.parent) if (at.inner && !isHold(at.inner)) return false;
  return at !== undefined && !at.parent;
}
