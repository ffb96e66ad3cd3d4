/**
 * Tasks that are at work in another thread or process. Here they last from the call that sends for them to the answer's
 * arrival; there from the message's handling, or where none was needed from the program's begin, to the sending of the answer:
 *
 *   here    ──┬─ post ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ receipt ─┬──
 *   there        ┄┄┄┄ ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇ ┄┄┄┄
 *
 * Messages of one channel arrive in the order in which they were sent: the k-th answer here is the k-th sent there. Which message it answers
 * is known where the code that sends it goes back to the handling of one. Else it is inferred: where there is an answer to each, the k-th, but for
 * those at the start that nobody answers; where more is sent than was asked for, the latest.
 */
import type { PeerFact } from './peer-facts';
import type { LibraryTerms } from '../libraries/library-groups';
import type { GroupDraft, TaskDraft } from '../drafts';
import { locate, resolve, type Errand, type Peer, type PeerKind } from './errands';
import { HeardAnswers, type Heard } from './heard-answers';
import { OwnQueue } from './own-queue';
import { PeerLanes } from './peer-lanes';
import type { PeerLog, PeerLogs } from './peer-log';
import type { LoopEntries } from '../promises/loop-entries';
import { topOf, userFrame, type Place, type Stack } from '../promises/places';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { taskSiteOf } from '../combinators/series';
import { LostTasks } from './lost-tasks';
import { SilentAnswers } from './silent-answers';

/** How long after a task's begin it is sent for at the latest, so that nothing was done before. */
const AT_ONCE_MS = 2;
const MAX_LEVELS = 8;
/** Errands of which more may yet be heard; of a process that tells nothing it never will. */
const MAX_OPEN = 1 << 14;

/** One thread's tasks that are at work in others. */
export class PeerTasks {
  private readonly peers = new Map<number, Peer>();
  private readonly kinds = new Map<Place | undefined, PeerKind>();
  private readonly errands = new Map<PromiseNode, Errand>();
  private readonly byTask = new WeakMap<TaskDraft, Errand>();
  private readonly open = new Set<Errand>();
  private readonly lanes = new WeakMap<GroupDraft, PeerLanes>();
  /** The run of code in which a message of who started this thread is handled; 0 once that has called something. */
  private asked = 0;
  /** Where the handling of a message called something, and in which run of code. */
  private latest: { readonly tick: number; readonly stack: Stack | undefined } | undefined;
  /** What a library called to handle a message, as long as that has not called the program. */
  private listener: PromiseNode | undefined;
  /** The message that is being handled, and those that came along with it. */
  private handling: (Heard & { readonly tick: number }) | undefined;
  private together: Heard[] = [];
  private readonly silent: SilentAnswers;
  private readonly heard: HeardAnswers;
  private readonly lost = new LostTasks();
  private readonly queue: OwnQueue;
  /** What this thread says of itself. */
  private readonly own: PeerLog;
  /** When the latest fact of this thread's was noted, but for ends, in milliseconds after the run's `timeOrigin`. */
  private until = -Infinity;
  /** The thread that the run began with: nobody hands tasks to it. */
  private readonly isFirst: boolean;

  /** @param pid number of its process @param threadId Node's own number of it @param thread `Thread.id` @param loop the thread's own */
  constructor(private readonly logs: PeerLogs, private readonly pid: number, threadId: number, thread: number, private readonly loop: LoopEntries) {
    this.own = logs.of(pid, threadId);
    this.isFirst = thread === 1;
    this.silent = new SilentAnswers(thread);
    this.heard = new HeardAnswers(this.silent);
    this.queue = new OwnQueue(loop);
  }

  /** @returns groups of tasks that no promise stands for, as far as they changed */
  updateSilent(): GroupDraft[] { return this.silent.update(); }

  /** Groups that turned out to be none. */
  get abandoned(): GroupDraft[] { return this.silent.abandoned; }

