/** Which rows belong to which group, in the order in which they came into it: one column of links for all groups. */

/** The rows of one group. */
export interface RowChain {
  /** Row + 1; 0 where there is none. */
  first: number;
  last: number;
}

export class RowChains {
  /** Of each row the next of its group, + 1; 0 at the end. */
  private next = new Uint32Array(1024);

  /** Puts a row, which is in no chain, at the end of one. */
  append(chain: RowChain, row: number): void {
    if (row >= this.next.length) {
      const grown = new Uint32Array(Math.max(row + 1, this.next.length * 2));
      grown.set(this.next);
      this.next = grown;
    }
    this.next[row] = 0;
    if (chain.last > 0) this.next[chain.last - 1] = row + 1;
    else chain.first = row + 1;
    chain.last = row + 1;
  }

  /** Takes a row out. O(n) */
  remove(chain: RowChain, row: number): void {
    let before = 0;
    for (let at = chain.first; at > 0; before = at, at = this.next[at - 1]) {
      if (at !== row + 1) continue;
      if (before > 0) this.next[before - 1] = this.next[row];
      else chain.first = this.next[row];
      if (chain.last === at) chain.last = before;
      return;
    }
  }

  rows(chain: RowChain): number[] {
    const rows: number[] = [];
    for (let at = chain.first; at > 0; at = this.next[at - 1]) rows.push(at - 1);
    return rows;
  }
}
