/**
 * How promises settled. V8's hooks do not say, so a reaction of our own is put on a promise that has settled, and only on
 * one that somebody else handles for certain, as a reaction of his has begun to run: one that nobody handles must end the program as
 * it would have without us, and who handles it is in part a guess until then.
 */
import { Fact } from '../../model/facts';
import { kindIn, kindOf, wordsIn, wordsOf, type ErrorWords } from './error-words';
import type { FactWriter } from '../fact-writer';
import { inspect } from '../node-util';

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isExtensible } = Object;
const NativePromise = Promise;
const promisePrototype = Promise.prototype;
const uncurry = <T, A extends unknown[], R>(method: (this: T, ...args: A) => R): ((self: T, ...args: A) => R) =>
  Function.prototype.call.bind(method) as (self: T, ...args: A) => R;
const then = uncurry(promisePrototype.then as (this: Promise<unknown>, ok: () => void, bad: (reason: unknown) => void) => Promise<void>);

const speciesOfPromise = getOwnPropertyDescriptor(NativePromise, Symbol.species)?.get;

/** Whether a reaction on a plain promise runs none of the program's code: `then` asks for its constructor, and that for its species. */
const asksNobody = (): boolean =>
  getOwnPropertyDescriptor(promisePrototype, 'constructor')?.value === NativePromise
  && getOwnPropertyDescriptor(NativePromise, Symbol.species)?.get === speciesOfPromise;

const BRIEFLY = { depth: 0, customInspect: false, breakLength: Infinity, maxStringLength: 0, maxArrayLength: 0 } as const;

/** Promises asked at once; until then they are held with all they hold, so it is also what we may keep alive. */
const BATCH = 32;
/** Elements that may settle between the one that rejects and the answer of their `Promise.all`: a few rounds of microtasks. */
const RECENT = 1024;

export class Outcomes {
  /**
   * The latest elements that settled of any `Promise.all` whose outcome is not known. None of them has rejected unless their
   * `Promise.all` does, and that is a microtask later: what has fallen out of the ring by then was fulfilled.
   */
  private readonly recent: (Promise<unknown> | undefined)[] = new Array<Promise<unknown> | undefined>(RECENT);
  private readonly recentIds = new Uint32Array(RECENT);
  private readonly recentCalls = new Uint32Array(RECENT);
  /** How many there were in all; up to where they were let go of; and how many when it was last asked. */
  private recentCount = 0;
  private recentForgotten = 0;
  private recentWhenAsked = 0;
  /** How many of them are held. */
  private held = 0;
  private readonly rejectedCalls = new Set<number>();
  /** Those that are to be asked. */
  private readonly ids: number[] = [];
  private readonly promises: Promise<unknown>[] = [];
  /** How many there have to be for the next try: what nobody is known to handle yet waits. */
  private full = BATCH;
  /** Ids asked and not yet answered: reactions come in the order in which they were put on. */
  private asked: number[] = [];
  private answered = 0;
  private ends = false;

  /**
   * @param isCall whether a promise is a call of `Promise.all`
   * @param isHandled whether somebody handles a promise for certain
   */
  constructor(
    private readonly writer: FactWriter,
    private readonly quietly: (work: () => void) => void,
    private readonly isCall: (id: number) => boolean,
    private readonly isHandled: (id: number) => boolean,
    private readonly words: ErrorWords,
  ) {}

  /** @param promise settled, and consumed by somebody else */
  add(id: number, promise: Promise<unknown>): void {
    if (this.ends) { this.look(id, promise); return; }
    this.ids.push(id);
    this.promises.push(promise);
    if (this.promises.length >= this.full) this.ask();
  }

  /** Asks a call of a combinator at once: its elements are held until it answers. @param promise as for `add` */
  addCall(id: number, promise: Promise<unknown>): void {
    this.add(id, promise);
    this.ask();
  }

  /** @param element has settled @param call the `Promise.all` it is an element of */
  addElement(call: number, id: number, element: Promise<unknown>): void {
    if (this.rejectedCalls.size > 0 && this.rejectedCalls.has(call)) { this.add(id, element); return; }
    const at = this.recentCount++ % RECENT;
    if (this.recent[at] === undefined) this.held++;
    this.recent[at] = element;
    this.recentIds[at] = id;
    this.recentCalls[at] = call;
  }

