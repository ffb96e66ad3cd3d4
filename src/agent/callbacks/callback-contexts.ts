/** In whose callback the program is: told by what Node knows the callback by, which it hands on from stream to stream, and from tick to tick. */
import asyncHooks from 'node:async_hooks';
import type { Put } from './callback-put';
import { MAIN } from '../promises/runs';

const { executionAsyncId, executionAsyncResource, triggerAsyncId } = asyncHooks;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Of what is pending, that whose number was not asked for yet. */
const MAX_UNNUMBERED = 256;

export class CallbackContexts {
  private readonly byResource = new WeakMap<object, Put>();
  private readonly unnumbered: Put[] = [];
  private readonly byId = new Map<number, Put>();
  /** What waits for a stream to be through, for the callback of which Node has no number. */
  private readonly streams = new Set<Put>();
  /** What all timers are made of. */
  timerPrototype: object | undefined;

  /** In whose callback the program is, as far as the resource tells. */
  current(): Put | undefined {
    const resource = executionAsyncResource();
    return this.byResource.get(resource) ?? this.ofHandedOn(resource);
  }

  /** In whose callback the program is; `isTick` where it is in what that has put off. */
  context(): { readonly from: Put | undefined; readonly isTick: boolean } {
    const from = this.current();
    if (from || executionAsyncId() <= MAIN || getPrototypeOf(executionAsyncResource()) === this.timerPrototype) return { from, isTick: false };
    // What a callback puts off to the end of the current operation knows it by its number only.
    for (const put of this.unnumbered.splice(0)) {
      this.byId.delete(put.id);
      put.id = put.wait.id();
      if (!put.isOfRound && !put.family.pending.has(put)) continue;
      if (put.id === 0) this.streams.add(put); else this.byId.set(put.id, put);
    }
    return { from: this.byId.get(triggerAsyncId()) ?? this.throughAlone(), isTick: true };
  }

  /** What runs next for the same callback. */
  continue(put: Put, resource: object): void {
    this.byResource.set(resource, put);
    this.unnumbered.push(put);
  }

  forget(put: Put): void {
    this.byId.delete(put.id);
    this.streams.delete(put);
  }

  /** Forgets what is over. */
  flush(): void {
    this.unnumbered.splice(0, this.unnumbered.length - MAX_UNNUMBERED);
    for (const [id, put] of this.byId) if (put.isThrough) this.byId.delete(id);
    for (const put of this.streams) if (put.isThrough) this.streams.delete(put);
  }

  /** Where one stream alone is through, and nothing has come of that yet: it is what has put off what runs. */
  private throughAlone(): Put | undefined {
    let found: Put | undefined;
    for (const put of this.streams) {
      if (put.isThrough || !put.isOver || put.steps.size > 0) continue;
      if (found) return undefined;
      found = put;
    }
    return found;
  }

  /** The callback of a request that Node hands on from stream to stream, and from tick to tick. */
  private ofHandedOn(resource: object): Put | undefined {
    const request = valueOf(resource, 'req');
    if (request) return this.byResource.get(request);
    const args = valueOf(resource, 'args');
    if (!Array.isArray(args)) return undefined;
    for (const arg of args as unknown[]) {
      if (typeof arg !== 'object' || arg === null) continue;
      const put = this.byResource.get(arg) ?? this.byResource.get(valueOf(arg, 'req') ?? arg);
      if (put) return put;
    }
    return undefined;
  }
}

/** @returns what is kept under the key, where that is an object, without a call of a getter */
function valueOf(holder: object, key: string): object | undefined {
  const value: unknown = getOwnPropertyDescriptor(holder, key)?.value;
  return typeof value === 'object' && value !== null ? value : undefined;
}
