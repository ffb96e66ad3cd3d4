/** What a thread said of others and of messages between them, record by record. Times are the thread's own `performance.now()`. */
import { Fact } from '../../model/facts';

/** `peer` and `promise` are numbers in the thread that says so; peer 0 is who started it. */
export type PeerFact =
  | { readonly what: 'peer'; readonly peer: number; readonly pid: number; readonly threadId: number; readonly promise: number; readonly stack: number; readonly time: number }
  | { readonly what: 'posted'; readonly peer: number; readonly promise: number; readonly stack: number; readonly tick: number; readonly putOffIn: number; readonly time: number }
  | { readonly what: 'received'; readonly peer: number; readonly tick: number; readonly time: number }
  | { readonly what: 'entered'; readonly time: number };

/** @returns undefined where the record is none of these */
export function peerFact(type: number, id: number, a: number, b: number, time: number, c: number, d: number): PeerFact | undefined {
  switch (type) {
    case Fact.peer: return { what: 'peer', peer: id, pid: a, threadId: b, promise: c, stack: d, time };
    case Fact.posted: return { what: 'posted', peer: id, promise: d, stack: a, tick: c, putOffIn: b, time };
    case Fact.received: return { what: 'received', peer: id, tick: c, time };
    case Fact.entered: return { what: 'entered', time };
    default: return undefined;
  }
}
