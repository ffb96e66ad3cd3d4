/** What of the picture somebody is at: one for the whole page. Who draws reads it, who listens writes it. */
import type { TaskSpot } from '../store/group-tasks';
import type { IdleStretch } from './idle-stretch';

/** Something of one group, by the group's id. */
interface Of<T> { readonly group: number; readonly at: T }

export class Selection {
  /** Grows with every change: who has drawn version n need not draw it again. */
  version = 0;
  private focused: Of<TaskSpot> | undefined;
  private idle: Of<IdleStretch> | undefined;

  constructor(private readonly onChange: () => void) {}

  /** The task the keyboard is at. */
  focusIn(group: number): TaskSpot | undefined { return inGroup(this.focused, group); }
  focus(group: number, at: TaskSpot): void { this.change(() => { this.focused = { group, at }; }); }
  /** No task of that group is gone to any more. */
  blur(group: number): void { if (this.focused?.group === group) this.change(() => { this.focused = undefined; }); }

  /** The idle stretch the pointer is at. */
  idleIn(group: number): IdleStretch | undefined { return inGroup(this.idle, group); }
  pointAtIdle(group: number, at: IdleStretch | undefined): void {
    if (this.idle?.at.waited === at?.waited && (!at || this.idle?.group === group)) return;
    this.change(() => { this.idle = at && { group, at }; });
  }

  private change(apply: () => void): void {
    apply();
    this.version++;
    this.onChange();
  }
}

const inGroup = <T>(of: Of<T> | undefined, group: number): T | undefined => (of?.group === group ? of.at : undefined);
