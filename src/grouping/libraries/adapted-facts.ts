/** What adapters in the user's process said of libraries, record by record. Times are the thread's own `performance.now()`. */
import { Fact, TaskFlag } from '../../model/facts';

export type LibraryFact =
  | { readonly what: 'group'; readonly id: number; readonly kind: number; readonly stack: number; readonly owner: number; readonly limit: number; readonly library: number; readonly time: number }
  | { readonly what: 'task'; readonly id: number; readonly group: number; readonly owner: number; readonly index: number; readonly waits: boolean; readonly isSection: boolean; readonly isWhole: boolean; readonly time: number }
  | { readonly what: 'run'; readonly id: number; readonly returns: boolean; readonly thread: number; readonly pid: number; readonly time: number }
  | { readonly what: 'promise'; readonly id: number; readonly promise: number; readonly role: number }
  | { readonly what: 'end'; readonly id: number; readonly failed: boolean; readonly rejection: number; readonly error: number; readonly context: number; readonly time: number }
  | { readonly what: 'function'; readonly id: number; readonly file: number; readonly name: number; readonly line: number; readonly column: number };

/** @returns undefined where the record is none of a library's */
export function libraryFact(type: number, flags: number, id: number, a: number, b: number, time: number, c: number, d: number): LibraryFact | undefined {
  const flag = (flags & 1) !== 0;
  switch (type) {
    case Fact.libraryGroup: return { what: 'group', id, kind: flags, stack: a, owner: b, limit: c, library: d, time };
    case Fact.libraryTask: return { what: 'task', id, group: a, owner: b, index: c, waits: (flags & TaskFlag.waits) !== 0, isSection: (flags & TaskFlag.section) !== 0, isWhole: (flags & TaskFlag.whole) !== 0, time };
    case Fact.libraryRun: return { what: 'run', id, returns: flag, thread: a, pid: b, time };
    case Fact.libraryPromise: return { what: 'promise', id, promise: a, role: flags };
    case Fact.libraryEnd: return { what: 'end', id, failed: flag, rejection: flags >> 1, error: a, context: c, time };
    case Fact.libraryFunction: return { what: 'function', id, file: a, name: b, line: c, column: d };
    default: return undefined;
  }
}
