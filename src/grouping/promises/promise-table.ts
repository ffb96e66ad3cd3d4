/** Promises by their numbers, which count up as they are made: in pages, which take next to no room once they are past. */
import { PromiseNode } from './promise-node';

/** Of more it is not remembered that they were forgotten too early. */
const MAX_LOST = 1 << 17;
const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;

interface Page {
  /** Undefined while none of the page is known. */
  nodes: (PromiseNode | undefined)[] | undefined;
  known: number;
  /** One bit each for those that were known and are forgotten; undefined while there are none. */
  past: number[] | undefined;
  pastCount: number;
}

/** Stands for every page of which all is forgotten. */
const ALL_PAST: Page = { nodes: undefined, known: 0, past: new Array<number>(PAGE / 32).fill(-1), pastCount: PAGE };

export class PromiseTable {
  private readonly pages: (Page | undefined)[] = [];
  /** Those that nobody had taken when they were forgotten. */
  private readonly lost = new Set<number>();

  /** @returns undefined where nothing is known of it, yet or any more */
  find(id: number): PromiseNode | undefined { return this.pages[id >>> PAGE_BITS]?.nodes?.[id & (PAGE - 1)]; }

  /**
   * A promise may be named before it is told of: then it is known by its number until more comes.
   * @returns undefined where it is forgotten
   */
  take(id: number): PromiseNode | undefined {
    const page = (this.pages[id >>> PAGE_BITS] ??= { nodes: undefined, known: 0, past: undefined, pastCount: 0 });
    const at = id & (PAGE - 1);
    const known = page.nodes?.[at];
    if (known) return known;
    if (page.past && (page.past[at >>> 5] & (1 << (at & 31))) !== 0) return undefined;
    const node = new PromiseNode(id);
    (page.nodes ??= new Array<undefined>(PAGE))[at] = node;
    page.known++;
    return node;
  }

  /** It is about to be forgotten though somebody may yet take it. */
  lose(id: number): void { if (this.lost.size < MAX_LOST) this.lost.add(id); }

  /** Whether it was forgotten before anybody took it. */
  isLost(id: number): boolean { return this.lost.has(id); }

  /** From here on nothing is known of it. */
  forget(node: PromiseNode): void {
    const { id } = node;
    const index = id >>> PAGE_BITS;
    const at = id & (PAGE - 1);
    const page = this.pages[index];
    if (page?.nodes?.[at] !== node) return;
    page.nodes[at] = undefined;
    (page.past ??= new Array<number>(PAGE / 32).fill(0))[at >>> 5] |= 1 << (at & 31);
    if (++page.pastCount === PAGE) this.pages[index] = ALL_PAST;
    if (--page.known === 0) page.nodes = undefined;
  }
}
