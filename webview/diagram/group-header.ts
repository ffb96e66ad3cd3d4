/** Above each diagram: what it is, where it stands in the code, and its figures, which are the host's and never counted here. */
import type { Group } from '../../src/model/timeline';
import { element, setHidden, setText } from '../dom';
import { formatCount, formatMs, formatShare } from '../format';
import type { Speak } from '../words/speak';
import type { WordKey } from '../words/en';
import { kindTitle, placeOf } from './names';

export interface GroupHeaderOptions {
  readonly speak: Speak;
  /** Undefined where the host cannot show source. */
  readonly openSource: ((what: 'group' | 'task') => void) | undefined;
  /** Shows lanes that are hidden. */
  readonly onShowLanes: () => void;
  /** Opens or closes the groups inside its tasks. */
  readonly onOpenAll: () => void;
}

type Figure = 'elapsed' | 'tasks' | 'rejected' | 'pending' | 'lanes' | 'limit' | 'chunks' | 'busy' | 'idle' | 'utilization';
const FIGURES: readonly Figure[] = ['elapsed', 'tasks', 'rejected', 'pending', 'lanes', 'limit', 'chunks', 'busy', 'idle', 'utilization'];

export class GroupHeader {
  readonly element = element('header', 'group-header');
  private readonly title = element('h2');
  private readonly run = element('span', 'run-badge');
  private readonly library = element('span', 'library');
  private readonly inside = element('span', 'inside');
  private readonly hidden = element('button', 'hidden-lanes');
  private readonly nested = element('button', 'hidden-lanes nested');
  private readonly site: HTMLElement;
  private readonly taskSite: HTMLElement;
  /** Opens what would have been; whoever knows that listens to it. */
  readonly plans = element('button', 'what-if-toggle');
  private readonly cells = new Map<Figure, { cell: HTMLElement; word: HTMLElement; value: HTMLElement }>();

  constructor(private readonly options: GroupHeaderOptions) {
    this.site = this.makePlace('group');
    this.taskSite = this.makePlace('task');
    this.hidden.type = 'button';
    this.hidden.addEventListener('click', options.onShowLanes);
    this.tellHidden(0);
    this.nested.type = 'button';
    this.nested.addEventListener('click', options.onOpenAll);
    this.tellInside(0, false);
    const figures = element('dl', 'figures');
    for (const figure of FIGURES) {
      const word = element('dt');
      const value = element('dd');
      const cell = element('div', `figure figure-${figure}`, word, value);
      this.cells.set(figure, { cell, word, value });
      figures.append(cell);
    }
    this.plans.type = 'button';
    this.plans.setAttribute('aria-expanded', 'false');
    setText(this.plans, options.speak('whatIf.open'));
    setHidden(this.plans, true);
    this.element.append(element('div', 'heading', this.run, this.title, this.library, this.site, this.taskSite, this.inside, this.nested, this.hidden, this.plans), figures);
  }

  /** From now on it can be asked what would have been. */
  offerPlans(): void { setHidden(this.plans, false); }

  /** @param parentOrdinal of the task the group runs inside, where it runs inside one */
  update(group: Group, parentOrdinal: number | undefined): void {
    const { speak } = this.options;
    this.show(this.run, group.run === undefined ? undefined : speak('compare.run', { number: group.run }));
    this.run.dataset.run = String(group.run ?? '');
    setText(this.title, kindTitle(group, speak));
    this.show(this.library, group.library);
    this.show(this.inside, group.parent && speak('group.inside', { ordinal: parentOrdinal ?? '?', group: group.parent.group }));
    this.showPlace(this.site, group.site && placeOf(group.site, speak), group.site?.file);
    this.showPlace(this.taskSite, group.taskSite && speak('group.taskSite', { place: placeOf(group.taskSite, speak) }), group.taskSite?.file);
    const { metrics } = group;
    this.figure('elapsed', 'figure.elapsed', formatMs(metrics.makespanMs));
    this.figure('tasks', 'figure.tasks', formatCount(group.taskCount));
    this.figure('rejected', 'figure.rejected', group.rejected > 0 ? formatCount(group.rejected) : undefined);
    this.figure('pending', 'figure.pending', group.pending > 0 ? formatCount(group.pending) : undefined);
    this.figure('lanes', group.kind === 'chunk' ? 'figure.slots' : group.kind === 'pool' && group.name === undefined ? 'figure.rails' : 'figure.lanes', formatCount(group.lanes));
    this.figure('limit', 'figure.limit', group.declared === undefined || group.declared === group.lanes ? undefined : formatCount(group.declared));
    this.figure('chunks', 'figure.chunks', group.chunks === undefined ? undefined : formatCount(group.chunks));
    this.figure('busy', 'figure.busy', formatMs(metrics.busyMs));
    this.figure('idle', 'figure.idle', formatMs(metrics.idleMs));
    this.figure('utilization', 'figure.utilization', formatShare(metrics.utilization));
  }

  /** @param count groups inside its tasks @param isOpen whether some of them are */
  tellInside(count: number, isOpen: boolean): void {
    setHidden(this.nested, count === 0);
    if (count > 0) setText(this.nested, this.options.speak(isOpen ? 'nest.closeAll' : 'nest.inside', { count: formatCount(count) }));
    this.nested.setAttribute('aria-expanded', String(isOpen));
  }

  /** @param count lanes that are hidden */
  tellHidden(count: number): void {
    setHidden(this.hidden, count === 0);
    if (count > 0) setText(this.hidden, this.options.speak('lanes.hidden', { count }));
  }

  private figure(figure: Figure, word: WordKey, value: string | undefined): void {
    const cell = this.cells.get(figure);
    if (!cell) return;
    setHidden(cell.cell, value === undefined);
    setText(cell.word, this.options.speak(word));
    setText(cell.value, value ?? '');
  }

  private makePlace(what: 'group' | 'task'): HTMLElement {
    const { openSource } = this.options;
    if (!openSource) return element('span', 'place');
    const button = element('button', 'place');
    button.type = 'button';
    button.addEventListener('click', () => openSource(what));
    return button;
  }

  private show(target: HTMLElement, text: string | undefined): void {
    setHidden(target, !text);
    setText(target, text ?? '');
  }

  private showPlace(target: HTMLElement, text: string | undefined, file: string | undefined): void {
    this.show(target, text);
    if (file && target.title !== file) target.title = file;
  }
}
