/**
 * Tasks that failed here while a thread was still to answer: it ended over them, or was ended, or nobody waited for it any longer.
 *
 *   here    ──┬─ post ┄┄┄┄┄┄┄┄ failed ──
 *   there        ┄┄┄┄ ▇▇▇▇▇▇▇▇▇▇ no answer
 */
import type { GroupDraft, TaskDraft } from '../drafts';
import type { Peer } from './errands';

/** As many of one group are kept for which no thread was found, and as many groups. */
const MAX_LOST = 64;
const MAX_GROUPS = 256;

export class LostTasks {
  private readonly failed = new Map<GroupDraft, Set<TaskDraft>>();

  /** Those for which no thread was found so far. */
  *[Symbol.iterator](): Generator<TaskDraft> {
    for (const [draft, tasks] of this.failed) for (const task of tasks) if (task.group === draft) yield task;
  }

  /** No promise tells which thread a task was at work in. */
  note(draft: GroupDraft, task: TaskDraft): void {
    if (!task.rejected || Number.isNaN(task.end) || task.elsewhere) return;
    const tasks = this.failed.get(draft) ?? new Set();
    this.failed.set(draft, tasks);
    if (tasks.size < MAX_LOST) tasks.add(task);
    if (this.failed.size > MAX_GROUPS) for (const oldest of this.failed.keys()) { this.failed.delete(oldest); break; }
  }

  /**
   * @param isOver no answer will come any more
   * @returns the threads that such tasks of a group were at work in; each says so once
   */
  found(draft: GroupDraft, peers: Iterable<Peer>, isOver: boolean): ReadonlyMap<TaskDraft, Peer> {
    const found = new Map<TaskDraft, Peer>();
    const tasks = this.failed.get(draft);
    if (!tasks || tasks.size === 0) return found;
    const all = [...peers];
    const owing = isOver ? all.filter(owesAnswer).sort((a, b) => lastSent(a) - lastSent(b)) : [];
    for (const task of [...tasks].sort((a, b) => a.end - b.end)) {
      const ended = all.find((peer) => hasEndedOver(peer, task));
      const peer = ended ?? owing.find((one) => isAskedWithin(one, task));
      if (!peer) continue;
      const question = ended ? peer.log.handled.length - 1 : peer.posted - 1;
      const start = peer.log.handled[question] ?? lastSent(peer);
      task.elsewhere = { start, end: task.end, lane: 0 };
      peer.settled.add(question);
      peer.goneAt = task.end;
      tasks.delete(task);
      found.set(task, peer);
      if (owing.includes(peer)) owing.splice(owing.indexOf(peer), 1);
    }
    return found;
  }
}

/** Whether a thread has ended, and the last message that it had handled by then, while a task was open, was never answered. */
function hasEndedOver({ log: { ended, handled }, settled }: Peer, { start, end }: TaskDraft): boolean {
  const last = handled[handled.length - 1];
  return ended && last >= start && last <= end && !settled.has(handled.length - 1);
}

/** When the latest message was sent to a thread, in milliseconds after the run's `timeOrigin`. */
const lastSent = ({ messages }: Peer): number => messages[messages.length - 1].time;

/** Whether a thread has said nothing since it was last asked for something, no promise was made for that, and none was settled by it. */
const owesAnswer = (peer: Peer): boolean => peer.posted > 0 && !(peer.heardAt > lastSent(peer)) && !peer.settled.has(peer.posted - 1) && !peer.askedFor;

const isAskedWithin = (peer: Peer, { start, end }: TaskDraft): boolean => lastSent(peer) >= start && lastSent(peer) <= end;