  /** Puts a reaction on all that have come in and that somebody handles; the answers come with the next microtasks. */
  ask(): void {
    const { ids, promises } = this;
    if (promises.length === 0) return;
    this.quietly(() => {
      const isPlain = asksNobody();
      let waiting = 0;
      for (let i = 0; i < promises.length; i++) {
        const promise = promises[i];
        const id = ids[i];
        // A subclass has a `then` or a species of its own: asking would run the user's code. And what is frozen cannot take what Node puts on it.
        if (!isPlain || getPrototypeOf(promise) !== promisePrototype || hasOwn(promise, 'constructor') || !isExtensible(promise)) this.look(id, promise);
        else if (this.isHandled(id)) {
          this.asked.push(id);
          then(promise, this.onFulfilled, this.onRejected);
        } else {
          ids[waiting] = id;
          promises[waiting++] = promise;
        }
      }
      ids.length = promises.length = waiting;
      this.full = Math.max(BATCH, 2 * waiting);
    });
  }

  /** To be called behind `ask`, in an empty stack, now and then: who was to handle what had settled has begun to by now, or nobody does. */
  forgetUnhandled(): void {
    this.ids.length = this.promises.length = 0;
    this.full = BATCH;
  }

  /**
   * To be called before `ask`, in an empty stack, now and then: lets go of elements that had settled the time before the last.
   * Had one rejected, its `Promise.all` has too, was asked the last time, and has answered since.
   */
  forgetElements(): void {
    for (let n = this.firstRecent(); n < this.recentWhenAsked; n++) this.letGo(n % RECENT);
    this.recentForgotten = Math.max(this.recentForgotten, this.recentWhenAsked);
    this.recentWhenAsked = this.recentCount;
  }

  /** For a process that ends: no microtask will run any more. */
  lookAtAll(): void {
    this.ends = true;
    for (let i = 0; i < this.promises.length; i++) this.look(this.ids[i], this.promises[i]);
    this.ids.length = this.promises.length = 0;
  }

  /** A promise that is not V8's has settled: what it was rejected with is known. */
  rejected(id: number, reason: unknown): void { this.tellRejected(id, kindOf(reason), this.words.idOf(wordsOf(reason))); }

  private readonly onFulfilled = (): void => {
    const id = this.next();
    if (this.held > 0 && this.isCall(id)) this.takeElements(id, undefined);
  };
  private readonly onRejected = (reason: unknown): void => { this.tellRejected(this.next(), kindOf(reason), this.words.idOf(wordsOf(reason))); };

  /** @param words number of what the error says, 0 where that is not known */
  private tellRejected(id: number, kind: number, words = 0): void {
    this.writer.record(Fact.rejected, kind, id, words, 0, 0, 0, 0);
    if (!this.isCall(id)) return;
    this.rejectedCalls.add(id);
    this.takeElements(id, (element, promise) => { this.add(element, promise); });
  }

  /** Lets go of the elements of a call, latest first. */
  private takeElements(call: number, use: ((id: number, element: Promise<unknown>) => void) | undefined): void {
    for (let n = this.recentCount - 1; this.held > 0 && n >= this.firstRecent(); n--) {
      const at = n % RECENT;
      const element = this.recent[at];
      if (element === undefined || this.recentCalls[at] !== call) continue;
      this.letGo(at);
      use?.(this.recentIds[at], element);
    }
  }

  private firstRecent(): number { return Math.max(this.recentForgotten, this.recentCount - RECENT); }

  private letGo(at: number): void {
    if (this.recent[at] !== undefined) this.held--;
    this.recent[at] = undefined;
  }

  private next(): number {
    const id = this.asked[this.answered++];
    if (this.answered === this.asked.length) { this.asked = []; this.answered = 0; }
    return id;
  }

  /** Reads the state off its description; dearer, but without a microtask. */
  private look(id: number, promise: Promise<unknown>): void {
    try {
      const [, reason] = /^\w+(?: \[[^\]]*\])? \{\s*<rejected>\s+(.{0,300})/s.exec(inspect(promise, BRIEFLY)) ?? [];
      if (reason !== undefined) this.tellRejected(id, kindIn(reason), this.words.idOf(wordsIn(reason)));
    } catch { /* then it stays untold */ }
  }
}
