/**
 * How promises settled. V8's hooks do not say, so a reaction of our own is put on a promise that has settled, and only on
 * one that somebody else has consumed: one that nobody handles must crash the program as it would have without us.
 */
import util from 'node:util';
import { Fact } from '../model/facts';
import type { FactWriter } from './fact-writer';

const { inspect } = util;
const { getPrototypeOf } = Object;
const promisePrototype = Promise.prototype;
const uncurry = <T, A extends unknown[], R>(method: (this: T, ...args: A) => R): ((self: T, ...args: A) => R) =>
  Function.prototype.call.bind(method) as (self: T, ...args: A) => R;
const then = uncurry(promisePrototype.then as (this: Promise<unknown>, ok: () => void, bad: () => void) => Promise<void>);

const BRIEFLY = { depth: 0, customInspect: false, breakLength: Infinity, maxStringLength: 0, maxArrayLength: 0 } as const;

/** Promises asked at once; until then they are held, so it is also what we may keep alive. */
const BATCH = 512;

/** What one `Promise.all` was given. */
interface Held { readonly ids: number[]; readonly promises: Promise<unknown>[] }

export class Outcomes {
  /** Elements of each `Promise.all` that is pending: unless it rejects, none of them has. */
  private readonly held = new Map<number, Held>();

  private readonly ids = new Uint32Array(BATCH);
  private readonly promises: Promise<unknown>[] = [];
  /** Ids asked and not yet answered: reactions come in the order in which they were put on. */
  private asked: number[] = [];
  private answered = 0;

  /** @param onElement hears of each element of a `Promise.all` that has rejected */
  constructor(
    private readonly writer: FactWriter,
    private readonly quietly: (work: () => void) => void,
    private readonly onElement: (id: number, promise: Promise<unknown>) => void,
  ) {}

  /** @param promise settled, and consumed by somebody else */
  add(id: number, promise: Promise<unknown>): void {
    this.ids[this.promises.length] = id;
    this.promises.push(promise);
    if (this.promises.length === BATCH) this.ask();
  }

  /** @param element of a `Promise.all`, settled or not: it is asked only where that rejects */
  hold(combinator: number, id: number, element: Promise<unknown>): void {
    let held = this.held.get(combinator);
    if (!held) this.held.set(combinator, (held = { ids: [], promises: [] }));
    held.ids.push(id);
    held.promises.push(element);
  }

  /** Puts a reaction on all that have come in; the answers come with the next microtasks. */
  ask(): void {
    if (this.promises.length === 0) return;
    this.quietly(() => {
      for (let i = 0; i < this.promises.length; i++) {
        const promise = this.promises[i];
        // A subclass has a `then` or a species of its own: asking would run the user's code.
        if (getPrototypeOf(promise) !== promisePrototype || Object.hasOwn(promise, 'constructor')) { this.look(this.ids[i], promise); continue; }
        this.asked.push(this.ids[i]);
        then(promise, this.onFulfilled, this.onRejected);
      }
      this.promises.length = 0;
    });
  }

  /** For a process that ends: no microtask will run any more. */
  lookAtAll(): void {
    // Looking at one that rejected may add its elements.
    for (let i = 0; i < this.promises.length && i < BATCH; i++) this.look(this.ids[i], this.promises[i]);
    this.promises.length = 0;
  }

  private readonly onFulfilled = (): void => { this.held.delete(this.next()); };
  private readonly onRejected = (): void => { this.tellRejected(this.next()); };

  private tellRejected(id: number): void {
    this.writer.record(Fact.rejected, 0, id, 0, 0, 0, 0, 0);
    const held = this.held.get(id);
    if (!held) return;
    this.held.delete(id);
    held.ids.forEach((element, index) => { this.onElement(element, held.promises[index]); });
  }

  private next(): number {
    const id = this.asked[this.answered++];
    if (this.answered === this.asked.length) { this.asked = []; this.answered = 0; }
    return id;
  }

  /** Reads the state off its description; dearer, but without a microtask. */
  private look(id: number, promise: Promise<unknown>): void {
    try {
      if (/^\w+(?: \[[^\]]*\])? \{\s*<rejected>/.test(inspect(promise, BRIEFLY))) this.tellRejected(id);
      else this.held.delete(id);
    } catch { /* then it stays untold */ }
  }
}
