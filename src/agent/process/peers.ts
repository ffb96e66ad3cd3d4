/**
 * Messages between threads and processes: what this thread sends to workers and children it started, and to the one that
 * started it, and when their messages are about to be handled.
 *
 * Nobody is called in between, so no stack and no order changes. Node looks up a method on the port for each message that comes
 * or goes, and on the handle of a child's channel: there the lookup is noted. What that changes in a program, and only in
 * one that has workers or children with a channel: some properties of `MessagePort.prototype`, of `ChildProcess.prototype`
 * (`_send`) and of a handle that Node keeps to itself are accessors, `parentPort.postMessage` is a proxy, and
 * `diagnostics_channel` has a subscriber.
 */
import diagnostics from 'node:diagnostics_channel';
import workerThreads, { type Worker } from 'node:worker_threads';
import type { ChildProcess } from 'node:child_process';
import { Fact } from '../../model/facts';
import type { CallStacks } from '../stacks/call-stacks';
import type { CallbackContexts } from '../callbacks/callback-contexts';
import type { ChildPools } from '../callbacks/child-pools';
import type { FactWriter } from '../fact-writer';
import { hiddenObject } from '../hidden';
import type { Guard } from '../hooks';
import { proxyOf, putAccessor, putValue } from '../intrinsics';
import type { Observer } from '../promises/observer';

const { MessagePort, parentPort } = workerThreads;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply } = Reflect;

/** What Node calls on a port to have a message handled: looked up twice a message, once for any other event. */
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch');
const LINE_FEED = 10;
/** Who started this thread, among its peers. */
const PARENT = 0;
/** Milliseconds: whoever is answered may end this thread at once, so what led to the answer is written first, but no more often than that. */
const FLUSH_GAP_MS = 2;

/** What stands between the program's code and Node's asking for a port's `ref`, where the program has begun to listen to it. What is broadcast is nobody's in particular. */
const LISTENS = /^(?!BroadcastChannel )\S* node:(?:events|internal\/event_target|internal\/worker\/io)$/;

type Note = (self: object) => void;
interface Channel { onread?: unknown }

export class Peers {
  private peers = PARENT;
  private readonly byPort = new WeakMap<object, number>();
  /** The worker that was started, or told something, last, and in which run of code. */
  private latest = { peer: -1, tick: 0 };
  /** A port that the program has begun to use in the run of code with no worker yet. */
  private early: { readonly port: object; readonly tick: number } | undefined;
  /** Ports that are none of the program's own channels. */
  private readonly others = new WeakSet();
  private flushedAt = -Infinity;
  private lookedUp: object | undefined;
  private watchesPorts = false;
  private watchesChildren = false;

  constructor(private readonly writer: FactWriter, private readonly observer: Observer, private readonly stacks: CallStacks, private readonly guard: Guard, private readonly now: () => number, private readonly pools: ChildPools, private readonly contexts: CallbackContexts) {}

  watch(): void {
    diagnostics.subscribe('worker_threads', (message) => { this.quietly(() => { this.addWorker((message as { worker: Worker }).worker); }); });
    diagnostics.subscribe('child_process', (message) => { this.quietly(() => { this.addChild((message as { process: ChildProcess }).process); }); });
    if (parentPort) {
      this.byPort.set(parentPort, PARENT);
      this.watchPorts();
    }
    const channel = hiddenObject(process, 'kChannelHandle');
    if (channel) this.watchChannel(channel, PARENT);
  }

  private addWorker(worker: Worker): void {
    this.watchPorts();
    const port = hiddenObject(worker, 'kPublicPort');
    if (!port) return;
    const peer = this.addPeer(process.pid, worker.threadId);
    this.byPort.set(port, peer);
    this.concerns(peer);
  }

  /** A worker is started, or told something: it may be given the other end of a channel along with that. */
  private concerns(peer: number): void {
    const { tick } = this.observer;
    if (this.early?.tick === tick) this.byPort.set(this.early.port, peer);
    this.early = undefined;
    this.latest = { peer, tick };
  }

  /**
   * A port is looked at for the first time: if the program's own code listens to it, or sends by it, it is the end of a channel of its own. Whose the other
   * end is, nothing tells: in a worker it came from who started that, else it goes to the worker that is started, or told something, in the same run of code.
   */
  private meet(port: object, listens: boolean): void {
    if (this.byPort.has(port) || this.others.has(port) || !this.stacks.budget.mayLook()) return;
    this.stacks.passOver = __filename;
    const { frames, through } = this.stacks.captureCall(Peers.prototype.quietly as (...args: never[]) => unknown);
    // Node's own functions, up to the program's or a library's: builtins have no file.
    const foreign = through.findIndex((place) => !place.includes(' node:') && !place.endsWith(' '));
    if (foreign < 0 && frames.length === 0) return;
    const nodes = foreign < 0 ? through : through.slice(0, foreign);
    const isOwn = listens ? nodes.length > 0 && nodes.every((place) => LISTENS.test(place)) : nodes.length === 0;
    if (!isOwn) { if (!listens) this.others.add(port); return; }
    const { tick } = this.observer;
    if (parentPort) this.byPort.set(port, PARENT);
    else if (this.latest.tick === tick) this.byPort.set(port, this.latest.peer);
    else this.early = { port, tick };
  }

  private addChild(child: ChildProcess): void {
    this.expectChannel(child);
    this.pools.starts(child);
  }

