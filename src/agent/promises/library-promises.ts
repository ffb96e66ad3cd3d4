/**
 * Promises that a library makes itself (bluebird): its adapter says of them what V8's hooks say of V8's, and from there on they are promises as any
 * other. Stacks are those that V8's would have (`LibraryFrames`).
 */
import { Fact, LibraryPromise } from '../../model/facts';
import type { FactWriter } from '../fact-writer';
import type { CallStacks } from '../stacks/call-stacks';
import { LibraryFrames, MAKER, REACTION } from '../stacks/library-frames';
import { awaitFrame, entryFrame, nativeFrame, type Coroutine } from '../stacks/stand-in-frames';
import { isNative, type CallSite } from '../stacks/raw-stack';
import type { Guard } from '../hooks';
import { UNWATCHED, type Observer } from './observer';
import type { Outcomes } from './outcomes';

/** A promise's number, and its owner as `Observer.init` gives it. */
interface Known { readonly id: number; readonly owner: number }

const { getOwnPropertyDescriptor } = Object;
/** Frames looked at for the place where a coroutine is made. */
const COROUTINE_FRAMES = 4;
const THEN = [nativeFrame('then')];
/** By the builtin: frames of what it makes, and of how it listens to an element. */
const MAKES: Record<string, readonly CallSite[]> = {};
const LISTENS: Record<string, readonly CallSite[]> = {};

export class LibraryPromises {
  private readonly known = new WeakMap<object, Known>();
  /** By a promise that was resolved with another one, what listens to that. */
  private readonly listeners = new WeakMap<object, Known>();
  private frames: LibraryFrames | undefined;

  constructor(private readonly observer: Observer, private readonly outcomes: Outcomes, private readonly guard: Guard, private readonly stacks: CallStacks, private readonly writer: FactWriter) {}

  /** From now on frames of the library's are seen as a builtin's, those of each copy of it. @param files matches their paths @param own our own file */
  begin(files: RegExp, own: string): LibraryFrames {
    this.frames ??= new LibraryFrames((file) => files.test(file), own);
    this.stacks.seeThrough(this.frames);
    return this.frames;
  }

  /** The number a promise is known by, the library's or V8's; 0 where it is not known. */
  idOf(promise: object): number { return this.known.get(promise)?.id ?? 0; }

  has(promise: object): boolean { return this.known.has(promise); }

  /** Another object stands for the same promise. */
  alias(promise: object, known: object): void {
    const own = this.known.get(known);
    if (own) this.known.set(promise, own);
  }

  /** Whether promises of V8's are made that nobody is to be told of. */
  get isUnseen(): boolean { return this.guard.busy; }
  set isUnseen(is: boolean) { this.guard.busy = is; }

  /** A promise is made that nothing else led to. @param builtin what would make it, were it V8's */
  made(promise: object, builtin = MAKER): void { this.init(promise, 0, (MAKES[builtin] ??= [nativeFrame(builtin)])); }

  /** The promise of a call of a coroutine, which is entered next. */
  called(promise: object, coroutine: Coroutine): void { this.init(promise, 0, [entryFrame(coroutine)]); }

  /** `then` makes a promise. @param parent number of the promise that it was called on; 0 where that is not known */
  derived(promise: object, parent: number): void {
    if (parent === 0) this.made(promise);
    else this.init(promise, parent, THEN);
  }

  /** A combinator listens to an element. @param builtin the combinator @param element number of the promise */
  listens(builtin: string, element: number): void { this.init(undefined, element, (LISTENS[builtin] ??= [...THEN, nativeFrame(builtin)])); }

  /** A coroutine awaits a promise. @param promise its number; 0 where that is not known @param call the coroutine's promise @returns what goes on behind it, for `react` */
  awaited(coroutine: Coroutine, promise: number, call: object | undefined): object {
    const waiting = {};
    if (promise !== 0) this.init(waiting, promise, [awaitFrame(coroutine)]);
    else if (call) {
      const owner = this.idOf(call);
      this.quietly(() => { this.observer.suspended(owner); });
      this.known.set(waiting, { id: this.guard.newId(), owner });
    }
    return waiting;
  }

  /** A coroutine begins where the program is now, whose generator function that is. */
  coroutineHere(generator: object): Coroutine | undefined {
    const site = this.stacks.read(LibraryPromises.prototype.coroutineHere, COROUTINE_FRAMES).find((at) => !isNative(at));
    const name: unknown = getOwnPropertyDescriptor(generator, 'name')?.value;
    return site && {
      file: site.getFileName() ?? '', name: typeof name === 'string' ? name : '', line: site.getLineNumber() ?? 0, column: site.getColumnNumber() ?? 0, position: site.getPosition?.() ?? 0,
    };
  }

  /** A promise is that of a combinator of the library's. */
  combines(promise: object, library: string): void {
    const id = this.idOf(promise);
    if (id !== 0) this.writer.record(Fact.libraryPromise, LibraryPromise.made, this.stacks.stringOf(library), id, 0, 0, 0, 0);
  }

  /** A promise was resolved with another one, which has yet to settle: it will in the reaction of what listens to that. @param inner its number */
  adopted(promise: object, inner: number): void {
    const outer = this.known.get(promise);
    if (!outer || inner === 0 || this.listeners.has(promise)) return;
    this.quietly(() => {
      const id = this.guard.newId();
      this.observer.adopted(outer.id, inner, id);
      this.listeners.set(promise, { id, owner: outer.owner });
    });
  }

  settled(promise: object): void { this.settle(promise, (id) => { this.observer.settled(id, undefined); }); }

  rejected(promise: object, reason: unknown): void {
    this.settle(promise, (id) => {
      this.observer.tell(id);
      this.observer.settled(id, undefined);
      this.outcomes.rejected(id, reason);
    });
  }

  /** Runs the reaction of a promise. */
  react<T>(promise: object, run: () => T): T {
    const known = this.known.get(promise);
    if (known) this.quietly(() => { this.observer.before(known.id, known.owner); });
    try { return runLibraryReaction(run); } finally { if (known) this.quietly(() => { this.observer.after(); }); }
  }

  private settle(promise: object, tell: (id: number) => void): void {
    const id = this.idOf(promise);
    if (id === 0) return;
    const listener = this.listeners.get(promise);
    this.quietly(() => {
      if (listener) this.observer.before(listener.id, listener.owner);
      tell(id);
      if (listener) this.observer.after();
    });
  }

  private init(promise: object | undefined, parent: number, onTop: readonly CallSite[]): void {
    const { frames } = this;
    if (!frames) return;
    frames.onTop = onTop;
    this.quietly(() => {
      const id = this.guard.newId();
      const owner = this.observer.init(id, parent, undefined);
      if (owner !== UNWATCHED && promise !== undefined) this.known.set(promise, { id, owner });
    });
    frames.onTop = undefined;
  }

  /** Tells of something: what is on the stack above is the library's doing. */
  private quietly(tell: () => void): void {
    const { guard } = this;
    const { busy, hook, settledHook } = guard;
    guard.busy = true;
    guard.hook = guard.settledHook = LibraryPromises.prototype.quietly as (...args: never[]) => unknown;
    try { tell(); } catch { guard.failures++; }
    guard.busy = busy;
    guard.hook = hook;
    guard.settledHook = settledHook;
  }
}

const { [REACTION]: runLibraryReaction } = { [REACTION]<T>(run: () => T): T { return run(); } };
