/**
 * Pools and loops that no combinator holds together: calls of one function of the user's, under one running function or
 * one library call. A pool is told from a burst by starts that follow ends while others still run.
 */
import { GroupDraft, TaskDraft } from './drafts';
import { siteOf, topOf, userFrame, type Stack } from './places';
import { functionKeyOf, isUserCall, libraryMaking, type PromiseNode } from './promise-node';
import { anchorOf, callFrameOf, isInside } from './scopes';
import { taskSiteOf } from './series';

const POOL_TASKS = 3;
const LOOP_TASKS = 3;
/** Helpers that only wait. A guess by name: nothing else tells a pause from a task that waits for a timer. */
const PAUSE = /^(?:sleep|delay|wait|pause|tick|nextTick|setTimeout)$/i;

/** Calls of one function under one anchor. */
export class Family {
  readonly nodes: PromiseNode[] = [];
  draft: GroupDraft | undefined;
  /** Where a `race` over its tasks is awaited. */
  raceFrame: Stack | undefined;
  private active = new Set<PromiseNode>();
  private peak = 0;
  private refills = 0;
  private ends = 0;
  private drawn = 0;

  constructor(private readonly thread: number, private readonly libraryCall: PromiseNode | undefined) {}

  /** Calls come in the order in which they were made. */
  add(node: PromiseNode): void {
    this.retire(node.made);
    if (this.ends > 0 && this.active.size > 0) this.refills++;
    this.nodes.push(node);
    this.active.add(node);
    this.peak = Math.max(this.peak, this.active.size);
  }

  /** Judges the family anew and brings its group up to date. @returns the group, if it is one. */
  update(): GroupDraft | undefined {
    const isPool = this.peak > 1 && this.refills > 0 && this.nodes.length >= POOL_TASKS;
    const isLoop = this.peak === 1 && this.nodes.length >= LOOP_TASKS && this.nodes.every((node) => node.consumed || node.isPending);
    if (!this.draft && !isPool && !(isLoop && !this.isPause())) return undefined;
    if (!this.draft && this.nodes.some((node) => isTaken(node))) return undefined;
    const kind = isPool || this.libraryCall ? 'pool' : 'sequential';
    this.draft ??= new GroupDraft({
      thread: this.thread, kind, library: this.libraryCall && libraryMaking(this.libraryCall), combinator: undefined,
      site: this.site(), taskSite: taskSiteOf(this.nodes[0]), declared: undefined,
    });
    this.draft.change({ kind, ...(this.raceFrame && !this.libraryCall ? { site: siteOf(this.raceFrame) } : {}) });
    this.draw(this.draft);
    return this.draft;
  }

  private draw(draft: GroupDraft): void {
    for (; this.drawn < this.nodes.length; this.drawn++) {
      const node = this.nodes[this.drawn];
      this.finishUntil(draft, node.made);
      const task = new TaskDraft(node, node.made);
      node.task = task;
      draft.add(task, 0, 0);
    }
    this.finishUntil(draft, Infinity);
  }

  private readonly open: TaskDraft[] = [];
  private opened = 0;

  private finishUntil(draft: GroupDraft, time: number): void {
    for (; this.opened < draft.tasks.length; this.opened++) this.open.push(draft.tasks[this.opened]);
    const ended = this.open.filter((task) => task.work.ended <= time).sort((a, b) => a.work.ended - b.work.ended || a.ordinal - b.ordinal);
    for (const task of ended) {
      task.finish(task.work.ended, task.work.rejected, false);
      draft.touch(task);
      draft.freeRail(task);
      this.open.splice(this.open.indexOf(task), 1);
    }
  }

  private retire(time: number): void {
    for (const node of this.active) {
      if (!(node.ended <= time)) continue;
      this.active.delete(node);
      this.ends++;
    }
  }

  private isPause(): boolean {
    const [first] = this.nodes;
    return !first.isAsyncFunction && PAUSE.test(topOf(first.stack)?.place.name ?? '');
  }

  private site(): ReturnType<typeof siteOf> | undefined {
    const frame = this.libraryCall ? userFrame(this.libraryCall.stack) : callFrameOf(this.nodes[0]);
    return frame && siteOf(frame);
  }
}

/** Whether a call is a task already, or at work inside of one. */
const isTaken = (node: PromiseNode): boolean => isInside(node, (at) => at.task?.group !== undefined || at.elementOf !== undefined);

/** All families of one thread. */
export class Families {
  private readonly byKey = new Map<string, Family>();
  private readonly touched = new Set<Family>();

  constructor(private readonly thread: number) {}

  /** @returns the family the call belongs to; undefined where it cannot be anybody's task. */
  add(node: PromiseNode): Family | undefined {
    if (!isUserCall(node)) return undefined;
    const fn = functionKeyOf(node);
    if (!fn) return undefined;
    const { user, library } = anchorOf(node);
    const family = this.familyOf(`${fn}|${user?.id ?? 0}|${library?.id ?? 0}`, library);
    family.add(node);
    this.touched.add(family);
    return family;
  }

  touch(family: Family): void { this.touched.add(family); }

  /** @returns the groups there are among the families that something happened to. */
  update(): GroupDraft[] {
    const drafts: GroupDraft[] = [];
    for (const family of this.touched) {
      const draft = family.update();
      if (draft) drafts.push(draft);
    }
    this.touched.clear();
    return drafts;
  }

  private familyOf(key: string, library: PromiseNode | undefined): Family {
    let family = this.byKey.get(key);
    if (!family) this.byKey.set(key, (family = new Family(this.thread, library)));
    return family;
  }
}
