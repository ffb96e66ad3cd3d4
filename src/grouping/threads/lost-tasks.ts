/**
 * Tasks that failed here while a thread was still to answer: it ended over them, or was ended, or nobody waited for it any longer.
 *
 *   here    ──┬─ post ┄┄┄┄┄┄┄┄ failed ──
 *   there        ┄┄┄┄ ▇▇▇▇▇▇▇▇▇▇ no answer
 */
import type { GroupDraft, TaskDraft } from '../drafts';
import type { Peer } from './errands';

/** As many of one group are kept for which no thread was found. */
const MAX_LOST = 64;

export class LostTasks {
  private readonly failed = new WeakMap<GroupDraft, Set<TaskDraft>>();

  /** No promise tells which thread a task was at work in. */
  note(draft: GroupDraft, task: TaskDraft): void {
    if (!task.rejected || Number.isNaN(task.end) || task.elsewhere) return;
    const tasks = this.failed.get(draft) ?? new Set();
    this.failed.set(draft, tasks);
    if (tasks.size < MAX_LOST) tasks.add(task);
  }

  /** @returns the threads that such tasks of a group are known, or taken, to have been at work in; each says so once */
  found(draft: GroupDraft, peers: Iterable<Peer>): ReadonlyMap<TaskDraft, Peer> {
    const found = new Map<TaskDraft, Peer>();
    const tasks = this.failed.get(draft);
    if (!tasks || tasks.size === 0) return found;
    const owing = [...peers].filter(owesAnswer);
    const take = (task: TaskDraft, peer: Peer, start: number): void => {
      tasks.delete(task);
      found.set(task, peer);
      owing.splice(owing.indexOf(peer), 1);
      peer.settled.add(peer.posted - 1);
      peer.goneAt = task.end;
      task.elsewhere = { start, end: task.end, lane: 0 };
    };
    for (const task of [...tasks].sort((a, b) => a.end - b.end)) {
      const peer = owing.find((one) => hasEndedOver(one, task));
      if (peer) take(task, peer, lastHandled(peer));
    }
    // Of those that are still there, it is known which ones once as few owe an answer as there are such tasks.
    for (const task of [...tasks].sort((a, b) => a.end - b.end)) {
      const asked = owing.filter((one) => isAskedWithin(one, task)).sort((a, b) => lastSent(a) - lastSent(b));
      if (asked.length > 0 && asked.length <= countEndedBy(tasks, lastSent(asked[asked.length - 1]))) take(task, asked[0], Math.max(lastSent(asked[0]), lastHandled(asked[0]) || -Infinity));
    }
    return found;
  }
}

/** When the latest message was sent to a thread, in milliseconds after the run's `timeOrigin`. */
const lastSent = ({ messages }: Peer): number => messages[messages.length - 1].time;

/** When a thread handled the latest message; NaN where it did not say so. */
const lastHandled = ({ log: { handled }, posted }: Peer): number => handled[posted - 1] ?? NaN;

/** Whether a thread has said nothing since it was last asked for something, no promise was made for that, and none was settled by it. */
const owesAnswer = (peer: Peer): boolean => peer.posted > 0 && peer.posted === peer.messages.length && !(peer.heardAt > lastSent(peer)) && !peer.settled.has(peer.posted - 1) && !peer.askedFor;

function hasEndedOver(peer: Peer, { start, end }: TaskDraft): boolean {
  const handled = lastHandled(peer);
  return peer.log.ended && handled >= start && handled <= end;
}

const isAskedWithin = (peer: Peer, { start, end }: TaskDraft): boolean => lastSent(peer) >= start && lastSent(peer) <= end;

/** How many tasks that failed did so later than a time. */
const countEndedBy = (tasks: ReadonlySet<TaskDraft>, time: number): number => [...tasks].filter(({ end }) => end >= time).length;
