/** What adapters say of a library's work, as facts. Nothing in here throws, makes a promise or attaches to one of the program's. */
import { Fact, LibraryKind, LibraryPromise, TaskFlag } from '../../model/facts';
import type { CallStacks, Near } from '../stacks/call-stacks';
import type { ProgramFrame } from '../stacks/program-calls';
import { kindOf, wordsOf, type ErrorWords } from '../promises/error-words';
import type { FactWriter } from '../fact-writer';
import type { Guard } from '../hooks';
import type { Observer } from '../promises/observer';
import type { LibraryPromises } from '../promises/library-promises';
import { FunctionPlaces } from './function-places';

export type Kind = keyof typeof LibraryKind;

/** What tasks of a library's are that run beside one another up to a limit. */
export const kindOfLimit = (limit: unknown): Kind => (limit === 1 ? 'sequential' : limit === Infinity ? 'all' : 'pool');

/** A place of the program's: the stack there, the async function that runs (0 for none), and the program's own line. */
export interface Here { readonly stack: number; readonly owner: number; readonly near: Near | undefined }

/** Why a task failed. */
export interface Failure {
  /** `RejectionKind`; by default what the error's name says. */
  readonly kind?: number;
  readonly reason: unknown;
}

export class AdapterSink {
  private groups = 0;
  private tasks = 0;
  /** Those of which an adapter has told a run, or made ready to. */
  private readonly libraries = new Set<string>();
  private readonly places: FunctionPlaces;
  /** Tasks whose function has been entered and has not returned, innermost last. */
  private readonly entered: LibraryTask[] = [];
  /** Functions yet to be looked up: that reads files, and so is not done while somebody waits for a task to begin. */
  private readonly unplaced: { readonly group: LibraryGroup; readonly fn: object }[] = [];

  constructor(
    private readonly writer: FactWriter,
    private readonly observer: Observer,
    private readonly stacks: CallStacks,
    private readonly now: () => number,
    private readonly guard: Guard,
    private readonly words: ErrorWords,
    /** Promises that a library makes itself. */
    readonly promises: LibraryPromises,
  ) { this.places = new FunctionPlaces(stacks); }

  /** Does what only watches: if it fails, the program does not hear of it. */
  quietly<T>(work: () => T): T | undefined {
    try { return work(); } catch { this.guard.failures++; return undefined; }
  }

  /** The file that the thread was started with begins to run. Written at once: it may keep the thread busy until that is ended from outside. */
  programBegins(): void {
    this.writer.record(Fact.entered, 0, 0, 0, 0, this.now(), 0, 0);
    this.writer.flush();
  }

  /** A library was told to run tasks, here. @param limit none where it is no finite number */
  group(library: string, limit: unknown, kind: Kind): LibraryGroup {
    this.libraries.add(library);
    return new LibraryGroup(this, library, typeof limit === 'number' && limit >= 1 && limit < 2 ** 32 ? Math.floor(limit) : 0, kind);
  }

  /** Whether an adapter tells of the runs of a library. */
  tellsOf(library: string): boolean { return this.libraries.has(library); }

  /** Where the program is now. */
  here(): Here {
    this.stacks.passOver = __filename;
    return this.observer.here();
  }

  /** @internal @param asked where the program had asked for it, if nothing of it runs now */
  writeGroup(library: string, limit: number, kind: Kind, asked: Here | undefined): { readonly id: number; readonly near: Near | undefined; readonly time: number } {
    const id = ++this.groups;
    const now = this.here();
    const { owner } = now;
    const { stack, near } = now.near ? now : asked ?? now;
    this.observer.tell(owner);
    const time = this.now();
    this.writer.record(Fact.libraryGroup, LibraryKind[kind], id, stack, owner, time, limit, this.stacks.stringOf(library));
    return { id, near, time };
  }

  /** @internal */
  writeTask(group: number, index: number, flags: number, time = this.now()): number {
    const id = ++this.tasks;
    const owner = this.observer.running;
    this.observer.tell(owner);
    this.writer.record(Fact.libraryTask, flags, id, group, owner, time, index, 0);
    return id;
  }

  /** @returns epoch milliseconds on the thread's own clock, which is not set in between; no later than now */
  clockOf(epochMs: number): number { return Math.min(this.now(), epochMs - performance.timeOrigin); }

  /** @internal */
  enter(task: LibraryTask, fn: object | undefined, thread = 0, pid = 0): void {
    this.entered.push(task);
    if (fn) this.inner(fn);
    this.writer.record(Fact.libraryRun, 0, task.id, thread, pid, this.now(), 0, 0);
  }

  /** @internal */
  leave(task: LibraryTask): void {
    if (this.enteredTask === task) this.entered.pop();
    this.writer.record(Fact.libraryRun, 1, task.id, 0, 0, this.now(), 0, 0);
  }

