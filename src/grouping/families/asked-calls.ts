/**
 * What the program asks of others than its own functions: of Node, of a library, or of something that it awaits and that is no promise. Libraries make
 * promises of their own on the way to what they give, so what a running function takes tells which one is the call.
 */
import type { Family } from './family';
import { apiCallOf, libraryCallOf, type ApiCall } from '../promises/api-calls';
import { userFrame, type Stack } from '../promises/places';
import { isIteratorStep, isThenable, isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';
import { headOf, isBehind } from '../promises/chain-links';
import { isWithin } from '../promises/scopes';

/** What has to do with all families. */
interface Placing {
  /** Whether a library tells of its tasks by itself. */
  tellsOf(library: string): boolean;
  /** The latest call that was placed in one. */
  latest(): PromiseNode | undefined;
  /** Whether a function is async, by its key. */
  isAsync(fn: string): boolean;
  /** The family of calls like one. */
  familyFor(node: PromiseNode, call: ApiCall): Family;
  join(node: PromiseNode, family: Family): void;
  /** A call is over with a link of the chain that it is the head of, which came later than its own end. @param before the link that it was known to be over with so far */
  goesOnUntil(link: PromiseNode, head: PromiseNode, before: PromiseNode | undefined): void;
  /** Its calls are no tasks. */
  giveUp(family: Family): void;
  /** Places a call of the program's. */
  add(node: PromiseNode): void;
}

interface Asked { readonly node: PromiseNode; readonly call: ApiCall }

export class AskedCalls {
  /** What was asked of a library last. */
  private latest: Asked | undefined;
  /** By stack, and the function that ran, what was found to be a library's call: a million promises are made at few stacks. */
  private readonly calls = new WeakMap<Stack, { readonly by: string | undefined; readonly call: ApiCall | undefined }>();
  /** The first promise that a library made in the run of code that went on when it did, for the function that called it. */
  private begun: PromiseNode | undefined;

  /** Families of which it is known that a call gives what it has made behind another promise. */
  private readonly givesLater = new WeakSet<Family>();

  constructor(private readonly placing: Placing) {}

  /** @param node no call of the program's own functions @returns undefined where it is none of what is told as soon as it is made, or some inner one */
  familyOf(node: PromiseNode): Family | undefined {
    this.noteBegun(node);
    // What a call of an API calls itself is its inner business.
    if (isUserCall(node) || isIteratorStep(node) || node.consumed || (node.owner && !isUserCall(node.owner) && userFrame(node.owner.stack))) return undefined;
    const call = apiCallOf(node);
    if (!call || (call.isWrapped && this.placing.isAsync(call.key))) return undefined;
    const latest = this.placing.latest();
    // What a call makes beside the first promise, which is the one it gives, is its inner business as well.
    if (latest?.family?.isOfPlace && latest.tick === node.tick && userFrame(latest.stack) === call.frame) {
      node.partOf = latest;
      return undefined;
    }
    const family = this.placing.familyFor(node, call);
    if (family.isOfPlace || family.api?.made === call.made) return family;
    const before = family.latest?.tick === node.tick ? family.latest : undefined;
    // `sleep(50, undefined, { signal })`: what it made first it has taken itself, and gives what it makes of that. So the first call tells.
    if (before?.consumed && family.callCount === 1 && !this.givesLater.has(family) && userFrame(before.stack) === call.frame) {
      this.givesLater.add(family);
      node.made = before.made;
      this.replace(before, node);
      family.api = call;
      return family;
    }
    node.partOf = before;
    return undefined;
  }

  /** `await execa('make')`: what a library gives that is no promise may be at work before it is awaited, from when on its function was called. */
  private noteBegun(node: PromiseNode): void {
    const { begun } = this;
    const isBegun = begun !== undefined && begun.tick === node.tick && begun.owner === node.owner;
    if (isThenable(node) && isBegun) node.made = begun.made;
    else if (!isBegun && isOfLibrary(node) && !isOfLibrary(node.owner)) this.begun = node;
  }

  /** What is awaited was resolved with a promise that is work itself, as one of bluebird's: then it is no call beside that. */
  adopted(node: PromiseNode): void {
    const { family, inner } = node;
    if (!family || !inner || !(inner.family || inner.combinator || isUserCall(inner))) return;
    family.takeOut([node]);
    node.family = undefined;
  }

  /**
   * A running function takes what a library's function gave that it had called: of several promises of one call, as a library that goes on behind one of its
   * own may make it look, the last is what is waited for.
   */
  awaited(node: PromiseNode): void {
    const call = node.settledAtOnce ? undefined : this.callOf(node);
    if (!call) return;
    const { latest } = this;
    if (latest && isSameCall(latest, node, call)) {
      // `await client.get(id).json()`
      node.made = Math.min(node.made, latest.node.made);
      this.replace(latest.node, node);
    }
    this.latest = { node, call };
    this.placing.join(node, this.placing.familyFor(node, call));
  }

  /** Of two promises of one call the later one is what it gives. */
  private replace(before: PromiseNode, node: PromiseNode): void {
    before.family?.takeOut([before]);
    before.family = undefined;
    before.partOf = node;
  }

  /**
   * `get(id) { return Promise.resolve(id).then(send) }`: a running function takes a link of a chain that a library began with what was there already: the call is
   * that link, and what hangs on it.
   */
  linked(link: PromiseNode): void {
    const head = headOf(link);
    if (!head.settledAtOnce || !isOfLibrary(head) || !link.isPending || link.awaitedBy !== head.owner || head.isShared) return;
    const before = head.chainEnd;
    const call = this.callOf(head);
    if (!call && !(head.family && before && isBehind(link, before))) return;
    head.chainEnd = link;
    if (call) this.placing.join(head, this.placing.familyFor(head, call));
    this.placing.goesOnUntil(link, head, before);
  }

  /** @returns undefined where it is no call of a library's, is placed already, or is told by the library itself or by what that has called */
  private callOf(node: PromiseNode): ApiCall | undefined {
    const call = node.family || node.partOf || isOfLibrary(node.owner) ? undefined : this.knownCallOf(node);
    return call && !(call.library !== undefined && this.placing.tellsOf(call.library)) && !this.hasCalled(node, call) ? call : undefined;
  }

  private knownCallOf(node: PromiseNode): ApiCall | undefined {
    const { stack, owner } = node;
    if (!stack) return undefined;
    const by = userFrame(owner?.stack)?.place.fn;
    let known = this.calls.get(stack);
    if (!known || known.by !== by) this.calls.set(stack, (known = { by, call: libraryCallOf(node) }));
    return known.call;
  }

  /** Whether a library has called the program's own function, in what a running function asked it for: that is the work. */
  private hasCalled(node: PromiseNode, { frame }: ApiCall): boolean {
    const latest = this.placing.latest();
    if (latest?.tick !== node.tick || isOfLibrary(latest)) return false;
    return isWithin(latest.owner, node) || (latest.owner === node.owner && userFrame(latest.stack) !== frame && runsOn(latest.stack, frame));
  }

  /**
   * Whether a call of the program's is what something was asked for that has a family: a query may make one by the way, and a library make one at a time for
   * whoever asks, as in `await retry(() => load(id))`. One that makes more is a pool, or a loop, itself.
   */
  isInnerOf(asked: PromiseNode, node: PromiseNode): boolean {
    if (isThenable(asked)) return true;
    const before = asked.inside;
    if (before === node || !asked.family) return false;
    asked.inside = node;
    // Another try, of what had failed.
    if (!before || before.rejected) return true;
    this.placing.giveUp(asked.family);
    this.placing.add(before);
    return false;
  }
}

const isOfLibrary = (node: PromiseNode | undefined): boolean => node !== undefined && libraryMaking(node) !== undefined;

/** Whether code runs on top of a frame. */
function runsOn(stack: Stack | undefined, frame: Stack): boolean {
  for (let at = stack; at && !at.awaits; at = at.callers) if (at.place === frame.place) return true;
  return false;
}

/** Whether a promise is of the same call as the one before, which is not what is waited for; calls of one place, in one go, make theirs at the same place. */
const isSameCall = ({ node: before, call: { frame, made } }: Asked, { tick, owner }: PromiseNode, call: ApiCall): boolean =>
  before.tick === tick && before.owner === owner && frame.place.line === call.frame.place.line && frame.place.fn === call.frame.place.fn && made !== call.made;
