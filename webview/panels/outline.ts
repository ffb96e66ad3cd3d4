/** The groups of the run beside their diagrams, as a tree: those that ran inside a task stand below the group of that task. */
import type { Group } from '../../src/model/timeline';
import { groupTitle, placeOf } from '../diagram/names';
import { element, setHidden } from '../dom';
import { formatCount, formatMs, formatShare } from '../format';
import type { Nesting } from '../store/nesting';
import type { Speak } from '../words/speak';

export interface OutlineOptions {
  readonly speak: Speak;
  /** A group is to be looked at. */
  readonly onGroup: (group: number) => void;
}

/** Of more groups below one, the first are listed. */
const MOST_LISTED = 200;

export class Outline {
  readonly element = element('nav', 'outline');
  private readonly unfolded = new Set<number>();
  private shown = '';
  private nesting: Nesting | undefined;

  constructor(private readonly options: OutlineOptions) {
    this.element.setAttribute('aria-label', options.speak('outline.label'));
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    setHidden(this.element, true);
  }

  update(isOpen: boolean, nesting: Nesting, shownIds: ReadonlySet<number>): void {
    this.nesting = nesting;
    setHidden(this.element, !isOpen);
    if (!isOpen) return;
    const list = this.list(nesting.roots, nesting, shownIds, 1);
    // Whatever is spoken or focused stays where nothing is new.
    if (list.outerHTML === this.shown) return;
    this.shown = list.outerHTML;
    const focused = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement) ? document.activeElement.dataset.outline : undefined;
    this.element.replaceChildren(list);
    if (focused) this.element.querySelector<HTMLElement>(`[data-outline="${focused}"]`)?.focus();
  }

  private list(groups: readonly Group[], nesting: Nesting, shownIds: ReadonlySet<number>, level: number): HTMLElement {
    const list = element('ul', 'outline-list');
    list.setAttribute('role', level === 1 ? 'tree' : 'group');
    for (const group of groups.slice(0, MOST_LISTED)) list.append(this.item(group, nesting, shownIds, level));
    if (groups.length > MOST_LISTED) list.append(element('li', 'outline-more', this.options.speak('outline.more', { count: formatCount(groups.length - MOST_LISTED) })));
    return list;
  }

  private item(group: Group, nesting: Nesting, shownIds: ReadonlySet<number>, level: number): HTMLElement {
    const { speak, onGroup } = this.options;
    const inside = nesting.inGroup(group.id);
    const isUnfolded = this.unfolded.has(group.id);
    const twisty = element('span', 'twisty', inside.length === 0 ? '' : isUnfolded ? '\u25be' : '\u25b8');
    twisty.setAttribute('aria-hidden', 'true');
    const figures = [
      formatMs(group.metrics.makespanMs), speak('outline.tasks', { count: formatCount(group.taskCount) }), formatShare(group.metrics.utilization),
      ...(group.rejected > 0 ? [speak('outline.rejected', { count: formatCount(group.rejected) })] : []),
    ].join(' · ');
    const row = element('button', 'outline-row', twisty, element('span', 'outline-name', groupTitle(group, speak)), element('span', 'outline-place', group.site ? placeOf(group.site, speak) : ''), element('span', 'outline-figures', figures));
    row.type = 'button';
    row.dataset.outline = String(group.id);
    row.dataset.shown = String(shownIds.has(group.id));
    row.setAttribute('role', 'treeitem');
    row.setAttribute('aria-level', String(level));
    if (inside.length > 0) row.setAttribute('aria-expanded', String(isUnfolded));
    row.addEventListener('click', (event) => {
      if (inside.length > 0 && event.target === twisty) this.fold(group.id, !isUnfolded); else onGroup(group.id);
    });
    const item = element('li', '', row);
    item.setAttribute('role', 'none');
    if (isUnfolded && inside.length > 0) item.append(this.list(inside, nesting, shownIds, level + 1));
    return item;
  }

  private fold(group: number, isUnfolded: boolean): void {
    if (isUnfolded) this.unfolded.add(group); else this.unfolded.delete(group);
    if (this.nesting) this.update(true, this.nesting, new Set([...this.element.querySelectorAll<HTMLElement>('[data-shown="true"]')].map((row) => Number(row.dataset.outline))));
  }

  /** As trees are moved in: up and down from row to row, right unfolds, left folds. */
  private onKey(event: KeyboardEvent): void {
    const rows = [...this.element.querySelectorAll<HTMLElement>('.outline-row')];
    const at = rows.findIndex((row) => row === document.activeElement);
    const row = rows[at];
    if (!row) return;
    const id = Number(row.dataset.outline);
    if (event.key === 'ArrowDown') rows[at + 1]?.focus();
    else if (event.key === 'ArrowUp') rows[at - 1]?.focus();
    else if (event.key === 'ArrowRight' && row.hasAttribute('aria-expanded')) this.fold(id, true);
    else if (event.key === 'ArrowLeft' && row.getAttribute('aria-expanded') === 'true') this.fold(id, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
