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
const BURST_TASKS = 3;
/** Helpers that only wait. A guess by name: nothing else tells a pause from a task that waits for a timer. */
const PAUSE = /^(?:sleep|delay|wait|pause|tick|nextTick|setTimeout)$/i;

/** Calls of one function under one anchor. */
export class Family {
  readonly nodes: PromiseNode[] = [];
  draft: GroupDraft | undefined;
  /** True once its calls turned out to be another group's work. */
  private isOthers = false;
  private collected = false;
  private collectFrame: Stack | undefined;
  private active = new Set<PromiseNode>();
  private peak = 0;
  private refills = 0;
  private ends = 0;
  private drawn = 0;

  /** @param libraryCall the latest library call that made the function's calls */
  constructor(private readonly thread: number, public libraryCall: PromiseNode | undefined) {}

  /** Whether some of its calls still run. */
  get isActive(): boolean { return this.active.size > 0; }

  /** Calls come in the order in which they were made. */
  add(node: PromiseNode): void {
    if (this.ends > 0 && this.active.size > 0) this.refills++;
    this.nodes.push(node);
    if (node.isPending) this.active.add(node);
    else this.ends++;
    this.peak = Math.max(this.peak, this.active.size);
    this.judge();
  }

  /** A loop that awaits one call at a time is over where a call begins beside another. */
  get isLoopOnly(): boolean { return this.draft?.facts.kind === 'sequential'; }

  /** Takes the calls that still run out of a loop: they are the first of something else. */
  split(): PromiseNode[] {
    const rest = this.nodes.splice(this.nodes.length - this.active.size);
    this.active.clear();
    for (const node of rest) {
      if (node.task?.group !== this.draft || !node.task) continue;
      this.draft?.remove(node.task);
      this.open.splice(this.open.indexOf(node.task), 1);
    }
    this.drawn = Math.min(this.drawn, this.nodes.length);
    this.opened = Math.min(this.opened, this.draft?.tasks.length ?? 0);
    return rest;
  }

  /** Its calls are another group's tasks after all. @returns the group it had made of them */
  giveUp(): GroupDraft | undefined {
    const { draft } = this;
    this.isOthers = true;
    this.draft = undefined;
    return draft;
  }

  /** Brings the group up to date, if it is one. */
  update(): GroupDraft | undefined {
    if (this.draft) this.draw(this.draft);
    return this.draft;
  }

  /** Judged with each call, not with each look at the family: what it is must not hang on when somebody looks. */
  private judge(): void {
    if (this.isOthers) return;
    if (!this.isAwaited()) return;
    const isPool = this.peak > 1 && this.refills > 0 && this.nodes.length >= POOL_TASKS;
    const isLoop = this.peak === 1 && this.nodes.length >= LOOP_TASKS && !this.isPause();
    if (!isPool && !isLoop) return;
    // Pauses inside of tasks whose code we lost sight of.
    if (isPool && this.isPause() && !this.libraryCall && !this.collected) return;
    if (!this.draft && this.nodes.some(isTaken)) { this.isOthers = true; return; }
    const kind = isPool || this.libraryCall ? 'pool' : 'sequential';
    this.draft ??= new GroupDraft({
      thread: this.thread, kind, library: this.libraryCall && libraryMaking(this.libraryCall), combinator: undefined,
      site: this.site(), taskSite: taskSiteOf(this.nodes[0]), declared: undefined,
    });
    this.draft.change({ kind });
  }

  /** One of its calls has settled. */
  settle(node: PromiseNode): void {
    if (!this.active.delete(node)) return;
    if (++this.ends === 1) this.judgeBurst();
  }

  /** `forEach(async …)`: calls made in one go, nobody waits for any of them, and the first is only now through. */
  private judgeBurst(): void {
    const [first] = this.nodes;
    if (this.draft || this.isOthers || this.libraryCall || this.nodes.length < BURST_TASKS || first.ended <= first.made) return;
    if (!this.nodes.every((node) => node.isAsyncFunction && node.tick === first.tick && !node.consumed && !isTaken(node))) return;
    this.draft = new GroupDraft({
      thread: this.thread, kind: 'all', library: undefined, combinator: undefined, site: this.site(), taskSite: taskSiteOf(first), declared: undefined,
    });
  }

  /** A `race` or `all` over its tasks tells where the pool stands. */
  collectedAt(frame: Stack, isRace: boolean): void {
    if (this.libraryCall || (!isRace && this.collected)) return;
    this.collected = true;
    this.draft?.change({ site: siteOf(frame) });
    this.collectFrame = frame;
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
    const ended = this.open.filter((task) => endOf(task.work).ended <= time)
      .sort((a, b) => endOf(a.work).ended - endOf(b.work).ended || a.ordinal - b.ordinal);
    for (const task of ended) {
      const by = endOf(task.work);
      by.endsTask = task;
      task.finish(by.ended, by.rejected, false);
      draft.touch(task);
      draft.freeRail(task);
      this.open.splice(this.open.indexOf(task), 1);
    }
  }

  /** Somebody took the results so far; a listener called by events has nobody waiting for it. */
  private isAwaited(): boolean { return this.nodes.slice(0, LOOP_TASKS - 1).every((node) => node.consumed || node.isPending); }

  private isPause(): boolean {
    const [first] = this.nodes;
    return !first.isAsyncFunction && PAUSE.test(topOf(first.stack)?.place.name ?? '');
  }

