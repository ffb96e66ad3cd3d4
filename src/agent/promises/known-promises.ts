/**
 * `async_hooks` names promises by number where we need them, and whose they are. The latest are held; of older ones only
 * those that something may still become of or whose reaction is still to run, and weakly: nothing lives longer for being
 * watched than a moment.
 */
const SIZE = 1 << 12;
const MASK = SIZE - 1;
/** Of the older ones; past it those that wait longest are forgotten, and with them what becomes of them. */
const MAX_OLD = 1 << 18;

interface Old { readonly owner: number; step: number; waits: boolean; readonly promise: WeakRef<Promise<unknown>> | undefined }

export class KnownPromises {
  private readonly ids = new Float64Array(SIZE);
  private readonly owners = new Uint32Array(SIZE);
  /** Step of those that nothing else is kept of; 0 for others. */
  private readonly steps = new Uint16Array(SIZE);
  /** 1 where the promise's reaction has not run: what it belongs to is asked then. */
  private readonly waiting = new Uint8Array(SIZE);
  private readonly promises = new Array<Promise<unknown> | undefined>(SIZE).fill(undefined);
  private readonly old = new Map<number, Old>();
  private sweepAt = SIZE;

  /** @param matters whether something may still become of a promise, as `PromiseRing.matters` */
  constructor(private readonly matters: (id: number, isOld: boolean) => boolean) {}

  /** @param id ever greater @param step `Observer.madeStep` @param waits whether code runs as its reaction */
  add(id: number, owner: number, step: number, promise: Promise<unknown>, waits: boolean): void {
    const slot = id & MASK;
    const evicted = this.ids[slot];
    if (evicted !== 0 && (this.waiting[slot] === 1 || (this.steps[slot] === 0 && this.matters(evicted, true)))) this.keep(evicted, slot);
    this.ids[slot] = id;
    this.owners[slot] = owner;
    this.steps[slot] = step;
    this.promises[slot] = promise;
    this.waiting[slot] = waits ? 1 : 0;
  }

  /** Its reaction has run. */
  ran(id: number): void {
    const slot = id & MASK;
    if (this.ids[slot] === id) {
      this.waiting[slot] = 0;
      return;
    }
    const old = this.old.get(id);
    if (!old) return;
    old.waits = false;
    if (old.step !== 0 || !this.matters(id, true)) this.old.delete(id);
  }

  has(id: number): boolean { return id !== 0 && (this.ids[id & MASK] === id || this.old.has(id)); }

  /** @returns undefined for a promise that is not known */
  owner(id: number): number | undefined {
    const slot = id & MASK;
    return this.ids[slot] === id ? this.owners[slot] : this.old.get(id)?.owner;
  }

  /** @returns 0 for a promise that more is kept of than that, or that is not known */
  step(id: number): number {
    const slot = id & MASK;
    return this.ids[slot] === id ? this.steps[slot] : this.old.get(id)?.step ?? 0;
  }

  setStep(id: number, step: number): void {
    const slot = id & MASK;
    if (this.ids[slot] === id) this.steps[slot] = step;
    else {
      const old = this.old.get(id);
      if (old) old.step = step;
    }
  }

  promise(id: number): Promise<unknown> | undefined {
    const slot = id & MASK;
    return this.ids[slot] === id ? this.promises[slot] : this.old.get(id)?.promise?.deref();
  }

  /** It has settled: its reaction ran before, or there is none, as with what `await` wraps a value in. */
  settled(id: number): void {
    this.ran(id);
    this.release(id);
  }

  /** Lets go of a promise that nothing will become of any more; who owns it stays known. */
  release(id: number): void {
    const slot = id & MASK;
    if (this.ids[slot] === id && (this.steps[slot] !== 0 || !this.matters(id, false))) this.promises[slot] = undefined;
  }

  /** Nothing will become of it any more, and no code runs as its reaction. */
  forget(id: number): void {
    const slot = id & MASK;
    if (this.ids[slot] !== id) { this.old.delete(id); return; }
    this.ids[slot] = 0;
    this.promises[slot] = undefined;
  }

  private keep(id: number, slot: number): void {
    const promise = this.promises[slot];
    this.old.set(id, { owner: this.owners[slot], step: this.steps[slot], waits: this.waiting[slot] === 1, promise: promise && new WeakRef(promise) });
    if (this.old.size >= this.sweepAt) this.sweep();
  }

  private sweep(): void {
    for (const [id, { waits, step }] of this.old) if (!waits && (step !== 0 || !this.matters(id, true))) this.old.delete(id);
    let excess = this.old.size - MAX_OLD / 2;
    if (this.old.size >= MAX_OLD) for (const id of this.old.keys()) if (excess-- > 0) this.old.delete(id);
    this.sweepAt = Math.min(MAX_OLD, Math.max(SIZE, this.old.size * 2));
  }
}
