/**
 * Facts: what the agent saw, as it lies in a fact file. One file a thread, append-only, written by `src/agent`,
 * read by `src/grouping`. Little-endian. A file is a run of 32-byte records; a text record is followed by its bytes,
 * padded with zeros to the next multiple of 32. A reader may meet a half-written last record: it waits for the rest.
 *
 *   offset  0     1      2      4       8    12   16       24   28
 *           type  flags  (u16)  id      a    b    time f64  c    d        (u32 where nothing else is said)
 *
 * `time` is milliseconds of the thread's own `performance.now()`; its `timeOrigin` stands in the hello text.
 * Promise ids count from 1 in each thread; 0 is "none". Frame, string and stack ids count from 1 each.
 */
export const FACT_VERSION = 1;
export const RECORD_BYTES = 32;
/** A longer text is cut by the writer and refused by the reader. */
export const MAX_TEXT_BYTES = 1 << 16;

export const Fact = {
  /** Text. id: string id, a: bytes, flags: `TextKind`. */
  text: 1,
  /**
   * A place in the code. id: frame, a: string id of the file, b: string id of the function's name, c: line, d: column
   * (1-based); instead of the time two u32: line and column at which the enclosing function begins. flags: `FrameFlag`.
   */
  frame: 2,
  /**
   * A call stack as a chain, which may be cut off. id: stack, a: stack of the callers (0 where it ends), b: frame, flags: 1 where the frame awaits
   * its callee.
   */
  stack: 3,
  /**
   * A promise that nothing else led to. id, a: stack (0: not looked at), b: owner (the promise of the async function
   * whose code made it, 0 for none), c: tick (runs of code between which the event loop had its turn), d: context
   * (the promise whose reaction ran), flags: `RootKind`.
   */
  root: 4,
  /** A promise made by `then` on another. id, a: the other one, b: owner. */
  derived: 5,
  /** The owner consumed a promise by `await` or `then`. id: the promise, a: owner, b: the derived promise, c: tick. */
  consumed: 6,
  /** A promise is an element of a combinator. id: the combinator, a: the element, b: 0-based index. Of one that is raced again and again only the first time. */
  element: 7,
  /** A combinator has all its elements. id: the combinator, a: how many. */
  gathered: 14,
  /** A promise was resolved with another one. id, a: the other one. */
  adopted: 8,
  /** A promise settled. id, a: owner of the code that settled it, b: context, c: tick, flags: 1 where a timer alone did it, without any code of the program's. */
  settled: 9,
  /** A promise that settled turned out to be rejected. Comes up to a flush after `settled`; what has none was fulfilled. id, flags: `RejectionKind`, a: string id of what the error says (0: unknown; always, in older files). */
  rejected: 10,
  /** Promises made between `time` − c/1000 ms and `time` were not looked at: they came too fast. a: reactions of such promises. A long gap is told of in pieces. */
  gap: 11,
  /** Records that could not be written. a: how many. */
  dropped: 12,
  /** The thread ends. a: exit code + 1 (0: unknown), flags: 1 after an uncaught error. */
  end: 13,
  /**
   * A library that an adapter knows was told to run tasks. id: group (from 1 in each thread), a: stack, b: owner,
   * c: declared limit (0: none), d: string id of the library's npm name, flags: `LibraryKind`.
   */
  libraryGroup: 15,
  /** A task came into a library's group. id: task (from 1 in each thread), a: group, b: owner, c: 1-based index of its item (0: unknown), flags: `TaskFlag`. */
  libraryTask: 16,
  /** The code of a library's task is entered, or, with flags 1, returns. id: task (0: one of those that run), a: `threadId` of the worker it was handed to, b: pid of the child process (both 0: it runs here). */
  libraryRun: 17,
  /** A promise of a library's task. id: task, a: promise, flags: `LibraryPromise`. */
  libraryPromise: 18,
  /** A library's task ends without a promise. id: task, flags: 1 where it failed, and twice the `RejectionKind`; a: string id of what the error says (0: unknown), c: context (the promise whose reaction ends it; 0 for none, and where it is told of later). */
  libraryEnd: 19,
  /** Where the function of a group's tasks begins. id: group, a: string id of the file, b: string id of the name, c: line, d: column (1-based). */
  libraryFunction: 20,
  /** The event loop was held up between `time` − c/1000 ms and `time`, its timers were late. */
  blocked: 21,
  /** A pause for garbage collection between `time` − c/1000 ms and `time`. flags: `GcKind`. */
  collected: 22,
  /**
   * Requests in libuv's thread pool, whose number changed between `time` − c/1000 ms and `time`, and not from there to the next
   * such record. a: how many wait for their answer at `time`, b: the most at once, d: threads of the pool.
   */
  requests: 23,
  /** This thread started a worker, or a process with a channel to it. id: peer (from 1), a: pid, b: `threadId` (0 for a process), c: the promise made just before, else the owner, d: stack. */
  peer: 24,
  /**
   * A message went to a peer. id: peer, a: stack, c: tick, d: the promise made just before, else the owner. To who started this thread (peer 0): d: the
   * function that runs, else the promise whose reaction does; where a callback runs, that of when it was put off, and b: the tick of that (0: unknown).
   */
  posted: 25,
  /** A message of a peer's is about to be handled. id: peer (0: who started this thread), c: tick of the run of code that it begins; 0 where it came along with the one before, and is handled after that. */
  received: 26,
  /** The file that the thread was started with begins to run; told where it is CommonJS. */
  entered: 27,
  /** A request is sent for the promise that was made for it just before, else by the running function. id: that promise, a: string id of method, host and path. */
  request: 28,
  /**
   * A call of an async function that had ended before a combinator took it: `root`, `settled` and `element` in one, as most of a
   * million trivial calls are. id: the call, a: the combinator, the latest told of, with whose owner, tick and context it was made,
   * b: stack, time: when it began, c: 0-based index, d: how long it took, in nanoseconds.
   */
  quick: 29,
} as const;
/** `pool`: as many at once as the limit says; `sequential`: one after the other by its nature; `all`: all at once; `loose`: started one by one, how they ran tells; `batches`: one after the other, each for several items; `chunks`: as `loose`, and what is begun in a task is all that this one does. */
export const LibraryKind = { pool: 0, sequential: 1, all: 2, loose: 3, batches: 4, chunks: 5 } as const;
/** `waits`: it has to wait for its turn; `section`: it is what its owner does from then on, and no function of its own; `whole`: until the owner is through. */
export const TaskFlag = { waits: 1, section: 2, whole: 4 } as const;
/** `ends`: the task's function returned it; `submitted`: its submitter was given it; `turn`: the task's turn comes when it is fulfilled; `promised`: it was settled where a task of callbacks ended, a moment before or after that is told; `whole`: the program was given it for all tasks of the group `id`; `made`: a combinator of a library's made it, whose npm name is the string `id`; `tried`: the task's function returned it, which may be called again. */
export const LibraryPromise = { ends: 0, submitted: 1, turn: 2, promised: 3, whole: 4, made: 5, tried: 6 } as const;