  /** @param within the library's task whose function runs, if any @returns a call that turns out to be at work for who sent a message */
  take(fact: PeerFact, terms: LibraryTerms, within: TaskDraft | undefined): PromiseNode | undefined {
    const time = fact.time + terms.shift;
    this.until = Math.max(this.until, time);
    if (fact.what === 'entered') { this.begin(time); this.own.isBegun = true; return undefined; }
    if (fact.what === 'peer') {
      const stack = terms.stack(fact.stack);
      const peer: Peer = { log: this.logs.of(fact.pid || this.pid, fact.threadId), kind: this.kindAt(userFrame(stack)?.place), posted: 0, received: 0, started: { stack, time }, messages: [], errand: undefined, askedFor: undefined, heardAt: -Infinity, goneAt: NaN, within, unanswered: Infinity, settles: false, settled: new Set(), silent: new Map(), told: new Map(), isJudged: false };
      this.peers.set(fact.peer, peer);
      peer.errand = this.sendFor(peer, fact.promise, terms);
      return undefined;
    }
    if (fact.peer === 0) {
      this.own.isBegun = true;
      if (fact.what === 'received') {
        this.own.handles(fact.tick, time);
        this.queue.keep();
        // Those that came together are read before the first is handled.
        this.asked = fact.tick || this.asked;
      } else {
        const by = fact.promise > 0 ? terms.promise(fact.promise) : undefined;
        if (!by) { if (fact.putOffIn === 0) this.own.runs(fact.tick); else this.own.putsOff(fact.putOffIn); }
        const waited = by && this.own.owesAnswers ? this.queue.waited(by) : undefined;
        this.own.sends([by ? beginOf(by).tick : 0, fact.putOffIn || fact.tick], time, waited?.made ?? NaN);
        return waited;
      }
      return undefined;
    }
    const peer = this.peers.get(fact.peer);
    if (!peer) return undefined;
    if (fact.what === 'received') {
      peer.kind.hasSpoken = true;
      peer.heardAt = time;
      const heard: Heard = { peer, answer: peer.received++, time, question: -1, settles: false, since: -Infinity };
      if (fact.tick === 0) { this.together.push(heard); return undefined; }
      this.endHandling();
      this.handling = { ...heard, tick: fact.tick };
    } else {
      peer.messages.push({ stack: terms.stack(fact.stack), time });
      const question = peer.posted++;
      const errand = this.sendFor(peer, fact.promise, terms);
      if (errand?.question === -1) errand.question = question;
      peer.askedFor = errand;
      peer.goneAt = NaN;
    }
    return undefined;
  }

  private kindAt(place: Place | undefined): PeerKind {
    let kind = this.kinds.get(place);
    if (!kind) this.kinds.set(place, (kind = { hasSpoken: false }));
    return kind;
  }

  /** Node tells of evaluating an ES module by promises of its own, the last of them right before the code runs. */
  rooted(node: PromiseNode): void {
    this.until = Math.max(this.until, node.made);
    this.own.pool.rooted(node);
    if (!node.owner && !node.inReaction && this.own.runs(node.tick)) this.asked = node.tick;
    if (this.own.isBegun) return;
    const place = topOf(node.stack)?.place;
    if (!node.isAsyncFunction && place?.kind === 'node' && place.file.endsWith('esm/module_job') && place.name.endsWith('run')) this.begin(node.made);
    else if (!Number.isNaN(this.own.begun) && userFrame(node.stack)) this.own.isBegun = true;
  }

  ended(time: number, failed: boolean): void {
    this.own.end(time, failed);
    this.endHandling();
  }

  /** Nothing more comes of the message handled last, nor of those that came along with it. */
  private endHandling(): void {
    if (this.handling) this.heard.add(this.handling);
    this.heard.add(...this.together.splice(0));
    this.handling = undefined;
  }

  /** A promise was settled by code that nothing led to which is known: messages that came together are handled one right after the other. */
  private handleNext(tick: number): void {
    if (!this.handling || tick <= this.handling.tick) return;
    const next = this.together.shift();
    if (!next) return;
    this.heard.add(this.handling);
    this.handling = { ...next, tick };
  }

  /** Whether a call is the handling of a message, or what that called first, a library's listener maybe: its work is the task of who sent the message. */
  isHandling(node: PromiseNode): boolean {
    const { owner, stack, tick } = node;
    const { latest } = this;
    const isSame = latest?.stack !== undefined && !owner && latest.tick === tick && latest.stack === stack && this.own.handlesBeside(tick);
    if (!isSame && (owner ? owner !== this.listener || owner.tick !== tick : this.asked !== tick)) return false;
    if (!owner) {
      this.latest = { tick, stack };
      this.queue.begin();
    }
    this.asked = 0;
    this.listener = isUserCall(node) ? undefined : node;
    return true;
  }

  settled(node: PromiseNode, tick: number): void {
    this.own.pool.settled(node);
    if (!node.settledBy && node.endedBehind === 0 && !node.byTimer) this.handleNext(tick);
    const { handling } = this;
    if (handling?.tick !== tick) return;
    handling.settles = handling.peer.settles = true;
    handling.since = Math.max(handling.since, node.made);
    const errand = this.send(handling.peer, node);
    if (errand.peer === handling.peer) handling.question = errand.question;
    if (errand.answer >= 0) return;
    errand.answer = handling.answer;
    errand.answeredAt = handling.time;
  }

  /** Nothing more will come, of this thread or another. */
  private get isOver(): boolean { return this.own.ended && this.logs.isQuiet; }

  /** Looks what other threads have said by now. @returns tasks of which more is known */
  update(): TaskDraft[] {
    const { isOver } = this;
    this.heard.judge(this.peers.values(), isOver, this.open, (peer) => peer.log.endedAt >= this.until || this.handling?.peer === peer || this.together.some((heard) => heard.peer === peer));
    const changed: TaskDraft[] = isOver ? [...this.lost] : [];
    for (const errand of this.open) {
      const { start, end } = errand;
      if (resolve(errand)) this.open.delete(errand);
      if (Object.is(errand.start, start) && Object.is(errand.end, end)) continue;
      if (errand.task) changed.push(errand.task);
      for (const node of this.standFor(errand)) if (node.task) changed.push(node.task);
    }
    return changed;
  }

