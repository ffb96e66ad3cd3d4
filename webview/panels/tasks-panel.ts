/** The tasks of one group as a table, for whoever reads rather than looks: of a search those that match, some at a time. */
import { makeSign } from '../controls/toolkit';
import type { GroupView } from '../diagram/group-view';
import { isCommand, type KeyBinding } from '../diagram/keyboard';
import { groupTitle, laneWord } from '../diagram/names';
import type { Scene } from '../diagram/scene';
import { taskFacts } from '../diagram/task-facts';
import { element, setHidden, setText } from '../dom';
import { formatCount } from '../format';
import type { TaskSpot } from '../store/group-tasks';
import type { RunStore } from '../store/run-store';
import { tasksInOrder } from '../store/task-order';
import type { Speak } from '../words/speak';

export interface TasksPanelOptions {
  readonly store: RunStore;
  readonly speak: Speak;
  readonly scene: () => Scene;
  /** A row was chosen. */
  readonly onTask: (view: GroupView, spot: TaskSpot) => void;
}

const ROWS = 100;

export class TasksPanel {
  readonly element = element('section', 'area tasks-panel');
  private readonly title = element('strong', 'area-title');
  private readonly head = element('tr');
  private readonly body = element('tbody');
  private readonly range = element('span', 'tasks-range');
  private view: GroupView | undefined;
  private spots: TaskSpot[] = [];
  private from = 0;
  private shown = '';

  constructor(private readonly options: TasksPanelOptions) {
    const { speak } = options;
    this.range.setAttribute('role', 'status');
    this.element.append(
      element('div', 'area-head', this.title, this.range, element('span', 'area-actions',
        makeSign({ icon: 'up', hint: speak('table.before'), onPress: () => this.turn(-1) }),
        makeSign({ icon: 'down', hint: speak('table.next'), onPress: () => this.turn(1) }),
        makeSign({ icon: 'close', hint: speak('table.close'), onPress: () => this.close() }))),
      element('div', 'area-scroller', element('table', '', element('thead', '', this.head), this.body)),
    );
    setHidden(this.element, true);
  }

  get isShown(): boolean { return this.view !== undefined; }

  /** @param view whose tasks are listed */
  open(view: GroupView): void {
    this.view = view;
    this.from = 0;
    this.shown = '';
    setHidden(this.element, false);
    this.refresh();
    this.body.querySelector('button')?.focus();
  }

  close(): void {
    this.view?.plot.focus({ preventScroll: true });
    this.view = undefined;
    setHidden(this.element, true);
  }

  /** T lists the tasks of the group the keyboard is at, else of the first; again, or Escape, puts the list away. */
  binding(first: () => GroupView | undefined): KeyBinding {
    return {
      shown: 'T', word: 'keys.table',
      action: (event, view) => {
        if (isCommand(event)) return undefined;
        if (this.isShown && (event.code === 'KeyT' || event.key === 'Escape')) return () => this.close();
        const listed = view ?? first();
        return event.code === 'KeyT' && listed ? () => this.open(listed) : undefined;
      },
    };
  }

  /** Brings the rows up to date. */
  refresh(): void {
    const { view } = this;
    const info = view?.shown.info;
    if (!view || !info) return;
    const { shading } = this.options.scene();
    const state = `${view.group.id} ${view.shown.revision} ${shading.of(view.shown).version} ${view.prediction !== undefined} ${this.from}`;
    if (state === this.shown) return;
    this.shown = state;
    const { speak } = this.options;
    const { matches } = shading;
    const order = tasksInOrder(view.shown);
    this.spots = [];
    for (let row = 0; row < order.length; row++) {
      const spot = { lane: order.lane[row], index: order.index[row] };
      if (!matches || matches.has(view.shown.lanes[spot.lane - 1]?.idOf(spot.index) ?? 0)) this.spots.push(spot);
    }
    this.from = Math.max(0, Math.min(this.from, Math.floor((this.spots.length - 1) / ROWS) * ROWS));
    setText(this.title, speak('table.title', { title: groupTitle(info, speak) }));
    setText(this.range, speak('table.range', { from: formatCount(Math.min(this.from + 1, this.spots.length)), to: formatCount(Math.min(this.from + ROWS, this.spots.length)), count: formatCount(this.spots.length) }));
    this.fill(view, laneWord(info, speak));
  }

  private turn(direction: 1 | -1): void {
    this.from += direction * ROWS;
    if (this.from >= this.spots.length) this.from -= ROWS;
    this.refresh();
  }

  private fill(view: GroupView, lane: string): void {
    const { store, speak, scene, onTask } = this.options;
    const shown = scene();
    const listed = this.spots.slice(this.from, this.from + ROWS).flatMap((spot) => {
      const facts = taskFacts(store, view.shown, spot, shown);
      return facts ? [{ spot, facts, values: new Map([[speak('task.label'), facts.label ?? ''], ...facts.rows]) }] : [];
    });
    const columns = columnsOf(lane, speak).filter(({ word, isAlways }) => isAlways || listed.some(({ values }) => values.get(word)));
    this.head.replaceChildren(...[{ word: speak('task.number'), look: '' }, ...columns].map(({ word, look }) => {
      const head = element('th', look, word);
      head.scope = 'col';
      return head;
    }));
    this.body.replaceChildren(...listed.map(({ spot, facts, values }) => {
      const go = element('button', '', facts.title);
      go.type = 'button';
      go.addEventListener('click', () => onTask(view, spot));
      const number = element('th', '', go);
      number.scope = 'row';
      return element('tr', '', number, ...columns.map(({ word, look }) => cell(values.get(word) ?? '', look)));
    }));
  }
}

interface Column {
  readonly word: string;
  readonly look: '' | 'figure-cell' | 'said-cell';
  /** Others are left out where none of the tasks listed has anything in them. */
  readonly isAlways: boolean;
}

const columnsOf = (lane: string, speak: Speak): Column[] => [
  { word: speak('task.label'), look: 'said-cell', isAlways: false }, { word: lane, look: 'figure-cell', isAlways: true }, { word: speak('task.chunk'), look: 'figure-cell', isAlways: false },
  { word: speak('task.queued'), look: 'figure-cell', isAlways: false }, { word: speak('task.start'), look: 'figure-cell', isAlways: true }, { word: speak('task.end'), look: 'figure-cell', isAlways: true },
  { word: speak('task.duration'), look: 'figure-cell', isAlways: true }, { word: speak('task.outcome'), look: '', isAlways: true }, { word: speak('task.error'), look: 'said-cell', isAlways: false },
];

function cell(text: string, look: Column['look']): HTMLElement {
  const made = element('td', look, text);
  // What is too long for its column can be read in full.
  if (look === 'said-cell' && text) made.title = text;
  return made;
}
