/** Promises by their numbers, which count up as they are made: in pages, of which those long past take no room. */
import { PromiseNode } from './promise-node';

const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;

/** `null` where the promise was known and is forgotten. */
interface Page { readonly nodes: (PromiseNode | null | undefined)[]; forgotten: number }

/** Stands for every page of which all is forgotten. */
const PAST: Page = { nodes: new Array<null>(PAGE).fill(null), forgotten: PAGE };

export class PromiseTable {
  private readonly pages: (Page | undefined)[] = [];

  /** @returns undefined where nothing is known of it, yet or any more */
  find(id: number): PromiseNode | undefined { return this.pages[id >>> PAGE_BITS]?.nodes[id & (PAGE - 1)] ?? undefined; }

  /**
   * A promise may be named before it is told of: then it is known by its number until more comes.
   * @returns undefined where it is forgotten
   */
  take(id: number): PromiseNode | undefined {
    const page = (this.pages[id >>> PAGE_BITS] ??= { nodes: new Array<undefined>(PAGE), forgotten: 0 });
    const at = id & (PAGE - 1);
    const node = page.nodes[at];
    if (node !== undefined) return node ?? undefined;
    return (page.nodes[at] = new PromiseNode(id));
  }

  /** From here on nothing is known of it. */
  forget(id: number): void {
    const index = id >>> PAGE_BITS;
    const page = this.pages[index];
    if (!page || page.nodes[id & (PAGE - 1)] === null) return;
    page.nodes[id & (PAGE - 1)] = null;
    if (++page.forgotten === PAGE) this.pages[index] = PAST;
  }
}
