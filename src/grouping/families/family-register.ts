/** Makes the families of one thread, and moves calls from one to another where they turn out to belong together, or apart. */
import type { Chains } from './chains';
import { Family } from './family';
import type { GroupDraft } from '../drafts';
import type { LoopEntries } from '../promises/loop-entries';
import type { PromiseNode } from '../promises/promise-node';
import type { Scope } from '../promises/scopes';

export class FamilyRegister {
  /** Families that something happened to since somebody asked. */
  readonly touched = new Set<Family>();
  /** Groups that turned out to be none. */
  readonly abandoned: GroupDraft[] = [];

  /** @param chains the calls that are heads of chains, which have to know whose they are */
  constructor(private readonly thread: number, private readonly loop: LoopEntries, private readonly chains: Pick<Chains, 'moved'>) {}

  /** @param library the library's call that makes the calls @param isOfPlace true where they are of several functions, made at one place */
  make(scope: Scope, key: string, library?: PromiseNode, isOfPlace = false): Family { return new Family(this.thread, this.loop, library, scope, key, isOfPlace); }

  /** A family for what is called from now on. */
  replace(before: Family): Family {
    const { scope, key, libraryCall } = before;
    const family = this.make(scope, key, libraryCall);
    family.fedIn = before.fedIn;
    // What one place begins is known by each function that it has called there.
    for (const [known, one] of scope.families ?? []) if (one === before) scope.families?.set(known, family);
    before.continuedBy = family;
    return family;
  }

  /** A family for what is called from now on, and for calls that were made last. */
  beginAnew(before: Family, calls: readonly PromiseNode[]): Family {
    before.takeOut(calls);
    const family = this.replace(before);
    family.api = before.api;
    this.handOver(calls, family);
    this.touched.add(before);
    return family;
  }

  /** What families have called is one group's, and so is what they would be given. @param all the family of that, which has no calls yet */
  unite(families: readonly Family[], all: Family): void {
    const calls = families.flatMap((family) => family.separable() ?? []).sort((a, b) => a.made - b.made || a.id - b.id);
    for (const family of families) {
      this.giveUp(family);
      family.continuedBy = all;
    }
    this.handOver(calls, all);
  }

  /** A family's calls are going to be others'. */
  giveUp(family: Family): void {
    const draft = family.giveUp();
    if (draft) this.abandoned.push(draft);
  }

  /** Calls are another family's from now on. @param calls in the order in which they were made */
  handOver(calls: readonly PromiseNode[], family: Family): void {
    for (const call of calls) {
      call.task = call.endsTask = undefined;
      call.family = family;
      this.chains.moved(call, family);
    }
    family.takeOver(calls);
    this.touched.add(family);
  }

  /** Calls of one function that were taken for another group's are none: they are a family's again. */
  regain(calls: readonly PromiseNode[]): void {
    const before = calls.find(({ family }) => family)?.family;
    if (!before) return;
    for (const call of calls) call.isClaimed = false;
    this.handOver(calls, this.replace(before));
  }
}
