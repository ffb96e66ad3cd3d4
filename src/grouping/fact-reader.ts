/** Bytes of a fact file → facts, whatever the pieces they come in. */
import { Fact, FACT_VERSION, isCombinator, MAX_TEXT_BYTES, NANOSECONDS, RECORD_BYTES, RootKind, TextKind, type Hello } from '../model/facts';
import { ActivityKind, type Activity } from '../model/activity';
import { libraryFact, type LibraryFact } from './libraries/adapted-facts';
import { peerFact, type PeerFact } from './threads/peer-facts';

/** Takes the facts of one thread in the order they were written. Times are the thread's own `performance.now()`. */
export interface FactSink {
  hello(hello: Hello): void;
  string(id: number, text: string): void;
  frame(id: number, native: boolean, file: number, name: number, line: number, column: number, startLine: number, startColumn: number): void;
  stack(id: number, callers: number, frame: number, awaits: boolean): void;
  root(id: number, kind: number, stack: number, owner: number, tick: number, context: number, time: number): void;
  derived(id: number, parent: number, owner: number, time: number): void;
  consumed(id: number, owner: number, derived: number, tick: number, time: number): void;
  element(combinator: number, element: number, index: number): void;
  /** @param given how many elements it has, those included that no fact tells of */
  gathered(combinator: number, given: number): void;
  adopted(id: number, inner: number, time: number): void;
  /** @param byTimer a timer did it, without any code of the program's */
  settled(id: number, by: number, context: number, tick: number, time: number, byTimer: boolean): void;
  /** @param words string id of what the error says, 0 where it is not known */
  rejected(id: number, kind: number, words: number): void;
  /** @param name string id */
  request(id: number, name: number): void;
  library(fact: LibraryFact): void;
  activity(fact: Omit<Activity, 'thread'>): void;
  peer(fact: PeerFact): void;
  gap(ms: number): void;
  dropped(count: number): void;
  end(exitCode: number | undefined, crashed: boolean, time: number): void;
}

export class FactReader {
  private rest = new Uint8Array(0);
  private greeted = false;
  private failure: string | undefined;
  /** Owner, tick and context of the combinator told of last. */
  private callOwner = 0;
  private callTick = 0;
  private callContext = 0;

  constructor(private readonly sink: FactSink) {}

  /** A sentence, once the bytes turned out to be no fact file. */
  get problem(): string | undefined { return this.failure; }

  push(bytes: Uint8Array): void {
    if (this.failure !== undefined || bytes.length === 0) return;
    // A copy of its own: records are read as words, which wants alignment.
    const buffer = new ArrayBuffer(Math.ceil((this.rest.length + bytes.length) / 8) * 8);
    const all = new Uint8Array(buffer, 0, this.rest.length + bytes.length);
    all.set(this.rest);
    all.set(bytes, this.rest.length);
    const read = this.read(buffer, all);
    this.rest = all.slice(read);
  }

