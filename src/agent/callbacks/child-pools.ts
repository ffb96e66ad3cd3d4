/**
 * Pools of child processes that callbacks alone hold together: `exec(command, () => { running--; next(); })`. A child that a
 * function starts in the wake of the end of another one it had started, while a third is at work, is the next task of a pool.
 *
 * Of a child's end it is known by Node's looking up `onexit` on the handle it keeps of the process. Nobody is called in between.
 */
import type { ChildProcess } from 'node:child_process';
import type { AdapterSink } from '../adapters/sink';
import type { CallStacks } from '../stacks/call-stacks';
import type { ProgramFrame } from '../stacks/program-calls';
import type { Guard } from '../hooks';
import { putAccessor, putValue } from '../intrinsics';
import type { Observer } from '../promises/observer';

const { getOwnPropertyDescriptor } = Object;

const MIN_TASKS = 3;
/** Milliseconds between a child's end and the next one's start, with what it wrote still to be read. */
const WAKE_MS = 20;
/** Children remembered of what is no pool yet. */
const MAX_KEPT = 64;

interface Child {
  /** Nobody is to keep a child for being watched. */
  readonly process: WeakRef<ChildProcess>;
  readonly start: number;
  /** The async function that ran; 0 for none. */
  readonly by: number;
  /** NaN as long as it is at work. */
  end: number;
  /** Number of the task; 0 as long as it is none. */
  task: number;
}

/** Children that one function started. */
interface Family {
  readonly job: ProgramFrame;
  /** Who called it first. */
  readonly caller: ProgramFrame;
  readonly children: Set<Child>;
  endedAt: number;
  /** Tasks that ended and were followed by none yet. */
  readonly ended: number[];
  /** The promise made just before the latest of them was started; 0 for none. */
  root: number;
  /** Whether they were started for a promise each, which is the task then. */
  hasPromises: boolean;
  /** Whether one of them was asked for something more than once: then what they are asked for are tasks, and they are the lanes. */
  areLanes: boolean;
  /** Number of the group, once it is told for a pool. */
  group: number;
}

export class ChildPools {
  private readonly families = new Map<number, Family>();

  constructor(
    private readonly sink: AdapterSink,
    private readonly observer: Observer,
    private readonly stacks: CallStacks,
    private readonly now: () => number,
    private readonly guard: Guard,
  ) {}

  /** A child is about to be started. */
  starts(process: ChildProcess): void {
    // Where a library runs the task, its adapter tells all that is to be known.
    if (this.guard.busy || this.sink.enteredTask || !this.stacks.budget.mayLook()) return;
    this.stacks.passOver = __filename;
    const { frames: [job, caller] } = this.stacks.captureCall(ChildPools.prototype.starts);
    if (!job) return;
    this.flush();
    const start = this.now();
    let family = this.families.get(job.fn);
    if (!family) this.families.set(job.fn, (family = { job, caller: caller ?? job, children: new Set(), endedAt: -Infinity, ended: [], root: 0, hasPromises: false, areLanes: false, group: 0 }));
    const { latestRoot } = this.observer;
    if (latestRoot !== 0 && family.root !== 0 && latestRoot !== family.root) family.hasPromises = true;
    family.root = latestRoot;
    const child: Child = { process: new WeakRef(process), start, by: this.observer.running, end: NaN, task: 0 };
    const atWork = [...family.children].filter(({ end }) => Number.isNaN(end));
    // What starts in a reaction is a promise's work, unless the function that runs has left another one at work.
    const isOwn = !this.observer.isReacting || (child.by !== 0 && atWork.some(({ by }) => by === child.by));
    const isNext = isOwn && start - family.endedAt <= WAKE_MS && atWork.length > 0;
    // One that starts behind no new promise, though others did, comes from a queue that the promises wait in.
    if (isNext && latestRoot === 0) family.hasPromises = false;
    if (!this.follow(process, child, family)) return;
    family.children.add(child);
    if (family.group !== 0) this.begin(family, child);
    else if (isNext && !family.hasPromises && !family.areLanes && family.children.size >= MIN_TASKS) {
      family.group = this.sink.writeCallbackGroup(family.caller, family.job, 0);
      this.tellAll(family);
    }
    if (family.group !== 0) {
      // The callback that starts it is that of the child which ended first of those that none was started for.
      const ended = family.ended.shift();
      if (ended !== undefined) this.sink.writeSettledPromise(ended);
    } else if (family.children.size > MAX_KEPT) for (const oldest of family.children) { family.children.delete(oldest); break; }
  }

  /** A child is sent a second message. */
  asksAgain(process: ChildProcess): void {
    for (const family of this.families.values()) for (const child of family.children) if (child.process.deref() === process) family.areLanes = true;
  }

  /** Tells of children that ended since the last time: only now it is known how. */
  flush(): void {
    for (const family of this.families.values()) {
      if (family.group !== 0) for (const child of [...family.children]) if (!Number.isNaN(child.end)) this.end(family, child);
    }
  }

  /** In the order in which it happened: lanes are taken and freed by that. */
  private tellAll(family: Family): void {
    const { children } = family;
    const ended = [...children].filter(({ end }) => !Number.isNaN(end)).sort((a, b) => a.end - b.end);
    for (const child of [...children]) {
      while (ended.length > 0 && ended[0].end <= child.start) this.end(family, ended.shift());
      this.begin(family, child);
    }
  }

  private begin({ group }: Family, child: Child): void { child.task = this.sink.writeTaskSince(group, child.start); }

  private end({ children, ended }: Family, child: Child | undefined): void {
    if (!child) return;
    children.delete(child);
    this.sink.writeEndAt(child.task, hasFailed(child.process.deref()), child.end);
    if (ended.push(child.task) > MAX_KEPT) ended.shift();
  }

  /** @returns whether its end will be heard */
  private follow(process: ChildProcess, child: Child, family: Family): boolean {
    const handle: unknown = getOwnPropertyDescriptor(process, '_handle')?.value;
    if (typeof handle !== 'object' || handle === null) return false;
    const { onexit } = handle as { onexit?: unknown };
    if (typeof onexit !== 'function') return false;
    const ended = (): void => { if (Number.isNaN(child.end)) child.end = family.endedAt = this.now(); };
    putAccessor(handle, 'onexit', {
      enumerable: true,
      get() { ended(); return onexit; },
      set(value) { putValue(handle, 'onexit', value); },
    });
    return true;
  }
}

/** Whether a child gave another code than 0, or was killed. */
const hasFailed = (process: ChildProcess | undefined): boolean => process !== undefined && ((process.exitCode ?? 0) !== 0 || process.signalCode !== null);
