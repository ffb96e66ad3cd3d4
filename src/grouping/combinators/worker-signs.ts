/**
 * What tells of those who call one place again and again whether they are workers that share what there is to do, tasks with a loop of
 * their own, or only ask for work there: by when they go home, and by what they do before, between and behind their turns.
 */
import type { GroupDraft, TaskDraft } from '../drafts';
import { asksForDone, isBetween, isMapped } from './loops';
import { NO_WAIT_MS } from '../moments';
import { asksForWork } from '../promises/asking';
import { arePauses, areWaits } from '../promises/pauses';
import { topOf, type Place } from '../promises/places';
import { inOrder, type CallPlace, type PromiseNode } from '../promises/promise-node';

/** Functions that work off what there is, or what was dealt out to them. A guess by name. */
const WORKERS = /worker|lane|rail|runner|consumer|thread|slot|crew|drain|pump|next|loop|pull|part|shard|chunk|batch|range|slice|stri[dp]e|segment|bucket/i;

const nameOf = ({ stack }: PromiseNode): string => topOf(stack)?.place.lastName ?? '';

export class WorkerSigns {
  /** Turns that followed another one of their worker's, of which the one before has failed; and all that did. */
  private retries = 0;
  private repeats = 0;
  /** When the first worker went home without a failure, and the first that had done no more than one turn; and when the latest turn began. */
  private homeAt = Infinity;
  private homeAfterOne = Infinity;
  private latestTurn = -Infinity;
  /** When workers called what comes before a turn of theirs that has not begun yet. */
  private readonly preparedAt = new Map<PromiseNode, number>();
  /** Turns that followed another one behind a pause, which came before no worker's first; and whether one went home without a pause behind his last turn. */
  private looks = 0;
  private pausesFirst = false;
  private leftAtOnce = false;
  /** Whether each turn was a promise that its worker made itself, and no call. */
  private areInline = true;
  /** How many turns workers have begun, and how many of them more than one. */
  private readonly turnCounts = new Map<PromiseNode, number>();
  private repeating = 0;
  /** The single turn of the worker that went home last, where it did no more; and whether one that went home after a single turn had not failed in it. */
  private onlyTurn: TaskDraft | undefined;
  private hasSucceededAtOnce = false;
  /** Whether one that went home had waited for something besides its turns. */
  private hasSteps = false;
  /** Whether one called its place by a name that asks for work, and whether one called other work. */
  private asks = false;
  private asksForDone = false;
  private worksElsewhere = false;

  /**
   * @param place where the workers call again and again
   * @param draft their turns
   * @param lanes the workers, by now and later: the pool takes them in
   */
  constructor(private readonly place: Place, private readonly draft: GroupDraft, private readonly lanes: ReadonlyMap<PromiseNode, number>) {}

  /** A worker begins a turn with a call. @param before its turn before, which is over */
  began(worker: PromiseNode, call: PromiseNode, before: TaskDraft | undefined): void {
    this.asks ||= asksForWork(call);
    this.areInline &&= !call.isAsyncFunction && topOf(call.stack)?.place.fn === this.place.fn;
    this.asksForDone ||= asksForDone(worker, call);
    if (before) {
      const haveLooked = this.looks === this.repeats;
      this.repeats++;
      if (!this.isRepeating(worker)) this.repeating++;
      if (before.rejected) this.retries++;
      if (haveLooked && hasPausedBetween(worker, before.start, call.made)) this.looks++;
    } else this.pausesFirst ||= hasPausedBetween(worker, -Infinity, call.made);
    this.turnCounts.set(worker, (this.turnCounts.get(worker) ?? 0) + 1);
    this.latestTurn = Math.max(this.latestTurn, this.preparedAt.get(worker) ?? call.made);
    this.preparedAt.delete(worker);
  }

  /** A worker called what comes before its next turn, as a gate: it has its piece of work by then. */
  prepares(worker: PromiseNode, { made }: PromiseNode): void { if (!this.preparedAt.has(worker)) this.preparedAt.set(worker, made); }

  /** A worker called another place. */
  calledElsewhere(calls: CallPlace): void { this.worksElsewhere ||= !arePauses(calls); }

  /** A turn that another one of its worker's has followed is known to have failed only now. */
  failedBefore(): void { this.retries++; }