  /** Code of some task of a library's runs, there is no telling of which: nothing else is to be made of its promises. */
  within<T>(run: () => T): T {
    this.writer.record(Fact.libraryRun, 0, 0, 0, 0, this.now(), 0, 0);
    try { return run(); } finally { this.writer.record(Fact.libraryRun, 1, 0, 0, 0, this.now(), 0, 0); }
  }

  /** The library's task whose function runs, the innermost; undefined where none does. */
  get enteredTask(): LibraryTask | undefined { return this.entered[this.entered.length - 1]; }

  /** The number of one of V8's promises; 0 where it is not known. */
  idOf(promise: Promise<unknown>): number { return this.guard.idOf(promise); }

  /** The async function that runs; 0 where that is not known. */
  get running(): number { return this.observer.running; }

  /** Whether the library itself calls a function of its that is adapted. @param library part of its path */
  isCalledBy(library: string): boolean {
    this.stacks.passOver = __filename;
    return this.stacks.callerFile(AdapterSink.prototype.isCalledBy).replaceAll('\\', '/').includes(`/node_modules/${library}/`);
  }

  /** @param handsOn matches `name file` of functions in between that only hand on @returns the place of the program's that calls what is adapted, and its function, by their numbers; undefined where the library does */
  callingPlace(handsOn: RegExp): { readonly id: number; readonly fn: number } | undefined {
    this.stacks.passOver = __filename;
    return this.stacks.budget.mayLook() ? this.stacks.callingPlace(AdapterSink.prototype.callingPlace, handsOn) : undefined;
  }

  /** Code that stands for the running task's function is entered: what a coroutine was made of. */
  inner(fn: object): void {
    const task = this.enteredTask;
    if (task?.isFirst === true) this.unplaced.push({ group: task.group, fn });
  }

  /** Tells where the functions of tasks begin, as far as that was not told yet. */
  flush(): void {
    for (const { group, fn } of this.unplaced.splice(0)) {
      this.quietly(() => {
        const place = this.places.find(fn, group.near);
        if (place) this.writer.record(Fact.libraryFunction, 0, group.id, place.file, place.name, 0, place.line, place.column);
      });
    }
  }

  /** What was just settled by hand, if anything, may have been promised for the task, which has ended. @returns whether there was such a promise */
  writeSettledPromise(task: number): boolean {
    return this.writePromised(task, this.observer.takeSettled());
  }

  /** @internal Runs what tells a submitter of a task's end: a promise that is settled in it was made for that task. */
  answer<T>(task: number, tell: () => T): T {
    const { endings } = this.observer;
    endings.takePlain();
    try { return tell(); } finally { this.quietly(() => this.writePromised(task, endings.takePlain())); }
  }

  /** @param promise 0 for none @returns whether there was one */
  private writePromised(task: number, promise: number): boolean {
    if (promise !== 0) this.writer.record(Fact.libraryPromise, LibraryPromise.promised, task, promise, 0, 0, 0, 0);
    return promise !== 0;
  }

  /** @internal The promise made just before is what the submitter gets. */
  writeLatestPromise(task: number): void {
    const id = this.observer.latestRoot;
    if (id === 0) return;
    this.observer.tell(id);
    this.writer.record(Fact.libraryPromise, LibraryPromise.submitted, task, id, 0, 0, 0, 0);
  }

  /** @internal @returns whether the hooks know the promise and will tell of its end */
  writePromise(task: number, promise: object, role: number): boolean {
    const id = this.promises.idOf(promise) || this.guard.idOf(promise);
    if (id === 0) return false;
    this.observer.tell(id);
    this.writer.record(Fact.libraryPromise, role, task, id, 0, 0, 0, 0);
    return true;
  }

  /** The code that runs ends a task. */
  writeEnd(task: number, failed: boolean): void { this.writer.record(Fact.libraryEnd, failed ? 1 : 0, task, 0, 0, this.now(), this.observer.context, 0); }

  /** A task had ended before. @param time milliseconds of the thread's clock */
  writeEndAt(task: number, failed: boolean, time: number): void { this.writer.record(Fact.libraryEnd, failed ? 1 : 0, task, 0, 0, time, 0, 0); }

  /** @internal */
  writeFailure(task: number, { kind, reason }: Failure): void {
    this.writer.record(Fact.libraryEnd, 1 | ((kind ?? kindOf(reason)) << 1), task, this.words.idOf(wordsOf(reason)), 0, this.now(), this.observer.context, 0);
  }

  /** What the program, or a library that no adapter is for, made of callbacks. @param library '' for the program itself @returns its number */
  writeCallbackGroup(caller: ProgramFrame, job: ProgramFrame, owner: number, kind: 'pool' | 'loose' = 'pool', library = ''): number {
    const id = ++this.groups;
    this.observer.tell(owner);
    this.writer.record(Fact.libraryGroup, LibraryKind[kind], id, caller.stack, owner, this.now(), 0, library === '' ? 0 : this.stacks.stringOf(library));
    this.writer.record(Fact.libraryFunction, 0, id, this.stacks.stringOf(job.file), this.stacks.stringOf(job.name), 0, job.line, job.column);
    return id;
  }

