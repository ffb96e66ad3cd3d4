/** The table of an area: a row for all of it and one a lane, sorted by any column, taken away as CSV. */
import { csvLine } from '../../src/model/csv';
import type { Group } from '../../src/model/timeline';
import { makeButton, makeSign } from '../controls/toolkit';
import { groupTitle, laneWord } from '../diagram/names';
import { element, setHidden, setText } from '../dom';
import { formatCount, formatMs } from '../format';
import type { WordKey } from '../words/en';
import type { Speak } from '../words/speak';
import type { Area } from './area';
import type { AreaFigures, AreaTable } from './area-stats';

type Column = keyof AreaFigures;
const COLUMNS: readonly { readonly column: Column; readonly word: WordKey; readonly write: (value: number) => string }[] = [
  { column: 'lane', word: 'area.lane', write: String },
  { column: 'tasks', word: 'figure.tasks', write: formatCount },
  { column: 'sum', word: 'area.sum', write: formatMs },
  { column: 'min', word: 'area.min', write: formatMs },
  { column: 'median', word: 'area.median', write: formatMs },
  { column: 'p95', word: 'area.p95', write: formatMs },
  { column: 'max', word: 'area.max', write: formatMs },
  { column: 'busy', word: 'figure.busy', write: formatMs },
  { column: 'idle', word: 'figure.idle', write: formatMs },
  { column: 'perSecond', word: 'area.perSecond', write: (value) => String(Number(value.toPrecision(3))) },
];
/** More rows are for the CSV. */
const MOST_ROWS = 200;
const SAID_MS = 2000;

export class AreaPanel {
  readonly element = element('section', 'area');
  private readonly title = element('strong', 'area-title');
  private readonly body = element('tbody');
  private readonly heads = new Map<Column, HTMLTableCellElement>();
  private readonly more = element('p', 'area-more');
  private table: AreaTable | undefined;
  private sortBy: Column = 'lane';
  private falling = false;

  constructor(private readonly speak: Speak, onClose: () => void) {
    const row = element('tr', '', ...COLUMNS.map(({ column, word }) => this.headOf(column, speak(word))));
    const copy = makeButton({ label: speak('area.copy'), look: 'secondary', onPress: () => void this.copy(copy) });
    const close = makeSign({ icon: 'close', hint: speak('area.close'), onPress: onClose });
    this.element.append(
      element('div', 'area-head', this.title, element('span', 'area-actions', copy, close)),
      element('div', 'area-scroller', element('table', '', element('thead', '', row), this.body), this.more),
    );
    this.element.setAttribute('aria-label', speak('area.label'));
    setHidden(this.element, true);
  }

  hide(): void { setHidden(this.element, true); }

  /** @param origin of the axis, subtracted from the area's times */
  show(area: Area, table: AreaTable, group: Group, origin: number): void {
    this.table = table;
    setText(this.title, this.speak('area.title', {
      title: groupTitle(group, this.speak), lane: laneWord(group, this.speak), lanes: formatCount(area.lanes.length), length: formatMs(area.end - area.start), from: formatMs(area.start - origin), to: formatMs(area.end - origin),
    }));
    setHidden(this.element, false);
    this.fill();
  }

  private headOf(column: Column, word: string): HTMLTableCellElement {
    const button = element('button', '', word);
    button.type = 'button';
    button.addEventListener('click', () => {
      this.falling = column === this.sortBy ? !this.falling : column !== 'lane';
      this.sortBy = column;
      this.fill();
    });
    const head = element('th', '', button);
    head.scope = 'col';
    this.heads.set(column, head);
    return head;
  }

  private get sorted(): readonly AreaFigures[] {
    const { sortBy, falling } = this;
    const sign = falling ? -1 : 1;
    // A lane without a value stands last either way.
    return (this.table?.lanes ?? []).toSorted((a, b) => Number(Number.isNaN(a[sortBy])) - Number(Number.isNaN(b[sortBy])) || sign * (a[sortBy] - b[sortBy]) || a.lane - b.lane);
  }

  private fill(): void {
    if (!this.table) return;
    for (const [column, head] of this.heads) head.setAttribute('aria-sort', column !== this.sortBy ? 'none' : this.falling ? 'descending' : 'ascending');
    const rows = this.sorted;
    const row = (figures: AreaFigures): HTMLElement => element('tr', figures.lane === 0 ? 'area-all' : '', ...COLUMNS.map(({ column, write }) =>
      element('td', '', figures.lane === 0 && column === 'lane' ? this.speak('area.all') : write(figures[column]))));
    this.body.replaceChildren(row(this.table.all), ...rows.slice(0, MOST_ROWS).map(row));
    const hidden = rows.length - MOST_ROWS;
    setHidden(this.more, hidden <= 0);
    setText(this.more, this.speak('area.more', { count: formatCount(Math.max(0, hidden)) }));
  }

  /** Milliseconds, all lanes first, then each as the table is sorted. */
  private async copy(button: HTMLElement): Promise<void> {
    if (!this.table) return;
    const cell = (value: number): string | number => (Number.isNaN(value) ? '' : Number(value.toFixed(6)));
    const lines = [this.table.all, ...this.sorted].map((figures) => csvLine(COLUMNS.map(({ column }) => (column === 'lane' && figures.lane === 0 ? 'all' : cell(figures[column])))));
    const text = csvLine(COLUMNS.map(({ column }) => column)) + lines.join('');
    let said: WordKey = 'area.copied';
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = 'area.notCopied'; // the browser keeps its clipboard to itself, or has none for this page
    }
    setText(button, this.speak(said));
    setTimeout(() => setText(button, this.speak('area.copy')), SAID_MS);
  }
}
