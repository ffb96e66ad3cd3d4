/**
 * What a thread keeps for later of the messages that it handles: `process.on('message', (job) => { tail = tail.then(() => handle(job)); })`, or
 * `while (queue.length > 0) await handle(queue.shift())`. Who began to work on one right as another call of its function, which had answered as well, was through, had waited for
 * that; as many as there are messages whose handling has called nothing.
 *
 *   message 1 ▇▇▇ handle ▇▇▇ answer
 *   message 2 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄▇▇▇ handle ▇▇▇ answer
 */
import { NO_WORK_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import { functionKeyOf, isUserCall, type PromiseNode } from '../promises/promise-node';

/** As many that answered lately are known: a thread may be at work for several at once, in functions in one another. */
const MAX_KNOWN = 32;
const MAX_LEVELS = 8;

export class OwnQueue {
  private readonly known: PromiseNode[] = [];
  /** Messages whose handling has called nothing, and that nobody is known to have begun to work on. */
  private kept = 0;

  constructor(private readonly loop: LoopEntries) {}

  /** A message is handled. */
  keep(): void { this.kept++; }

  /** The handling of one has called something: it is at work. */
  begin(): void { this.kept--; }

  /**
   * @param by the call that sends an answer, or the promise in whose reaction that is sent
   * @returns the call at work on the message, where that had waited for its turn: as far out as one waited
   */
  waited(by: PromiseNode): PromiseNode | undefined {
    let found: PromiseNode | undefined;
    const { known } = this;
    let at: PromiseNode | undefined = by.parent?.inner ?? by.parent ?? by;
    for (let level = 0; at && isUserCall(at) && level < MAX_LEVELS; at = at.owner, level++) {
      const call = at;
      if (!call.isAsyncFunction) continue;
      if (known.some((before) => isNext(call, before) && this.loop.isRightBehind(call.made, before.ended, NO_WORK_MS))) found = call;
      if (!known.includes(call) && known.push(call) > MAX_KNOWN) known.shift();
    }
    if (!found || this.kept <= 0) return undefined;
    this.kept--;
    return found;
  }
}

/** Whether a call began in a reaction when another one of its function was through, which had taken its time. */
const isNext = (call: PromiseNode, before: PromiseNode): boolean =>
  before !== call && call.inReaction && call.made >= before.ended && before.ended - before.made >= NO_WORK_MS && functionKeyOf(call) === functionKeyOf(before);