  /** A worker is through without a failure. @param last its last turn */
  wentHome(worker: PromiseNode, last: TaskDraft | undefined): void {
    this.homeAt = Math.min(this.homeAt, worker.ended);
    if (last) this.leftAtOnce ||= !hasPausedBetween(worker, last.start, worker.ended);
    if (!this.isRepeating(worker)) {
      this.homeAfterOne = Math.min(this.homeAfterOne, worker.ended);
      this.onlyTurn = last;
    }
    this.hasSteps ||= worker.scope?.calls?.some((calls) => calls.place !== this.place && !isBetween(calls) && calls.nodes.some((node) => node.ended - node.made > NO_WAIT_MS)) === true;
  }

  /** How a turn fared is told only after its worker went home: something has come in since. */
  judgeHomes(): void {
    if (this.onlyTurn?.rejected === false && !this.onlyTurn.work.rejected) this.hasSucceededAtOnce = true;
    this.onlyTurn = undefined;
  }

  /** Whether a worker has begun more than one turn. */
  isRepeating(worker: PromiseNode): boolean { return (this.turnCounts.get(worker) ?? 0) > 1; }

  /**
   * Whether they are tasks with a loop of their own. One was through while others went on to new turns, so they share no
   * work; and either none called the place again but after a failure, or that one did so not once, or did other work besides:
   * what is left are those to whom all work was dealt out before. Or one was through after a turn that did not fail, and none
   * called the place again but after a failure. Or few did, and paused only then: they look again at what was not ready. Or one was through
   * while others went on, and timers that they set themselves were all they did: of what is dealt out before, each piece is some function's work.
   */
  get areTasks(): boolean {
    const { isHomeEarly } = this;
    return this.homeAfterOne < this.latestTurn || (isHomeEarly && this.hasSteps) || (this.areRetries && (isHomeEarly || this.hasSucceededAtOnce)) || this.areLooks || (isHomeEarly && this.areInlineTimers);
  }

  /** Whether they only ask for work at the place, and do it elsewhere. */
  get onlyAsks(): boolean { return this.asksForDone || (this.asks && this.worksElsewhere); }

  /**
   * Whether they were tasks, once all are through, with as many turns as each happened to have, of functions that a list was mapped to: one was through
   * while others went on. What has no name may be rails all the same to which work is dealt out before, where the numbers of turns tell nothing else.
   */
  get hadRows(): boolean { return this.isHomeEarly && this.areMapped && (this.isNamed || !this.areDealtOut); }

  /** Whether one was through while others went on to new turns: they share no work, unless more of it comes behind that. */
  get isHomeEarly(): boolean { return this.homeAt < this.latestTurn; }

  /** Whether they are what a list was mapped to, by a name that does not tell of workers or of what is dealt out to them. */
  get areMapped(): boolean { return [...this.lanes.keys()].every((worker) => isMapped(worker) && !WORKERS.test(nameOf(worker))); }

  /** Whether their function has a name. */
  get isNamed(): boolean { return [...this.lanes.keys()].some((worker) => nameOf(worker) !== ''); }

  /** Whether all had as many turns. */
  get areEven(): boolean { return new Set(this.counts).size === 1; }

  private get areLooks(): boolean { return this.repeats > 0 && this.looks === this.repeats && this.leftAtOnce && !this.pausesFirst && this.repeating * 2 <= this.lanes.size; }
  private get areInlineTimers(): boolean { return this.areInline && [...this.draft.recentTasks].every(({ work }) => work.byTimer || work.isPending); }
  private get areRetries(): boolean { return this.repeats > 0 && this.retries === this.repeats; }

  /** Those that come first may get one turn more, or the last one what is left. */
  private get areDealtOut(): boolean {
    const { counts } = this;
    const [first] = counts;
    return counts.every((count, at) => count <= (counts[at - 1] ?? first) && count >= first - 1) || counts.slice(0, -1).every((count) => count === first);
  }

  /** How many turns each has begun, in the order in which they were called. */
  private get counts(): number[] { return inOrder(this.lanes.keys()).map((worker) => this.turnCounts.get(worker) ?? 0); }
}

/** Whether a worker has only let time go by somewhere in between. */
const hasPausedBetween = ({ scope }: PromiseNode, from: number, to: number): boolean =>
  scope?.calls?.some((calls) => (calls.nodes.findLast(({ made }) => made < to)?.made ?? -Infinity) > from && areWaits(calls)) === true;
