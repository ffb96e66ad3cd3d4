/** Opens groups that ran inside tasks, closes them, and brings one into sight wherever it stands. */
import type { Group } from '../../src/model/timeline';
import type { Choices } from '../choices';
import { formatCount } from '../format';
import type { HostClock } from '../store/clock';
import type { Speak } from '../words/speak';
import { groupTitle } from './names';
import type { CardAction } from './pinned-card';
import type { Stack } from './stack';

/** Groups of one task that a card offers to open, and groups that open at once. */
const MOST_ACTIONS = 5;
const MOST_OPENED = 200;

export interface NestControlOptions {
  readonly speak: Speak;
  readonly choices: Choices;
  readonly stack: () => Stack;
  readonly clock: () => HostClock;
}

export class NestControl {
  constructor(private readonly options: NestControlOptions) {}

  isOpen(group: number): boolean { return this.options.choices.now.opened?.includes(group) === true; }

  /** What the card of a task offers. @param task its id @param onDone something was chosen */
  actions(task: number, onDone: () => void): CardAction[] {
    const { speak, stack } = this.options;
    return stack().nesting.inTask(task).slice(0, MOST_ACTIONS).map((group) => ({
      label: speak(this.isOpen(group.id) ? 'nest.close' : 'nest.open', { title: groupTitle(group, speak), count: formatCount(group.taskCount) }),
      onPress: () => {
        this.toggle([group]);
        onDone();
      },
    }));
  }

  /** Opens groups, or closes those that are open. */
  toggle(groups: readonly Group[]): void {
    if (groups.length === 0) return;
    this.options.choices.toggleOpen(groups.slice(0, MOST_OPENED).map(({ id }) => id));
    this.options.stack().reorder();
  }

  /** All groups that ran inside a task, or inside any task of a group, by id. */
  toggleInTask(task: number): void { this.toggle(this.options.stack().nesting.inTask(task)); }
  toggleInGroup(group: number): void { this.toggle(this.options.stack().nesting.inGroup(group)); }

  /** Opens all a group stands in and brings it into sight. @returns false where it is not known */
  bring(id: number): boolean {
    const { choices } = this.options;
    const stack = this.options.stack();
    const { opened = [] } = choices.now;
    const closed = stack.nesting.chainOf(id).slice(0, -1).filter((group) => !opened.includes(group));
    if (closed.length > 0) {
      choices.set({ opened: [...opened, ...closed] });
      this.placeAll();
    }
    return stack.show(id);
  }

  /** Gives every group that is known its place now. */
  placeAll(): void {
    const stack = this.options.stack();
    stack.reorder();
    stack.refresh(this.options.clock().now(performance.now()));
  }
}
