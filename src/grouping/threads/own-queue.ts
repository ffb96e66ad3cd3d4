/**
 * What a thread keeps for later of the messages that it handles: `process.on('message', (job) => { tail = tail.then(() => handle(job)); })`. Who began to work on
 * one right as another call of its function, which had answered as well, was through, had waited for that.
 *
 *   message 1 ▇▇▇ handle ▇▇▇ answer
 *   message 2 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄▇▇▇ handle ▇▇▇ answer
 */
import { NO_WORK_MS } from '../moments';
import { functionKeyOf, isUserCall, type PromiseNode } from '../promises/promise-node';

/** As many that answered lately are known: a thread may be at work for several at once. */
const MAX_KNOWN = 16;
const MAX_LEVELS = 8;
/** So many runs of code lead at most from one's end to the next one's begin, where a busy machine lets time go by. */
const NEAR_RUNS = 8;

export class OwnQueue {
  private readonly known: PromiseNode[] = [];

  /** @param by the call that sends an answer, or the promise in whose reaction that is sent @returns the call, or the outermost one around it, where that had waited for its turn */
  waited(by: PromiseNode): PromiseNode | undefined {
    const call = outermost(by.parent?.inner ?? by.parent ?? by);
    if (!call.isAsyncFunction || !isUserCall(call)) return undefined;
    const isNext = this.known.some((before) => isRightBehind(call, before));
    if (!this.known.includes(call) && this.known.push(call) > MAX_KNOWN) this.known.shift();
    return isNext ? call : undefined;
  }
}

/** The outermost call of the program's that runs around one, or that a library has called. */
function outermost(by: PromiseNode): PromiseNode {
  let at = by;
  for (let level = 0; at.owner && isUserCall(at.owner) && level < MAX_LEVELS; level++) at = at.owner;
  return at;
}

/** Whether a call began in a reaction as another one of its function was through, which had taken its time. */
function isRightBehind(call: PromiseNode, before: PromiseNode): boolean {
  const since = call.made - before.ended;
  const isNear = since < NO_WORK_MS || (call.tick >= before.endedTick && call.tick - before.endedTick <= NEAR_RUNS);
  return before !== call && call.inReaction && since >= 0 && isNear && before.ended - before.made >= NO_WORK_MS && functionKeyOf(call) === functionKeyOf(before);
}
