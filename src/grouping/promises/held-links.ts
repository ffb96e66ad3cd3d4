/**
 * Links that go on with a chain, and were told of only for where `then` was called. The agent tells of other such links once something comes of them, and most of
 * these nothing ever comes of: until then they are kept aside, with what became of them.
 */

/** As the facts of these names tell. */
export interface HeldLink {
  readonly id: number;
  readonly parent: number;
  readonly owner: number;
  readonly time: number;
  /** When it settled: NaN while it has not. */
  settled: number;
  rejected: { readonly kind: number; readonly words: number } | undefined;
}

/** Of more, the oldest are forgotten. */
const MAX_HELD = 1 << 15;

export class HeldLinks {
  private readonly links = new Map<number, HeldLink>();

  keep(id: number, parent: number, owner: number, time: number): void {
    this.links.set(id, { id, parent, owner, time, settled: NaN, rejected: undefined });
    if (this.links.size <= MAX_HELD) return;
    for (const oldest of this.links.keys()) { this.links.delete(oldest); return; }
  }

  /** @returns undefined where it is none of them */
  find(id: number): HeldLink | undefined { return this.links.size === 0 ? undefined : this.links.get(id); }

  /** Something comes of a link: it is kept no longer. */
  release(id: number): HeldLink | undefined {
    const link = this.find(id);
    if (link) this.links.delete(id);
    return link;
  }
}