/** No stack of what Node's or V8's own code made is cut off before as many frames, counted from the innermost of the program's, but where an async function of the program's is seen on it. */
export const PROGRAM_FRAMES = 6;

/** Of what is told in nanoseconds, in a millisecond. */
export const NANOSECONDS = 1e6;

/** By the name of the error it was rejected with. */
export const RejectionKind = { other: 0, aborted: 1, timedOut: 2 } as const;

export const TextKind = { string: 0, hello: 1 } as const;
/** `native`: a builtin of V8, without a file. */
export const FrameFlag = { native: 1 } as const;
/** What made a root promise. `asyncFunction`: the call of one; `other`: `new Promise`, `import()`, native code; `value`: a combinator, of an element that is no promise, or, at the place of an `await`, V8, of a thenable; `link`: `then`, of a promise that may have been there before the code that called it: then a chain begins here. That promise is told of by `consumed`, right before. */
export const RootKind = { unknown: 0, all: 1, allSettled: 2, race: 3, any: 4, asyncFunction: 5, other: 6, value: 7, link: 8 } as const;

/** @param kind `RootKind` */
export const isCombinator = (kind: number): boolean => kind >= RootKind.all && kind <= RootKind.any;

/** First text of every fact file. */
export interface Hello {
  readonly version: number;
  readonly pid: number;
  readonly ppid: number;
  /** 0 for a main thread. */
  readonly threadId: number;
  /** Epoch milliseconds of this thread's `performance.now()` 0. */
  readonly timeOrigin: number;
  /** `process.version`. */
  readonly node: string;
  readonly backend: 'v8' | 'async_hooks';
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Whether requests in libuv's thread pool are told of; elsewhere that would cost too much. */
  readonly requests: boolean;
}

/** Environment variables by which a host tells the agent what to do. */
export const AgentEnv = {
  /** Absolute path of the folder fact files go to; without it the agent does nothing. */
  folder: 'ASYNC_LANES_DIR',
  /** `v8` (default) or `async_hooks`. */
  backend: 'ASYNC_LANES_BACKEND',
} as const;
export const FACT_FILE_EXTENSION = '.facts';

/** Name of the file that a thread writes its facts to. @param timeOrigin when the thread began, epoch milliseconds */
export const factFileName = (pid: number, threadId: number, timeOrigin: number): string =>
  `${pid}-${threadId}-${Math.round(timeOrigin * 1000).toString(36)}${FACT_FILE_EXTENSION}`;

/** @param name as `factFileName` makes it @returns when the thread began, epoch microseconds; 0 for any other name */
export const begunAt = (name: string): number => Number.parseInt(name.slice(name.lastIndexOf('-') + 1), 36) || 0;
