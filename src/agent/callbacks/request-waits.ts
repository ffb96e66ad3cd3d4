/**
 * Hears of requests that wait for a callback: of `fs`, `dns` and `crypto`, of zlib's that are no streams, and of `http`.
 *
 * Node gives each of its own requests the callback as a property, of which an accessor on what all of them inherit from hears; what
 * looks it up again is about to call it. Nobody is called in between, so no stack and no order changes. A program sees none of
 * these objects but through `async_hooks`. Zlib's are heard of by the handle's `onerror`, `http`'s where Node announces them, and
 * that these are through, once a pool was told, by asking now and then.
 */
import diagnostics from 'node:diagnostics_channel';
import nodeModule from 'node:module';
import type { CallbackPools } from './callback-pools';
import type { Put, Wait } from './callback-put';
import { hiddenObject } from '../hidden';
import type { Guard } from '../hooks';
import { putAccessor, putValue } from '../intrinsics';

const { apply } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Requests of Node's that stand for a call of the program's; of `net`, there is one for each write. */
const REQUESTS: ReadonlySet<string> = new Set(['FSReqCallback', 'GetAddrInfoReqWrap', 'GetNameInfoReqWrap', 'QueryReqWrap']);
/** A piece of what a task does with a file. */
const PIECE = /^(?:read|write|readv|writev|close|fstat|ftruncate|fsync|fdatasync) node:fs$/;
const ZLIB = 'asyncBufferWrapper node:zlib';
/** What `http` and `net` ask for the program's request is a part of that one. */
const NETWORK = /node:(?:net|_http_)/;
/** Milliseconds: how often a stream is asked whether it is through. */
const ASK_MS = 2;

/** Before, an accessor on what all streams inherit from hears of a property that only requests of `http` are made with. */
const isHttpAnnounced = Number(process.versions.node.split('.')[0]) >= 22;
const HTTP_ONLY = 'upgradeOrConnect';

class RequestWait implements Wait {
  readonly isRequest = true;
  /** Those of Node's that are under way: one after the other, for one of the program's. */
  private open = 1;
  private called: number | undefined;

  constructor(private request: WeakRef<object>, private readonly idOf: (request: object) => number) {}

  get isOver(): boolean { return this.open === 0; }
  get endedAt(): number | undefined { return this.isOver ? this.called : undefined; }
  isCalledOff(): boolean { return false; }
  id(): number {
    const request = this.request.deref();
    return request ? this.idOf(request) : 0;
  }
  due(): undefined { return undefined; }

  goesOnWith(request: object): void { this.request = new WeakRef(request); this.open++; }
  isCalled(time: number): void { this.called = time; this.open--; }
}

class StreamWait implements Wait {
  readonly isRequest = true;
  readonly endedAt = undefined;

  constructor(private readonly stream: WeakRef<object>, private readonly isThrough: (stream: object) => boolean) {}

  get isOver(): boolean { const stream = this.stream.deref(); return stream === undefined || this.isThrough(stream); }
  isCalledOff(): boolean { return false; }
  id(): number { return 0; }
  due(now: number): number { return now + ASK_MS; }
}

/** A callback that a request waits to call. */
interface Heard { readonly callback: unknown; readonly put: Put; readonly wait: RequestWait }

export class RequestWaits {
  private readonly heard = new WeakMap<object, Heard>();
  /** Callbacks of Node's own. */
  private readonly nodes = new WeakSet();
  private readonly kinds = new WeakMap<object, boolean>();

  constructor(private readonly pools: CallbackPools, private readonly now: () => number, private readonly guard: Guard) {}

  watch(): void {
    const base = requestPrototype();
    if (base) {
      const getAsyncId: unknown = getOwnPropertyDescriptor(base, 'getAsyncId')?.value;
      const idOf = (request: object): number => (typeof getAsyncId === 'function' ? Number(apply(getAsyncId, request, [])) : 0);
      this.watchProperty(base, 'oncomplete', idOf, (request) => this.isKnown(request));
      this.watchProperty(base, 'ondone', idOf, () => true);
      this.watchZlib(base);
    }
    this.watchHttp();
  }

  private watchProperty(base: object, key: string, idOf: (request: object) => number, isMeant: (request: object) => boolean): void {
    if (getOwnPropertyDescriptor(base, key)) return;
    const begins = (request: object, callback: unknown): boolean => {
      try { return isMeant(request) && this.begins(request, callback, idOf, set); } catch { this.guard.failures++; return false; }
    };
    const called = (request: object): unknown => {
      const heard = this.heard.get(request);
      // The agent itself asks too.
      if (!heard || this.guard.busy) return heard?.callback;
      this.heard.delete(request);
      putValue(request, key, heard.callback);
      try {
        heard.wait.isCalled(this.now());
        this.pools.called(heard.put);
      } catch { this.guard.failures++; }
      return heard.callback;
    };
    function set(this: object, value: unknown): void { if (!begins(this, value)) putValue(this, key, value); }
    putAccessor(base, key, { get() { return called(this); }, set });
  }