  /** @returns bytes taken. */
  private read(buffer: ArrayBuffer, all: Uint8Array): number {
    const words = new Uint32Array(buffer);
    const times = new Float64Array(buffer);
    const { sink } = this;
    let at = 0;
    for (; at + RECORD_BYTES <= all.length; at += RECORD_BYTES) {
      const w = at >> 2;
      const type = words[w] & 0xff;
      const flags = (words[w] >>> 8) & 0xff;
      const id = words[w + 1], a = words[w + 2], b = words[w + 3], c = words[w + 6], d = words[w + 7];
      const time = times[(w >> 1) + 2];
      if (!this.greeted && type !== Fact.text) return this.fail('it does not begin as a fact file does');
      switch (type) {
        case Fact.text: {
          if (a > MAX_TEXT_BYTES) return this.fail('a text in it is too long');
          const padded = Math.ceil(a / RECORD_BYTES) * RECORD_BYTES;
          if (at + RECORD_BYTES + padded > all.length) return at;
          const text = new TextDecoder().decode(all.subarray(at + RECORD_BYTES, at + RECORD_BYTES + a));
          if (flags === TextKind.string) sink.string(id, text);
          else {
            const hello = parseHello(text);
            if (typeof hello === 'string') return this.fail(hello);
            this.greeted = true;
            sink.hello(hello);
          }
          at += padded;
          break;
        }
        case Fact.frame: sink.frame(id, (flags & 1) !== 0, a, b, c, d, words[w + 4], words[w + 5]); break;
        case Fact.stack: sink.stack(id, a, b, (flags & 1) !== 0); break;
        case Fact.root: {
          if (isCombinator(flags)) {
            this.callOwner = b;
            this.callTick = c;
            this.callContext = d;
          }
          sink.root(id, flags, a, b, c, d, time);
          break;
        }
        case Fact.quick: {
          sink.root(id, RootKind.asyncFunction, b, this.callOwner, this.callTick, this.callContext, time);
          sink.settled(id, 0, 0, this.callTick, time + d / NANOSECONDS, false);
          sink.element(a, id, c);
          break;
        }
        case Fact.derived: sink.derived(id, a, b, time); break;
        case Fact.consumed: sink.consumed(id, a, b, c, time); break;
        case Fact.element: sink.element(id, a, b); break;
        case Fact.gathered: sink.gathered(id, a); break;
        case Fact.adopted: sink.adopted(id, a, time); break;
        case Fact.settled: sink.settled(id, a, b, c, time, (flags & 1) !== 0); break;
        case Fact.rejected: sink.rejected(id, flags, a); break;
        case Fact.request: sink.request(id, a); break;
        case Fact.gap:
          sink.gap(c / 1000);
          sink.activity({ kind: ActivityKind.unwatched, start: time - c / 1000, end: time, count: a, most: 0, limit: 0 });
          break;
        case Fact.dropped: sink.dropped(a); break;
        case Fact.blocked: sink.activity({ kind: ActivityKind.blocked, start: time - c / 1000, end: time, count: 0, most: 0, limit: 0 }); break;
        case Fact.collected: sink.activity({ kind: ActivityKind.gc, start: time - c / 1000, end: time, count: flags, most: 0, limit: 0 }); break;
        case Fact.requests: sink.activity({ kind: ActivityKind.requests, start: time - c / 1000, end: time, count: a, most: b, limit: d }); break;
        case Fact.end: sink.end(a === 0 ? undefined : a - 1, (flags & 1) !== 0, time); break;
        default: {
          const library = libraryFact(type, flags, id, a, b, time, c, d);
          const peer = library ? undefined : peerFact(type, id, a, b, time, c, d);
          if (library) sink.library(library);
          else if (peer) sink.peer(peer);
          else return this.fail(`it holds a record of unknown type ${type}`);
        }
      }
    }
    return at;
  }

  private fail(why: string): number {
    this.failure = `This is no fact file of Async Lanes, or a damaged one: ${why}.`;
    return 0;
  }
}

/** @returns a sentence where it is no hello of a version we read. */
function parseHello(text: string): Hello | string {
  let value: unknown;
  try { value = JSON.parse(text); } catch { return 'its first words cannot be read'; }
  if (typeof value !== 'object' || value === null) return 'its first words cannot be read';
  const hello = value as Partial<Record<keyof Hello, unknown>>;
  if (hello.version !== FACT_VERSION) return `it was written by version ${String(hello.version).slice(0, 10)} of the agent, this one reads version ${FACT_VERSION}`;
  const { pid, ppid, threadId, timeOrigin, node, backend, argv, cwd } = hello;
  if (typeof pid !== 'number' || typeof threadId !== 'number' || typeof timeOrigin !== 'number' || !Number.isFinite(timeOrigin) || typeof node !== 'string') return 'its first words lack something';
  return {
    version: FACT_VERSION, pid, threadId, timeOrigin, node,
    ppid: typeof ppid === 'number' ? ppid : 0,
    backend: backend === 'async_hooks' ? 'async_hooks' : 'v8',
    argv: Array.isArray(argv) ? argv.filter((arg): arg is string => typeof arg === 'string') : [],
    cwd: typeof cwd === 'string' ? cwd : '',
    requests: hello.requests === true,
  };
}
