/**
 * Who let whom in. Behind a limiter, what a task is told by ends a few runs of code after its work, in which the next one may have been let in:
 *
 *   work    ├▇▇▇▇▇▇┤          the task was over when the next one began,
 *   promise ├▇▇▇▇▇▇▇▇┤        which no limiter would have let in before
 *   next           ├▇▇▇▇▇┤
 */
import type { TaskDraft } from '../drafts';
import { NO_WORK_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import type { PromiseNode } from '../promises/promise-node';
import { headOf, isBehind, sourceOf } from '../promises/chain-links';
import { workOf } from '../promises/work-of';
import { isInside } from '../promises/scopes';

/** Tasks that are kept in mind; those that began or ended within a moment of one another are fewer. */
const MAX_LATEST = 256;

export class Handovers {
  private readonly begun: TaskDraft[] = [];
  private readonly ended: TaskDraft[] = [];
  /** Of all, at the latest: most handovers are ruled out by these, without a look at each. */
  private latestStart = -Infinity;
  private latestEnd = -Infinity;

  /**
   * @param releaseFor what told a member that it may begin, if it waited for that
   * @param workFor the call that a member's work is
   * @param startOf when a task began, as far as is known by now: milliseconds after the run's `timeOrigin`
   */
  constructor(
    private readonly releaseFor: (member: PromiseNode) => PromiseNode | undefined, private readonly workFor: (member: PromiseNode) => PromiseNode, private readonly startOf: (task: TaskDraft) => number, private readonly loop: LoopEntries,
  ) {}

  /** A task begins. @returns those that had let it in, and ended only then */
  begin(task: TaskDraft): TaskDraft[] {
    remember(this.begun, task);
    this.latestStart = Math.max(this.latestStart, task.start);
    if (this.latestEnd <= task.start) return [];
    return this.ended.filter((before) => this.isHandover(before, before.end, task));
  }

  /** A task ends. @returns when it was over: milliseconds after the run's `timeOrigin` */
  end(task: TaskDraft, end: number): number {
    remember(this.ended, task);
    this.latestStart = Math.max(this.latestStart, task.start);
    this.latestEnd = Math.max(this.latestEnd, end, task.start);
    const latest = this.begun.at(-1);
    if (!this.isAtOnce(this.latestStart, end) && !(latest && isOfOneRun(task, latest))) return end;
    const next = this.begun.find((one) => one !== task && this.isHandover(task, end, one));
    return next ? endBefore(task, this.startOf(next)) : end;
  }

  private isHandover(before: TaskDraft, end: number, next: TaskDraft): boolean {
    return end > next.start && (this.isAtOnce(next.start, end) || isOfOneRun(before, next)) && this.letsIn(before, next) && end > this.startOf(next);
  }

  /** Whether no work was done between two times: too little for that, or only such as code did for others, in one go. */
  private isAtOnce(time: number, end: number): boolean { return this.loop.isRightBehind(end, time, NO_WORK_MS); }

  private letsIn(before: TaskDraft, next: TaskDraft): boolean {
    const [work, following] = [this.workFor(before.work), this.workFor(next.work)];
    const release = this.releaseFor(next.work);
    if (work !== before.work && work.ended <= next.start) return worksLetIn(work, following, release);
    // `finally { await slot.release(); }`: its own code did; so it did with `finally { waiting.shift()?.(); }`, where that begins the next one's work.
    const own = sourceOf(before.work);
    return isInside(release ? release.settledBy : following.owner, (node) => node === own || node === work);
  }
}

/** Whether a task's code ended in the run in which another one's work began: behind one wait. */
function isOfOneRun({ work: before }: TaskDraft, { work: next }: TaskDraft): boolean {
  const { begunBehind } = workOf(next);
  return begunBehind !== 0 && (begunBehind === sourceOf(before).endedBehind || begunBehind === workOf(before).endedBehind);
}

/** When a task was over that had let another one in: with its work, if that is all there was of it. @param start of the other one */
export function endBefore({ work: member, start: own }: TaskDraft, start: number): number {
  const work = workOf(member);
  return Math.max(work.ended <= start && start - work.ended < NO_WORK_MS ? work.ended : start, own);
}

function remember(latest: TaskDraft[], task: TaskDraft): void {
  latest.push(task);
  if (latest.length > 2 * MAX_LATEST) latest.splice(0, MAX_LATEST);
}

/** Whether what somebody did behind a task's work let another one begin: it settled what that waited for, or began it. */
function worksLetIn(work: PromiseNode, { madeIn, owner }: PromiseNode, release: PromiseNode | undefined): boolean {
  const gate = release ?? (madeIn && headOf(madeIn));
  const isBehindWork = (reaction: PromiseNode | undefined): boolean => reaction !== undefined && isBehind(reaction, work);
  const hasAwaited = (by: PromiseNode | undefined): boolean =>
    isInside(by, ({ lastWait, waitedFor }) => [lastWait, waitedFor].some((wait) => wait !== undefined && sourceOf(wait) === work));
  // `finally { release(); }`: the work itself did.
  const isWorks = isInside(gate?.settledBy ?? owner, (node) => node === work);
  return isWorks || isBehindWork(gate?.settledIn) || hasAwaited(gate?.settledBy) || (!release && (isBehindWork(madeIn) || hasAwaited(owner)));
}
