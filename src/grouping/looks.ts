/** When to look again at all of many: how often grows with how many they are, so that a look costs each event little. */

/** How many may be looked at for each event. */
const MANY_A_LOOK = 64;

export class Looks {
  private sinceLook = 0;

  /** One more event. @param many how many a look goes through @returns whether to look now */
  isDue(many: number): boolean {
    this.sinceLook++;
    if (this.sinceLook * MANY_A_LOOK < many) return false;
    this.sinceLook = 0;
    return true;
  }
}
