/** Names of tasks by id. Most are the index of an item: those take four bytes. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

export class Labels {
  private readonly texts = new Map<number, string>();
  /** Index + 1 by task id; 0 where there is none. */
  private indices = new Uint32Array(0);
  private highest = 0;

  set(id: number, label: string): void {
    this.highest = Math.max(this.highest, id);
    if (!INDEX.test(label)) {
      this.texts.set(id, label);
      return;
    }
    this.texts.delete(id);
    if (id >= this.indices.length) {
      const grown = new Uint32Array(Math.max(id + 1, this.indices.length * 2));
      grown.set(this.indices);
      this.indices = grown;
    }
    this.indices[id] = Number(label) + 1;
  }

  get(id: number): string | undefined {
    const index = this.indices[id] ?? 0;
    return this.texts.get(id) ?? (index > 0 ? String(index - 1) : undefined);
  }

  /** Ids of the tasks that have one. */
  *ids(): Iterable<number> {
    for (let id = 1; id <= this.highest; id++) if (this.get(id) !== undefined) yield id;
  }
}