  /** A task that is at work since then, in milliseconds of the thread's clock. @returns its number */
  writeTaskSince(group: number, start: number): number {
    const id = ++this.tasks;
    this.writer.record(Fact.libraryTask, 0, id, group, 0, start, 0, 0);
    this.writer.record(Fact.libraryRun, 0, id, 0, 0, start, 0, 0);
    this.writer.record(Fact.libraryRun, 1, id, 0, 0, start, 0, 0);
    return id;
  }
}

/** One run of a library's, or one limiter of its. Told only once there is a task: what nobody uses is no group. */
export class LibraryGroup {
  id = 0;
  /** The program's own place nearest to where it was declared. */
  near: Near | undefined;
  private index = 0;
  /** Milliseconds of the thread's clock. */
  private declaredAt = 0;
  private first: LibraryTask | undefined;

  constructor(readonly sink: AdapterSink, private readonly library: string, private readonly limit: number, private readonly kind: Kind) {}

  /** The group stands where the program is now. @param asked where it had asked for it, if nothing of it runs now */
  declare(asked?: Here): this {
    if (this.id === 0) {
      const { id, near, time } = this.sink.writeGroup(this.library, this.limit, this.kind, asked);
      this.id = id;
      this.declaredAt = time;
      this.near = near;
    }
    return this;
  }

  /** @param waits whether it waits for its turn from now on; otherwise its code is entered next */
  task(waits: boolean): LibraryTask {
    this.declare();
    return new LibraryTask(this, this.sink.writeTask(this.id, ++this.index, waits ? TaskFlag.waits : 0));
  }

  /** A task that has waited outside of this thread. @param since epoch milliseconds; its group waits for it from when it was declared */
  taskSince(since: number | undefined): LibraryTask {
    this.declare();
    const time = since === undefined ? undefined : Math.max(this.declaredAt, this.sink.clockOf(since));
    return new LibraryTask(this, this.sink.writeTask(this.id, ++this.index, TaskFlag.waits, time));
  }

  /** A task that is what the running function does once its turn has come. @param whole until that function is through */
  section(whole = false): LibraryTask {
    this.declare();
    return new LibraryTask(this, this.sink.writeTask(this.id, ++this.index, TaskFlag.waits | TaskFlag.section | (whole ? TaskFlag.whole : 0)));
  }

  /** The program is given one promise for all of its tasks. */
  givenAs(promise: object): void { if (this.id !== 0) this.sink.writePromise(this.id, promise, LibraryPromise.whole); }

  /** Whether it runs its tasks one after the other, for that library. */
  isInRow(library: string): boolean { return this.library === library && this.kind === 'sequential'; }

  /** Whether the task is the first one to be entered: the one whose function is told of. */
  isFirst(task: LibraryTask): boolean { return (this.first ??= task) === task; }
}

export class LibraryTask {
  private ended = false;
  started = false;

  constructor(readonly group: LibraryGroup, readonly id: number) {}

  get isFirst(): boolean { return this.group.isFirst(this); }

  enter(fn: object | undefined): void {
    this.started = true;
    this.group.sink.enter(this, fn);
  }

  /** Its code goes on for a while, called by the library. */
  resume(): void { this.group.sink.enter(this, undefined); }

  /** It is handed to another thread or process, which runs it. @param thread `threadId` of a worker; 0 where it is none @param pid of a child process; 0 where it is none */
  post(thread: number, pid = 0): void {
    this.started = true;
    this.group.sink.enter(this, undefined, thread, pid);
    this.leave();
  }

  leave(): void { this.group.sink.leave(this); }

  /** @returns whether the end of the promise will be heard */
  endsWith(promise: object): boolean { return this.group.sink.writePromise(this.id, promise, LibraryPromise.ends); }
  /** Its function, which may be called again, has returned the promise: it is over with what its submitter gets. */
  tries(promise: object): void { this.group.sink.writePromise(this.id, promise, LibraryPromise.tried); }
  submittedAs(promise: object): void { this.group.sink.writePromise(this.id, promise, LibraryPromise.submitted); }
  /** The submitter gets the promise that was made just before. */
  submittedAsLatest(): void { this.group.sink.writeLatestPromise(this.id); }
  /** @param tell calls back whoever submitted it, for it is over */
  answer<T>(tell: () => T): T { return this.group.sink.answer(this.id, tell); }
  /** Its turn comes when the promise is fulfilled. @returns whether that will be heard */
  waitsFor(promise: object): boolean { return this.group.sink.writePromise(this.id, promise, LibraryPromise.turn); }

  end(failed: boolean): void {
    if (this.ended) return;
    this.ended = true;
    this.group.sink.writeEnd(this.id, failed);
  }

  fail(failure: Failure): void {
    if (this.ended) return;
    this.ended = true;
    this.group.sink.writeFailure(this.id, failure);
  }
}
