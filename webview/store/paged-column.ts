/** A column of 32 bits by task id that takes memory only where something was written: page by page, with no slack to speak of. */
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;

export class PagedColumn<A extends Uint32Array | Float32Array> {
  private readonly pages: (A | undefined)[] = [];

  constructor(private readonly makePage: (length: number) => A) {}

  /** 0 where nothing was written. */
  get(id: number): number { return this.pages[id >>> PAGE_BITS]?.[id & (PAGE - 1)] ?? 0; }

  set(id: number, value: number): void {
    const number = id >>> PAGE_BITS;
    const page = this.pages[number];
    if (page) page[id & (PAGE - 1)] = value;
    // Most tasks have neither chunk nor wait: their pages are never made.
    else if (value !== 0) (this.pages[number] = this.makePage(PAGE))[id & (PAGE - 1)] = value;
  }
}
