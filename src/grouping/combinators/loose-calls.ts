/** What combinator calls ask of the calls that stand alone, and tell them. */
import type { CombinatorCall } from './combinator-call';
import type { CallPlace, PromiseNode } from '../promises/promise-node';

/** The calls that no combinator held together so far. */
export interface LooseCalls {
  /** A call takes tasks that were started before, by a pool of the user's own. */
  collected(call: CombinatorCall): void;
  /** It takes them no more: they are but a part of what its elements do. */
  notCollected(call: CombinatorCall): void;
  /** A call turned out to be the work of an element. */
  claimed(work: PromiseNode): void;
  /** Whether a call is a pool's task, or the wait for the slot that it has. */
  isOfPool(call: PromiseNode): boolean;
  /** The pause that a chain begins with is none of a function's work: what comes behind it is. */
  beginsBehind(pause: PromiseNode): void;
  /** How many calls there were of the function, where this one was made. */
  countLike(work: PromiseNode): number;
  /** How many of these were made at the same place. */
  countLikeThere(work: PromiseNode): number;
  /** Whether a library tells of tasks for which no promise is known. */
  hasUntiedTasks(): boolean;
  /** Whether an adapter tells of what the library runs. */
  tellsOf(library: string): boolean;
  /** What stands for a library's run of batches, of which a call is one. */
  batchesAround(call: PromiseNode | undefined): PromiseNode | undefined;
  /** The `Array.fromAsync` that asked for what a promise was made on the way to. */
  collectorAround(node: PromiseNode): PromiseNode | undefined;
  /** Whether they make a group already. */
  isGrouped(work: PromiseNode): boolean;
  /** Whether a call is a task in a lane of calls that bring one another about. */
  isLaneTask(work: PromiseNode): boolean;
  /** Whether a promise is of a task that workers take up. */
  isForWorkers(promise: PromiseNode): boolean;
  /** Whether a promise is of a kind that is settled by what was done for who waits for it. */
  isResult(promise: PromiseNode): boolean;
  /** Whether a call waits for a slot first of all, or has had one, and is a task with that. */
  isSlots(call: PromiseNode): boolean;
  /** What a running function called, and was taken for work of an element, is none: it is a loop of that function's, maybe. */
  released(calls: readonly PromiseNode[]): void;
  /** A running function called something. */
  called(node: PromiseNode, calls: CallPlace): void;
}
