/** The reader's choices: read by whoever draws, changed by whoever listens, kept by the carrier. */
import { lasting, type FirstLane, type LaneOf, type ViewState } from './view-state';

export class Choices {
  private state: ViewState;

  /**
   * @param saved what the carrier kept @param run `RunInfo.timeOrigin` of the run shown @param firstLane as the host's settings say
   * @param save keeps all of it @param onChange something else was chosen
   */
  constructor(saved: ViewState, run: number, private readonly firstLaneOfHost: FirstLane, private readonly save: (state: ViewState) => void, private readonly onChange: () => void) {
    this.state = { ...(saved.run === run ? saved : lasting(saved)), run };
  }

  get now(): ViewState { return this.state; }
  get firstLane(): FirstLane { return this.state.firstLane ?? this.firstLaneOfHost; }

  set(change: Partial<ViewState>): void {
    this.keep(change);
    this.onChange();
  }

  /** Keeps what is drawn already. */
  keep(change: Partial<ViewState>): void {
    this.state = { ...this.state, ...change };
    this.save(this.state);
  }

  lanesOf(which: 'pinned' | 'hidden', group: number): ReadonlySet<number> {
    return new Set((this.state[which] ?? []).flatMap(([of, lane]) => (of === group ? [lane] : [])));
  }

  /** Pins or hides a lane, or takes that back. */
  toggleLane(which: 'pinned' | 'hidden', group: number, lane: number): void {
    const lanes = this.state[which] ?? [];
    const others = lanes.filter(([of, number]) => of !== group || number !== lane);
    const added: readonly LaneOf[] = others.length < lanes.length ? others : [...lanes, [group, lane]];
    this.set({ [which]: added });
  }

  /** Opens groups that ran inside tasks, or closes those that are open. */
  toggleOpen(groups: readonly number[]): void {
    const opened = this.state.opened ?? [];
    const isOpen = groups.some((id) => opened.includes(id));
    const others = opened.filter((id) => !groups.includes(id));
    this.set({ opened: isOpen ? others : [...others, ...groups] });
  }

  showLanes(group: number): void { this.set({ hidden: this.state.hidden?.filter(([of]) => of !== group) }); }
}
