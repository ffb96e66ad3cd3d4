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
  /** For each that was sent, when the call began that sent it, where that had waited for its turn here; NaN otherwise. */
  readonly begunAt: number[] = [];
  /** For each that was sent, the 0-based number of the message whose handling led to it; −1 where that is not known. */
  readonly answered: number[] = [];
  /** The runs of code in which messages were handled, ascending; that of the one before where it is not known yet. */
  private readonly ticks: number[] = [];
  /** The first message of which it is not known yet. */
  private nextUnknown = 0;
  /** Messages whose handling is known to have led to an answer. */
  private readonly answeredOnes = new Set<number>();
  /** Tasks of a library's pool that were run here. */
  readonly pool = new PoolRuns();
  /** When the program's own code began; NaN as long as that is not known. */
  begun = NaN;
  /** Whether it is as late as it will ever be. */
  isBegun = false;
  ended = false;
  /** When it ended; NaN where it did not say so. */
  endedAt = NaN;
  /** Whether it ended by an error, or with another exit code than 0. */
  failed = false;
  /** Whether there are more tasks that were at work here since somebody looked. */
  hasMoreTasks = false;
  /** The latest of them. */
  private tasks: TaskDraft[] = [];

  /** A message is handled. @param tick the run of code in which it is; 0 where it is one behind that of the message before */
  handles(tick: number, time: number): void {
    this.handled.push(time);
    this.ticks.push(tick || (this.ticks[this.ticks.length - 1] ?? 0));
    if (tick !== 0) this.nextUnknown = this.ticks.length;
  }

  /** Code runs that nothing led to which is known. @returns whether it handles the next of messages that came together, which are handled one right after the other */
  runs(tick: number): boolean {
    const { ticks, nextUnknown } = this;
    if (nextUnknown >= ticks.length || tick <= ticks[nextUnknown]) return false;
    ticks.fill(tick, nextUnknown);
    this.nextUnknown++;
    return true;
  }

  /** A call is made where the message before had one made, in the same run of code. @returns whether that handles the next of messages that came together: those that a listener finds waiting are handled in one go */
  handlesBeside(tick: number): boolean {
    const { nextUnknown, ticks } = this;
    if (nextUnknown >= ticks.length || ticks[nextUnknown] !== tick) return false;
    this.nextUnknown++;
    return true;
  }

  /** Something was put off in a run of code. Right behind that of a message, it handles the next of those that came together. */
  putsOff(tick: number): void { if (this.nextUnknown < this.ticks.length && tick === this.ticks[this.nextUnknown] + 1) this.runs(tick); }

  /** A message was sent. @param ticks the runs of code that may have led to it @param begun when the call began that sends it, where that had waited for its turn; else NaN */
  sends(ticks: readonly number[], time: number, begun: number): void {
    this.sent.push(time);
    this.begunAt.push(begun);
    const message = ticks.map((tick) => this.messageIn(tick)).find((found) => found >= 0) ?? -1;
    // What the first message set going may work off the others as well.
    const isQueue = this.answeredOnes.has(message) && this.answeredOnes.size < this.handled.length;
    if (message >= 0) this.answeredOnes.add(message);
    this.answered.push(isQueue ? -1 : message);
  }

  /** @returns the 0-based number of the message that was handled in a run of code; −1 for none */
  private messageIn(tick: number): number {
    const at = countUntil(this.ticks, tick - 1);
    return this.ticks[at] === tick ? at : -1;
  }

  /** It says that it ends. */
  end(time: number, failed: boolean): void {
    this.ended = true;
    this.endedAt = time;
    this.failed = failed;
  }

  /** The 0-based number of the message that it was at work on as it failed; −1 for none. */
  get lost(): number {
    const { answeredOnes, handled, sent } = this;
    const last = handled.length - 1;
    if (!this.failed || last < 0 || answeredOnes.has(last)) return -1;
    return answeredOnes.size > 0 || !(sent[sent.length - 1] >= handled[last]) ? last : -1;
  }

  /** Whether it has handled more messages than it has answered, as far as their number tells. */
  get owesAnswers(): boolean {
    const { handled, sent } = this;
    return handled.length > sent.length - countUntil(sent, handled[0] ?? Infinity);
  }

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

/** How many of ascending numbers are not above a given one. */
export function countUntil(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit) low = middle + 1; else high = middle;
  }
  return low;
}