  private site(): ReturnType<typeof siteOf> | undefined {
    const [first] = this.nodes;
    const called = userFrame(topOf(first.stack)?.callers);
    const frame = this.libraryCall ? (userFrame(this.libraryCall.stack) ?? called) : (this.collectFrame ?? callFrameOf(first));
    return frame && siteOf(frame);
  }
}

/** A task's end is when its library is through with it: after a timeout that is before the work's own. */
function endOf(node: PromiseNode): PromiseNode {
  const { owner } = node;
  return owner && !isUserCall(owner) && libraryMaking(owner) !== undefined && (owner.ended < node.ended || (node.isPending && !owner.isPending)) ? owner : node;
}

/** Whether a call is a task already, or at work inside of one. */
const isTaken = (node: PromiseNode): boolean => node.isClaimed || standsFor(node)
  || isInside(node, (at) => at.task?.group !== undefined || at.awaitingCall?.holdsTasks === true);

/** Whether an element of a combinator was resolved with the promise: then it is the work of that element. */
function standsFor(node: PromiseNode): boolean {
  let at = node.adoptedBy;
  for (let steps = 0; at && steps < 64; steps++) {
    if (at.elementOf?.holdsTasks) return true;
    at = at.adoptedBy;
  }
  return false;
}

/** Whether the promise is the result of a call of a function, and not made by the running code itself or by a generator's step. */
function isCall(node: PromiseNode): boolean {
  if (!isUserCall(node)) return false;
  if (node.isAsyncFunction) return true;
  const frame = topOf(node.stack);
  if (!frame || node.stack?.place.name === 'next') return false;
  const { fn, startLine, startColumn, name } = frame.place;
  const isModule = name === '' && startLine === 1 && startColumn === 1;
  return !isModule && fn !== topOf(node.owner?.stack)?.place.fn;
}

/** The owner called more than one function. */
const MIXED = Symbol('mixed');

/** All families of one thread. */
export class Families {
  private readonly byKey = new Map<string, Family>();
  private readonly asyncFunctions = new Set<string>();
  private readonly byLibrary = new Map<string, Family>();
  private readonly byOwner = new Map<PromiseNode, Family | typeof MIXED>();
  private readonly races = new Map<PromiseNode | undefined, Stack>();
  private readonly touched = new Set<Family>();

  constructor(private readonly thread: number) {}

  /** A `race` waits for a free slot in the running function: that is where its pool stands. */
  racedAt(owner: PromiseNode | undefined, frame: Stack): void { this.races.set(owner, frame); }

  /** @returns the family the call belongs to; undefined where it cannot be anybody's task. */
  add(node: PromiseNode): Family | undefined {
    const family = node.stack ? this.place(node) : this.guess(node);
    if (!family) return undefined;
    if (family.isLoopOnly && family.isActive) return this.beginAnew(family, node);
    const race = this.races.get(node.owner);
    if (race) family.collectedAt(race, true);
    family.add(node);
    node.family = family;
    this.touched.add(family);
    return family;
  }

  private beginAnew(loop: Family, node: PromiseNode): Family {
    const family = new Family(this.thread, loop.libraryCall);
    for (const [key, value] of this.byKey) if (value === loop) this.byKey.set(key, family);
    for (const [owner, value] of this.byOwner) if (value === loop) this.byOwner.set(owner, family);
    for (const call of [...loop.split(), node]) {
      call.family = family;
      family.add(call);
    }
    this.touched.add(loop);
    this.touched.add(family);
    return family;
  }

  /** Nobody looked at where it was made: it is like what its owner called before, where that was always the same. */
  private guess(node: PromiseNode): Family | undefined {
    const known = node.owner && this.byOwner.get(node.owner);
    return known === MIXED ? undefined : known;
  }

  private place(node: PromiseNode): Family | undefined {
    if (!isCall(node)) return undefined;
    const fn = functionKeyOf(node);
    // In an async function every other promise is made by its body: the call is the function's own promise.
    if (node.isAsyncFunction) this.asyncFunctions.add(fn);
    else if (this.asyncFunctions.has(fn)) return undefined;
    if (!fn) return undefined;
    const { user, library } = anchorOf(node);
    // The library goes on in the wake of a task that ended: the next one is that one's neighbour, not its child.
    const neighbour = library && user && user !== node && functionKeyOf(user) === fn ? user.family : undefined;
    if (neighbour) return neighbour;
    const by = `${fn}|${(library && libraryMaking(library)) ?? ''}`;
    // Resumed by the library's own queue, out of sight of the call that filled it: it goes on with what there is.
    const lost = library && !user && !userFrame(library.stack) ? this.byLibrary.get(by) : undefined;
    const family = lost ?? this.familyOf(`${by}|${user?.id ?? 0}`, library);
    if (library) this.byLibrary.set(by, family);
    if (node.owner) this.byOwner.set(node.owner, (this.byOwner.get(node.owner) ?? family) === family ? family : MIXED);
    return family;
  }

  touch(family: Family): void { this.touched.add(family); }

  /** A promise has settled: it may be somebody's task. */
  settled(node: PromiseNode): void {
    const { family } = node;
    if (!family) return;
    family.settle(node);
    this.touched.add(family);
  }

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
    // A library call made after the one before had ended is another run of the pool.
    const before = family?.libraryCall;
    if (!family || (before && library && before !== library && !family.isActive && userFrame(library.stack) && before.ended < library.made)) {
      family = new Family(this.thread, library);
      this.byKey.set(key, family);
    }
    // The user's place is known of the calls made on the user's own stack.
    if (library && userFrame(library.stack)) family.libraryCall = library;
    return family;
  }
}
