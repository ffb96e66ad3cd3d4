/** First in, first out, without moving what waits. */
export class Queue<T> {
  private items: T[] = [];
  private head = 0;

  get length(): number { return this.items.length - this.head; }

  push(item: T): void { this.items.push(item); }

  /** What `shift` would give; undefined where nothing waits. */
  get first(): T | undefined { return this.length > 0 ? this.items[this.head] : undefined; }

  /** @throws RangeError where nothing waits */
  shift(): T {
    if (this.length === 0) throw new RangeError('the queue is empty');
    const item = this.items[this.head++];
    if (this.head >= 1024 && this.head * 2 >= this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}