  /** A child's channel is there once Node has given it `_send`. */
  private expectChannel(child: ChildProcess): void {
    if (this.watchesChildren) return;
    this.watchesChildren = true;
    const holder = getPrototypeOf(child) as object;
    if (getOwnPropertyDescriptor(holder, '_send')) return;
    const added = (self: object): void => {
      const channel = hiddenObject(self, 'kChannelHandle');
      if (!channel) return;
      let messages = 0;
      this.watchChannel(channel, this.addPeer((self as ChildProcess).pid ?? 0, 0), () => { if (++messages === 2) this.pools.asksAgain(self as ChildProcess); });
    };
    const quietly = (work: () => void): void => { this.quietly(work); };
    putAccessor(holder, '_send', { get: () => undefined, set(value) {
      putValue(this, '_send', value);
      quietly(() => { added(this); });
    } });
  }

  private addPeer(pid: number, threadId: number): number {
    const id = ++this.peers;
    const { stack, owner } = this.here();
    this.writer.record(Fact.peer, 0, id, pid, threadId, this.now(), this.latestRoot() || owner, stack);
    return id;
  }

  private watchPorts(): void {
    if (this.watchesPorts) return;
    this.watchesPorts = true;
    const holder = MessagePort.prototype as object;
    const post = this.noteCalls(MessagePort.prototype.postMessage, () => { this.posted(PARENT); });
    this.noteLookups(holder, 'ref', (port) => { this.meet(port, true); });
    this.noteLookups(holder, 'postMessage', (port) => {
      this.meet(port, false);
      const peer = this.byPort.get(port);
      if (peer === undefined || peer === PARENT) return;
      this.posted(peer);
      this.concerns(peer);
    }, (port) => (this.byPort.get(port) === PARENT ? post : undefined));
    this.noteLookups(holder, DISPATCH, (port) => {
      const isMessage = this.lookedUp === port;
      this.lookedUp = isMessage ? undefined : port;
      if (!isMessage) return;
      const peer = this.byPort.get(port);
      // Whoever sends by a channel of its own, each message is a run of code.
      if (peer === undefined) this.observer.beginMessage(false); else this.received(peer, false);
    });
  }

  /** @param asks a message is sent */
  private watchChannel(channel: object, peer: number, asks?: () => void): void {
    const sends = (): void => {
      asks?.();
      this.posted(peer);
    };
    for (const method of ['writeUtf8String', 'writeBuffer']) this.noteLookups(channel, method, sends);
    const { onread } = channel as Channel;
    if (typeof onread !== 'function') return;
    const came = (bytes: unknown): void => {
      this.quietly(() => { this.received(peer, true, messagesIn(bytes)); });
    };
    (channel as Channel).onread = function read(this: unknown, ...args: unknown[]): unknown {
      came(args[0]);
      return apply(onread, this, args);
    };
  }

  private posted(peer: number): void {
    const now = this.now();
    if (peer === PARENT) {
      const { origin } = this.observer;
      const put = this.observer.isReacting ? undefined : this.contexts.current();
      const { promise } = put?.origin ?? origin;
      this.observer.tell(promise);
      this.writer.record(Fact.posted, 0, peer, 0, put?.origin.tick ?? 0, now, origin.tick, promise);
      if (now - this.flushedAt < FLUSH_GAP_MS) return;
      this.flushedAt = now;
      this.writer.flush();
    } else {
      const { stack, owner } = this.here();
      this.writer.record(Fact.posted, 0, peer, stack, 0, now, this.observer.tick, this.latestRoot() || owner);
    }
  }

  /** @param isDeferred Node hands it on to the program only by `process.nextTick` @param count how many messages came */
  private received(peer: number, isDeferred: boolean, count = 1): void {
    if (count === 0) return;
    const now = this.now();
    this.observer.beginMessage(isDeferred);
    for (let n = 0; n < count; n++) this.writer.record(Fact.received, 0, peer, 0, 0, now, n === 0 ? this.observer.tick : 0, 0);
  }

  /** The promise just made: what is sent now is most likely its work. */
  private latestRoot(): number {
    const { latestRoot } = this.observer;
    this.observer.tell(latestRoot);
    return latestRoot;
  }

  private here(): { readonly stack: number; readonly owner: number } {
    this.stacks.passOver = __filename;
    const { stack, owner } = this.observer.here();
    this.observer.tell(owner);
    return { stack, owner };
  }

  /**
   * A function that is the given one, save that being called is noted: `postMessage(await work())` looks it up long before. A proxy
   * without a trap calls its target itself, on the same stack, once it has looked for a trap.
   */
  private noteCalls<F extends (...args: never[]) => unknown>(fn: F, note: () => void): F {
    const quietly = (work: () => void): void => { this.quietly(work); };
    return proxyOf(fn, { get apply() { quietly(note); return undefined; } });
  }

  /** Puts an accessor in a method's place, own or inherited, that gives the method, or what stands for it, and notes who asks. */
  private noteLookups(holder: object, key: PropertyKey, note: Note, standIn?: (self: object) => object | undefined): void {
    const method: unknown = Reflect.get(holder, key);
    if (typeof method !== 'function') return;
    const quietly = (work: () => void): void => { this.quietly(work); };
    const enumerable = getOwnPropertyDescriptor(holder, key)?.enumerable ?? false;
    putAccessor(holder, key, {
      enumerable,
      get() { quietly(() => { note(this); }); return standIn?.(this) ?? method; },
      set(value) { putValue(this, key, value); },
    });
  }

  private quietly(work: () => void): void { try { work(); } catch { this.guard.failures++; } }
}

/** Messages in what a child's channel brought: lines of JSON, or, with advanced serialization, one at least. */
function messagesIn(bytes: unknown): number {
  if (!(bytes instanceof ArrayBuffer)) return 0;
  const all = new Uint8Array(bytes);
  if (all[0] === 0) return 1;
  let lines = 0;
  for (const byte of all) if (byte === LINE_FEED) lines++;
  return lines;
}
