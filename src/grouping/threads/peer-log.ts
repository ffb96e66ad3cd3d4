/** What threads and processes of a run say of themselves to the ones that started them. */
import type { TaskDraft } from '../drafts';
import { PoolRuns } from '../libraries/pool-runs';

/** Tasks of which it is remembered when they were at work in a thread, for the groups in there. */
const KEPT_TASKS = 4096;

/** What one thread said of itself to the one that started it. Times are milliseconds after the run's `timeOrigin`, ascending. */
export class PeerLog {
  /** @param threadId 0 for a main thread */
  constructor(readonly threadId: number) {}

  readonly sent: number[] = [];
  readonly handled: number[] = [];
  /** Tasks of a library's pool that were run here. */
  readonly pool = new PoolRuns();
  /** When the program's own code began; NaN as long as that is not known. */
  begun = NaN;
  /** Whether it is as late as it will ever be. */
  isBegun = false;
  ended = false;
  /** Whether there are more tasks that were at work here since somebody looked. */
  hasMoreTasks = false;
  /** The latest of them. */
  private tasks: TaskDraft[] = [];

  addTask(task: TaskDraft): void {
    this.hasMoreTasks = true;
    if (this.tasks[this.tasks.length - 1] === task) return;
    this.tasks.push(task);
    if (this.tasks.length >= 2 * KEPT_TASKS) this.tasks = this.tasks.slice(KEPT_TASKS);
  }

  /** The task that was at work here at a given time. */
  taskAt(time: number): TaskDraft | undefined {
    return this.tasks.findLast(({ elsewhere }) => elsewhere !== undefined && elsewhere.start <= time && !(elsewhere.end < time));
  }
}

export class PeerLogs {
  /** No thread has said anything since the last look. */
  isQuiet = false;
  private readonly logs = new Map<string, PeerLog>();

  /** The log of a thread, whether it has said anything yet or not. */
  of(pid: number, threadId: number): PeerLog {
    const key = `${pid}:${threadId}`;
    let log = this.logs.get(key);
    if (!log) this.logs.set(key, (log = new PeerLog(threadId)));
    return log;
  }
}
