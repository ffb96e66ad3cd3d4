/**
 * How promises settled. V8's hooks do not say, so a reaction of our own is put on a promise that has settled, and only on
 * one that somebody else has consumed: one that nobody handles must crash the program as it would have without us.
 */
import util from 'node:util';
import { Fact, RejectionKind } from '../model/facts';
import type { FactWriter } from './fact-writer';

const { inspect, types: { isProxy } } = util;
const { getPrototypeOf } = Object;
const promisePrototype = Promise.prototype;
const uncurry = <T, A extends unknown[], R>(method: (this: T, ...args: A) => R): ((self: T, ...args: A) => R) =>
  Function.prototype.call.bind(method) as (self: T, ...args: A) => R;
const then = uncurry(promisePrototype.then as (this: Promise<unknown>, ok: () => void, bad: (reason: unknown) => void) => Promise<void>);

const BRIEFLY = { depth: 0, customInspect: false, breakLength: Infinity, maxStringLength: 0, maxArrayLength: 0 } as const;

/** Promises asked at once; until then they are held, so it is also what we may keep alive. */
const BATCH = 512;
const RECENT = 1024;

export class Outcomes {
  /**
   * The latest elements of any `Promise.all` that settled. None of them has rejected unless their `Promise.all` does, and
   * that is a microtask later: what has fallen out of the ring by then was fulfilled.
   */
  private readonly recent: (Promise<unknown> | undefined)[] = new Array<Promise<unknown> | undefined>(RECENT);
  private readonly recentIds = new Uint32Array(RECENT);
  private readonly recentCalls = new Uint32Array(RECENT);
  private recentAt = 0;
  private readonly rejectedCalls = new Set<number>();
  private readonly ids = new Uint32Array(BATCH);
  private readonly promises: Promise<unknown>[] = [];
  /** Ids asked and not yet answered: reactions come in the order in which they were put on. */
  private asked: number[] = [];
  private answered = 0;

  /** @param isCall whether a promise is a call of `Promise.all` */
  constructor(
    private readonly writer: FactWriter,
    private readonly quietly: (work: () => void) => void,
    private readonly isCall: (id: number) => boolean,
  ) {}

  /** @param promise settled, and consumed by somebody else */
  add(id: number, promise: Promise<unknown>): void {
    this.ids[this.promises.length] = id;
    this.promises.push(promise);
    if (this.promises.length === BATCH) this.ask();
  }

  /** @param element has settled @param call the `Promise.all` it is an element of */
  addElement(call: number, id: number, element: Promise<unknown>): void {
    if (this.rejectedCalls.has(call)) { this.add(id, element); return; }
    const at = this.recentAt;
    this.recent[at] = element;
    this.recentIds[at] = id;
    this.recentCalls[at] = call;
    this.recentAt = (at + 1) % RECENT;
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

  private readonly onFulfilled = (): void => { this.next(); };
  private readonly onRejected = (reason: unknown): void => { this.tellRejected(this.next(), kindOf(reason)); };

  private tellRejected(id: number, kind: number): void {
    this.writer.record(Fact.rejected, kind, id, 0, 0, 0, 0, 0);
    if (!this.isCall(id)) return;
    this.rejectedCalls.add(id);
    for (let i = 0; i < RECENT; i++) {
      const element = this.recent[i];
      if (element === undefined || this.recentCalls[i] !== id) continue;
      this.recent[i] = undefined;
      this.add(this.recentIds[i], element);
    }
  }

  private next(): number {
    const id = this.asked[this.answered++];
    if (this.answered === this.asked.length) { this.asked = []; this.answered = 0; }
    return id;
  }

  /** Reads the state off its description; dearer, but without a microtask. */
  private look(id: number, promise: Promise<unknown>): void {
    try {
      const [, reason] = /^\w+(?: \[[^\]]*\])? \{\s*<rejected>\s+(.{0,80})/s.exec(inspect(promise, BRIEFLY)) ?? [];
      if (reason !== undefined) this.tellRejected(id, kindByName(/\w*(?:Error|Exception)\b(?! \[)/.exec(reason)?.[0] ?? ''));
    } catch { /* then it stays untold */ }
  }
}

/** Called off: as Node, the web and the better-known libraries call it. */
const ABORT = /^(?:Abort|Cancel)/;
const TIMEOUT = /time(?:d)?out/i;
const kindByName = (name: string): number => (ABORT.test(name) ? RejectionKind.aborted : TIMEOUT.test(name) ? RejectionKind.timedOut : RejectionKind.other);
const MAX_PROTOTYPES = 8;
const { getOwnPropertyDescriptor } = Object;
const exceptionName = uncurry(getOwnPropertyDescriptor(DOMException.prototype, 'name')?.get as (this: DOMException) => string);

/** By the error's name, read without running any code of the program's. */
function kindOf(reason: unknown): number {
  let at: unknown = reason;
  for (let steps = 0; typeof at === 'object' && at !== null && !isProxy(at) && steps < MAX_PROTOTYPES; steps++) {
    if (at === DOMException.prototype) return kindByName(exceptionName(reason as DOMException));
    const name: unknown = getOwnPropertyDescriptor(at, 'name')?.value;
    const made: unknown = getOwnPropertyDescriptor(at, 'constructor')?.value;
    const kind = typeof name === 'string' && name !== 'Error' ? kindByName(name) : typeof made === 'function' && !isProxy(made) ? kindByName(String(getOwnPropertyDescriptor(made, 'name')?.value)) : RejectionKind.other;
    if (kind !== RejectionKind.other) return kind;
    at = getPrototypeOf(at);
  }
  return RejectionKind.other;
}
