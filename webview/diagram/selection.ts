/** What of the picture somebody is at: one for the whole page. Who draws reads it, who listens writes it. */
import { sameArea, type Area } from '../area/area';
import type { TaskSpot } from '../store/group-tasks';
import type { IdleStretch } from './idle-stretch';

/** Something of one group, by the group's id. */
interface Of<T> { readonly group: number; readonly at: T }

/** More would hide what they measure. */
const MOST_MARKS = 20;

export class Selection {
  /** Grows with every change: who has drawn version n need not draw it again. */
  version = 0;
  /** Grows where what is measured changes; plots need not be drawn for it. */
  areaVersion = 0;
  /** What is measured. */
  area: Area | undefined;
  /** What was measured and kept. */
  marks: readonly Area[] = [];
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

  setArea(area: Area | undefined): void {
    this.area = area;
    this.touchArea();
  }

  /** Keeps an area as a mark, or drops the mark it is already. */
  toggleMark(area: Area): void {
    const others = this.marks.filter((mark) => !sameArea(mark, area));
    this.marks = others.length < this.marks.length ? others : [...others.slice(1 - MOST_MARKS), area];
    this.touchArea();
  }

  clearMarks(): void {
    this.marks = [];
    this.touchArea();
  }

  touchArea(): void {
    this.areaVersion++;
    this.onChange();
  }

  private change(apply: () => void): void {
    apply();
    this.version++;
    this.onChange();
  }
}

const inGroup = <T>(of: Of<T> | undefined, group: number): T | undefined => (of?.group === group ? of.at : undefined);
