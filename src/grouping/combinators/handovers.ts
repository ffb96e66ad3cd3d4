/**
 * Who let whom in. Behind a limiter, what a task is told by ends a few runs of code after its work, in which the next one may have been let in:
 *
 *   work    ├▇▇▇▇▇▇┤          the task was over when the next one began,
 *   promise ├▇▇▇▇▇▇▇▇┤        which no limiter would have let in before
 *   next           ├▇▇▇▇▇┤
 */
import type { TaskDraft } from '../drafts';
import { NO_WORK_MS } from '../moments';
import { isBehind, sourceOf, workOf, type PromiseNode } from '../promises/promise-node';
import { isInside } from '../promises/scopes';

/** Tasks that are kept in mind; those that began or ended within a moment of one another are fewer. */
const MAX_LATEST = 256;

export class Handovers {
  private readonly begun: TaskDraft[] = [];
  private readonly ended: TaskDraft[] = [];

  /** @param releaseOf what told a task that it may begin, if it waited for that */
  constructor(private readonly releaseOf: (task: TaskDraft) => PromiseNode | undefined) {}

  /** A task begins. @returns those that had let it in, and ended only then */
  begin(task: TaskDraft): TaskDraft[] {
    remember(this.begun, task);
    return this.ended.filter((before) => this.isHandover(before, before.end, task));
  }

  /** A task ends. @returns when it was over: milliseconds after the run's `timeOrigin` */
  end(task: TaskDraft, end: number): number {
    remember(this.ended, task);
    const next = this.begun.find((one) => one !== task && this.isHandover(task, end, one));
    return next ? endBefore(task, next) : end;
  }

  private isHandover(before: TaskDraft, end: number, next: TaskDraft): boolean {
    if (!(end > next.start && end - next.start < NO_WORK_MS)) return false;
    const work = workOf(before.work);
    return work !== before.work && work.ended <= next.start && letsIn(work, next.work, this.releaseOf(next));
  }
}

/** When a task was over that had let another one in: with its work, if that is all there was of it. */
export function endBefore({ work: member, start }: TaskDraft, next: TaskDraft): number {
  const work = workOf(member);
  return Math.max(next.start - work.ended < NO_WORK_MS ? work.ended : next.start, start);
}

function remember(latest: TaskDraft[], task: TaskDraft): void {
  latest.push(task);
  if (latest.length > 2 * MAX_LATEST) latest.splice(0, MAX_LATEST);
}

/** Whether what somebody did behind a task's work let another one begin. */
function letsIn(work: PromiseNode, next: PromiseNode, release: PromiseNode | undefined): boolean {
  const { madeIn, owner } = workOf(next);
  const reaction = release ? release.settledIn : madeIn;
  if (reaction && isBehind(reaction, work)) return true;
  return isInside(release ? release.settledBy : owner, ({ lastWait, waitedFor }) => [lastWait, waitedFor].some((wait) => wait !== undefined && sourceOf(wait) === work));
}