  /** A promise is about to be forgotten: what other threads say later still concerns its task. */
  retiring(node: PromiseNode): void {
    this.own.pool.retiring(node);
    const errand = this.errands.get(node);
    if (!errand) return;
    if (errand.node === node) this.standFor(errand);
    this.errands.delete(node);
    if (!node.task || !this.open.has(errand)) return;
    errand.task = node.task;
    this.byTask.set(node.task, errand);
  }

  /** A function that runs a task of a library's, nobody knows of which, is entered or has returned. */
  ran(time: number, returns: boolean): void {
    if (this.isFirst) return;
    if (returns) this.own.pool.leave(); else this.own.pool.enter(time);
  }

  /** What a worker says of itself. @param pid of the process it is; 0 where it is a thread of this one */
  logOf(threadId: number, pid: number): PeerLog { return this.logs.of(pid || this.pid, threadId); }

  /** Whether somebody started this thread who talks to it. */
  get hasCaller(): boolean { return this.own.handled.length > 0 || this.own.sent.length > 0; }

  /** Whether a group's tasks are threads themselves, whose ends somebody waits for, and what these answered is drawn as tasks. */
  isOfThreads(draft: GroupDraft): boolean { return this.peers.size > 0 && this.silent.takeThreads(draft); }

  /** Says of a group's tasks where and when they are at work, and what that makes of the group. */
  place(draft: GroupDraft): void {
    if (this.peers.size === 0) return;
    let lanes = this.lanes.get(draft);
    for (const task of draft.unwritten.slice()) {
      const errand = this.errandOf(task);
      if (!errand) {
        this.lost.note(draft, task);
        continue;
      }
      if (!locate(task, errand, this.loop)) {
        if (errand.isDrawn && Number.isNaN(errand.start)) {
          errand.isDrawn = false;
          task.elsewhere = undefined;
          lanes?.leave(task);
        }
        continue;
      }
      errand.isDrawn = true;
      errand.peer.log.addTask(task);
      if (task === draft.first && task.work === errand.node && !errand.node.isAsyncFunction) draft.change({ taskSite: taskSiteOf(errand.node) ?? draft.facts.taskSite });
      if (!lanes) this.lanes.set(draft, (lanes = new PeerLanes(draft)));
      lanes.take(task, errand.peer);
    }
    if (!lanes) return;
    for (const [task, peer] of this.lost.found(draft, this.peers.values(), this.isOver)) {
      peer.log.addTask(task);
      lanes.take(task, peer);
    }
    lanes.draw();
  }

  /** The task that this thread was at work on for another one. @param time milliseconds after `timeOrigin` */
  taskAt(time: number): TaskDraft | undefined { return this.own.taskAt(time); }

  /** Whether there are more such tasks since the last call. */
  hasMoreTasks(): boolean {
    const { hasMoreTasks } = this.own;
    this.own.hasMoreTasks = false;
    return hasMoreTasks;
  }

  private errandOf(task: TaskDraft): Errand | undefined { return this.errands.get(task.work) ?? this.errands.get(sourceOf(task.work)) ?? this.byTask.get(task); }

  private begin(time: number): void { if (!this.own.isBegun) this.own.begun = time; }

  private sendFor(peer: Peer, promise: number, terms: LibraryTerms): Errand | undefined {
    const node = promise > 0 ? terms.promise(promise) : undefined;
    return node && this.send(peer, node);
  }

  private send(peer: Peer, node: PromiseNode): Errand {
    let errand = this.errands.get(node);
    if (errand) { errand.isShared ||= errand.peer !== peer; return errand; }
    errand = { peer, node, task: undefined, isShared: false, isDrawn: false, question: -1, answer: -1, answeredAt: NaN, start: NaN, end: NaN };
    this.errands.set(node, errand);
    this.open.add(errand);
    if (this.open.size > MAX_OPEN) for (const oldest of this.open) { this.open.delete(oldest); break; }
    return errand;
  }

  /** An errand is known by its promise, and by those whose work that was from their begin on. */
  private standFor(errand: Errand): PromiseNode[] {
    const { node } = errand;
    const nodes: PromiseNode[] = [];
    let at: PromiseNode | undefined = node;
    for (let level = 0; at && !at.isRetired && level < MAX_LEVELS && node.made - begunAt(at) <= AT_ONCE_MS; level++) {
      nodes.push(at);
      this.errands.set(at, errand);
      at = at.adoptedBy ?? at.awaitedBy;
    }
    return nodes;
  }
}

/** The first of what led to a promise. */
function beginOf(promise: PromiseNode): PromiseNode {
  let at = headOf(promise);
  for (let level = 0, before = at.owner ?? at.madeIn; before && level < MAX_LEVELS; level++, before = at.owner ?? at.madeIn) at = headOf(before);
  return at;
}

/** When a call went on to its work: it may have waited for its turn before. */
const begunAt = (call: PromiseNode): number => {
  const { task, turnWait, made } = call;
  if (task?.work === call && task.start > made) return task.start;
  return turnWait && !turnWait.isPending ? turnWait.ended : made;
};
