const FEWEST = 16;

/**
 * First in, first out, without moving what waits: a ring, which grows to as many as ever waited at once. What has left it is
 * forgotten at once, and no array is outgrown again and again: V8's young generation keeps whatever an old array names, be that array
 * dead itself.
 */
export class Queue<T> {
  private items: (T | undefined)[] = new Array<undefined>(FEWEST).fill(undefined);
  private head = 0;
  private count = 0;

  get length(): number { return this.count; }

  push(item: T): void {
    if (this.count === this.items.length) this.grow();
    this.items[(this.head + this.count++) & (this.items.length - 1)] = item;
  }

  /** What `shift` would give; undefined where nothing waits. */
  get first(): T | undefined { return this.items[this.head]; }

  /** @throws RangeError where nothing waits */
  shift(): T {
    if (this.count === 0) throw new RangeError('the queue is empty');
    const item = this.items[this.head] as T;
    this.items[this.head] = undefined;
    this.head = (this.head + 1) & (this.items.length - 1);
    this.count--;
    return item;
  }

  private grow(): void {
    const { head, items } = this;
    this.items = [...items.slice(head), ...items.slice(0, head), ...new Array<undefined>(items.length).fill(undefined)];
    this.head = 0;
  }
}
