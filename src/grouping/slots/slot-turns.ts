/** Slots that go from one running function to another: who passed one on, and which calls are like one that asks for one. */
import { RootKind } from '../../model/facts';
import type { GroupDraft } from '../drafts';
import { isOfOneBefore, releaseOf } from '../combinators/releases';
import type { Place } from '../promises/places';
import { callsAt, functionKeyOf, isUserCall, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import { callFrameOf, isAtTop, isInside, isWithin } from '../promises/scopes';
import { callHolding, WorkerPool } from '../combinators/worker-pool';

/** Functions around what gave a slot back, and links of a chain. */
const MAX_STEPS = 16;
/** Functions around a call that say which others are like it, and how many others are looked for. */
const LIKE_STEPS = 3;
const MAX_LIKES = 4096;

/** The call of the waiting function that ended the wait, on its own way; undefined where that is no semaphore's. */
export function passerOf(to: PromiseNode, wait: PromiseNode): PromiseNode | undefined {
  const release = releaseOf(wait);
  if (release.kind !== RootKind.other || !isUserCall(release) || release.isDerived || release.byTimer || release.combinator || release.libraryTask || !release.settledBy) return undefined;
  // Who waits for its turn asks for it himself, or behind what the one before him made for that; what others made is something that they bring.
  const isBehind = release.owner !== undefined && isWithin(release.settledBy, release.owner);
  // A mutex of promises each of which is the tail that the next one waits behind.
  const isTails = wait.isAsyncFunction && isOfOneBefore(release, wait) && isWithin(release.owner, release.settledBy);
  if (!isWithin(release.owner, to) && !isBehind && !isTails) return undefined;
  const fn = functionKeyOf(to);
  let at = release.settledBy as PromiseNode | undefined;
  for (let steps = 0; at && at !== to && fn !== '' && steps < MAX_STEPS; steps++, at = at.owner) {
    // One that was over before held no slot: what it began and left running did.
    if (at.isAsyncFunction && functionKeyOf(at) === fn) return isWithin(to, at) || at.ended < release.ended ? undefined : at;
  }
  return undefined;
}

/** Whether elements of one combinator go on by what those of another one bring, who never wait there themselves: stages of a pipeline. */
export const isBringing = (from: PromiseNode, to: PromiseNode, place: Place): boolean =>
  from.awaitingCall !== undefined && to.awaitingCall !== undefined && from.awaitingCall !== to.awaitingCall && callsAt(from, place).length === 0;

export const isWorker = (node: PromiseNode): boolean => callHolding(node)?.pool instanceof WorkerPool || node.scope?.crew?.pool !== undefined;

/** What a promise was derived from by `then`, in so many steps; itself where it was not. */
export function originOf(node: PromiseNode): PromiseNode {
  let at = node;
  for (let steps = 0; at.parent && steps < MAX_STEPS; steps++) at = at.parent;
  return at;
}

/** Calls like one, itself included: elements beside it, tasks of its group, and what was called at the same place by calls like its owner. */
export function likesOf(call: PromiseNode, steps = LIKE_STEPS): Set<PromiseNode> {
  const likes = new Set([...call.awaitingCall?.elements.map(sourceOf) ?? [], ...[...call.task?.group?.recentTasks ?? []].map(({ work }) => work)]);
  const place = callFrameOf(call)?.place;
  const fn = functionKeyOf(call);
  // Of code that is in no running function of the program's, nothing else remembers what it called.
  if (isAtTop(call)) for (const like of call.family?.separable() ?? []) likes.add(like);
  const owners = call.owner && place && steps > 0 ? likesOf(call.owner, steps - 1) : [];
  for (const owner of owners) {
    if (likes.size > MAX_LIKES) break;
    // A function that calls itself: who called is like who was called.
    if (fn !== '' && functionKeyOf(owner) === fn) likes.add(owner);
    for (const node of place ? callsAt(owner, place) : []) likes.add(node);
  }
  return likes.add(call);
}

/** The running function around the tasks of which a call is a part; where it is part of none, the one that made it. */
export function homeOf(call: PromiseNode): PromiseNode | undefined {
  let home = call.owner;
  let group: GroupDraft | undefined;
  isInside(call.owner, (at) => {
    const drawn = at.task?.group ?? at.awaitingCall?.series?.draft ?? at.awaitingCall?.pool?.draft;
    if (group && drawn !== group) return true;
    if (!drawn) return false;
    group = drawn;
    home = at.awaitingCall?.node.owner ?? at.owner;
    return false;
  });
  return home;
}
