/** Calls that only ask for something to work on, as `await queue.receive()`: what is done with the answer is the work. */
import { waiterOf } from './pauses';
import { topOf } from './places';
import type { PromiseNode } from './promise-node';

/** Functions that ask for something to work on. A guess by name: `receive` is not all of what a consumer does with a message. */
const ASKS = /^_?(?:receive|recv|poll|take|claim|dequeue|lease|reserve|pull|pop|next|(?:get|fetch)Next)(?:Next|One)?(?:Messages?|Jobs?|Tasks?|Work|Batch|Items?)?$/;

/** Whether a function only asks for work, as far as its name tells. */
export const isAsks = (name: string): boolean => ASKS.test(name);

/** Whether a call only asks for work, as far as its name tells. */
export function asksForWork(call: PromiseNode): boolean {
  const called = waiterOf(call) ?? topOf(call.stack);
  return called !== undefined && isAsks(called.place.lastName);
}
