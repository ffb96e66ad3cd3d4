/**
 * Lanes under one combinator that are chains of `then`, of which each turn is a call of a plain function that runs a group of its own:
 * `const lane = () => exportShop(next()).then(lane)`, where `exportShop` gives `Promise.all(…).then(…)`.
 *
 *   lane 1  ▇▇▇ group ▇▇▇┤▇▇▇▇▇ group ▇▇▇▇▇       a turn: from the group's begin to the end of the link behind which the next one is called
 */
import type { CombinatorCall } from './combinator-call';
import { GroupDraft, TaskDraft } from '../drafts';
import { functionKeyOf, type PromiseNode } from '../promises/promise-node';
import { headOf } from '../promises/chain-links';
import { holdsAll } from '../promises/work-of';
import { startOf, taskSiteOf } from './series';

export class LanePool {
  readonly draft: GroupDraft;
  /** The turn that each lane is at, by its element, and the lane's number. */
  private readonly turns = new Map<PromiseNode, { readonly lane: number; task: TaskDraft }>();

  constructor(private readonly call: CombinatorCall, thread: number) {
    const { combinator, elements, site } = call;
    this.draft = new GroupDraft({ thread, kind: 'pool', combinator, site, library: undefined, taskSite: undefined, declared: elements.length });
    this.draft.heldBy = call.node;
    elements.forEach((element, i) => { this.turns.set(element, { lane: i + 1, task: this.begin(headOf(element), i + 1, startOf(element)) }); });
  }

  /** A lane's next turn begins. @param head the combinator that its group is held by @param link whose reaction has called it */
  next(element: PromiseNode, head: PromiseNode, link: PromiseNode): void {
    const turn = this.turns.get(element);
    if (!turn || turn.task.work === head) return;
    this.end(turn.task, link.parent?.ended ?? head.made, false);
    turn.task = this.begin(head, turn.lane, head.made);
  }

  /** A lane is through. */
  finish(element: PromiseNode): void {
    const turn = this.turns.get(element);
    if (turn) this.end(turn.task, element.ended, element.rejected);
  }

  private begin(head: PromiseNode, lane: number, start: number): TaskDraft {
    const task = new TaskDraft(head, start);
    head.task = task;
    this.draft.add(task, lane, 0);
    if (!this.draft.facts.taskSite) this.draft.change({ taskSite: taskSiteOf(head, this.call.frame?.place.fn, true) });
    return task;
  }

  private end(task: TaskDraft, time: number, rejected: boolean): void {
    if (!Number.isNaN(task.end) || Number.isNaN(time)) return;
    task.finish(time, rejected, this.call.isDecided && time > this.call.node.ended);
    this.draft.touch(task);
  }
}

/** The combinator that a lane's next turn is held by, where it goes on with one of the same function as its first; what goes on with the same chunks is none. */
export function nextGroupInLane(element: PromiseNode, link: PromiseNode): PromiseNode | undefined {
  const [first, next] = [headOf(element), link.inner && headOf(link.inner)];
  if (!next || next === first || !holdsAll(first) || !holdsAll(next) || functionKeyOf(first) !== functionKeyOf(next) || !(next.made >= first.ended)) return undefined;
  return next.combinator?.series && next.combinator.series === headOf(link).combinator?.series ? undefined : next;
}