  private isKnown(request: object): boolean {
    const prototype = getPrototypeOf(request) as object;
    let isKnown = this.kinds.get(prototype);
    if (isKnown === undefined) {
      const maker: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
      this.kinds.set(prototype, (isKnown = typeof maker === 'function' && REQUESTS.has(maker.name)));
    }
    return isKnown;
  }

  /** @returns whether its callback is kept for it */
  private begins(request: object, callback: unknown, idOf: (request: object) => number, above: (...args: never[]) => unknown): boolean {
    const { pools } = this;
    if (typeof callback !== 'function' || pools.isOthersWork || pools.isLibrarys) return false;
    const isNodes = this.nodes.has(callback);
    const from = pools.contexts.current();
    if (isNodes && !from) return false;
    const call = isNodes ? undefined : pools.lookAtRequest(above);
    if (!isNodes && !call) return false;
    if (!call || call.frames.length === 0) {
      if (call?.through.every((place) => place.includes(' node:')) === true) this.nodes.add(callback);
      if (!from || !(from.wait instanceof RequestWait) || from.isThrough) return false;
      from.wait.goesOnWith(request);
      pools.contexts.continue(from, request);
      this.heard.set(request, { callback, put: from, wait: from.wait });
      return true;
    }
    if (call.through.some((place) => NETWORK.test(place))) return false;
    const wait = new RequestWait(new WeakRef(request), idOf);
    const put = pools.begins(request, wait, call, !call.through.some((place) => PIECE.test(place)));
    if (put) this.heard.set(request, { callback, put, wait });
    return put !== undefined;
  }

  private watchZlib(base: object): void {
    const begins = (handle: object): void => {
      try {
        const { pools } = this;
        if (pools.isOthersWork || pools.isLibrarys) return;
        const call = pools.lookAtRequest(set);
        const stream = hiddenObject(handle, 'owner_symbol');
        if (!stream || !call?.through.includes(ZLIB)) return;
        pools.begins(stream, new StreamWait(new WeakRef(stream), isClosed), call, true);
      } catch { this.guard.failures++; }
    };
    function set(this: object, value: unknown): void {
      putValue(this, 'onerror', value);
      begins(this);
    }
    if (!getOwnPropertyDescriptor(base, 'onerror')) putAccessor(base, 'onerror', { set });
  }

  private watchHttp(): void {
    const sent = (request: unknown, above: (...args: never[]) => unknown): void => {
      try { if (typeof request === 'object' && request !== null) this.sent(request, above); } catch { this.guard.failures++; }
    };
    if (isHttpAnnounced) {
      diagnostics.subscribe('http.client.request.created', function created(message) { sent((message as Partial<{ request: unknown }> | null | undefined)?.request, created); });
      return;
    }
    const base = nodeModule.createRequire(__filename)('node:stream') as { readonly prototype: object };
    function set(this: object, value: unknown): void {
      putValue(this, HTTP_ONLY, value);
      sent(this, set);
    }
    putAccessor(base.prototype, HTTP_ONLY, { set });
  }

  private sent(request: object, above: (...args: never[]) => unknown): void {
    const { pools } = this;
    if (pools.isOthersWork || pools.isLibrarys) return;
    const call = pools.lookAtRequest(above);
    if (call) pools.begins(request, new StreamWait(new WeakRef(request), isAnswered), call, true);
  }
}

/** Whether zlib is through with it: it has closed the handle. */
const isClosed = (stream: object): boolean => valueOf(stream, '_handle') === null;

/** Whether all of the answer is there, or none will come. */
function isAnswered(request: object): boolean {
  const answer = valueOf(request, 'res');
  return valueOf(request, 'destroyed') === true || (typeof answer === 'object' && answer !== null && valueOf(answer, 'complete') === true);
}

const valueOf = (holder: object, key: string): unknown => getOwnPropertyDescriptor(holder, key)?.value as unknown;

/** What all requests of Node's inherit from; undefined where to ask for it would be seen: once asking for it is announced as deprecated. */
function requestPrototype(): object | undefined {
  const { binding } = process as { binding?: unknown };
  if (typeof binding !== 'function' || getPrototypeOf(binding) !== Function.prototype) return undefined;
  let made: unknown;
  try { made = (apply(binding, process, ['fs']) as { FSReqCallback?: unknown }).FSReqCallback; } catch { return undefined; }
  const prototype: unknown = typeof made === 'function' ? made.prototype : undefined;
  const base: unknown = typeof prototype === 'object' && prototype !== null ? getPrototypeOf(prototype) : undefined;
  return typeof base === 'object' && base !== null && base !== Object.prototype ? base : undefined;
}
