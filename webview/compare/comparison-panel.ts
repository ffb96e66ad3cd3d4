/** What differs between two runs, as a table: a part a group, a row a measure. Better and worse are told in words and by a sign. */
import { changesOf, isUsual, spreadOf, type Change } from '../../src/analysis/compare';
import type { ComparedGroups, ComparedRun, Comparison, GroupFigures, Repeats } from '../../src/model/comparison';
import { kindTitle, placeOf } from '../diagram/names';
import { element } from '../dom';
import { formatChange, formatMs } from '../format';
import { noticesOf } from '../panels/notices';
import { phaseWords } from '../panels/top-bar';
import { speakIn, type Speak } from '../words/speak';
import { differenceText, valueText } from './figures';
import { stripPlot } from './strip-plot';

/** Of so few groups all measures are listed at once; of more, those of the groups that are opened. */
const OPEN_AT_ONCE = 4;
/** A strip of the two compared runs alone would tell nothing new. */
const LEAST_REPEATS = 3;
const SIGNS = { better: '▲', worse: '▼', same: '=', changed: '≠' } as const;

export class ComparisonPanel {
  readonly element = element('aside', 'comparison');
  private readonly speak: Speak;
  /** Rows the reader has opened or closed himself. */
  private readonly toggled = new Map<number, boolean>();

  /** @param onGroup a group is to be brought into sight */
  constructor(private comparison: Comparison, private readonly onGroup: (group: number) => void) {
    this.speak = speakIn(comparison.locale);
    this.element.setAttribute('aria-label', this.speak('compare.label'));
    this.element.tabIndex = 0;
    this.draw();
  }

  update(comparison: Comparison): void {
    this.comparison = comparison;
    this.draw();
  }

  private draw(): void {
    const { runs, groups, more } = this.comparison;
    // What is focused stays so while spreads come in.
    const focused = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const table = element('table', 'comparison-table', element('caption', 'spoken', this.speak('compare.label')), this.head(), this.whole(runs), ...groups.flatMap((each, row) => this.part(each, row)));
    this.element.replaceChildren(
      element('h2', '', this.speak('compare.title')), element('ol', 'compared-runs', ...runs.map((run, k) => this.run(run, k + 1))),
      element('div', 'comparison-scroll', table), ...(more > 0 ? [element('p', 'comparison-more', this.speak('compare.more', { count: more }))] : []),
    );
    if (focused) this.element.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
  }

  private run({ title, startedAt, state }: ComparedRun, number: number): HTMLElement {
    const { speak } = this;
    const at = new Intl.DateTimeFormat(this.comparison.locale || 'en', { dateStyle: 'short', timeStyle: 'medium' }).format(startedAt);
    const item = element('li', 'compared-run', badge(speak, number), ' ', element('span', 'compared-title', title), ' ', element('span', 'compared-state', [phaseWords(state, speak), formatMs(state.elapsedMs), at].join(' · ')));
    for (const { severity, text } of noticesOf(state, true, speak)) item.append(element('p', `notice ${severity}`, element('span', 'severity', speak(`severity.${severity}`)), ' ', text));
    return item;
  }

  private head(): HTMLElement {
    const { speak } = this;
    const cells = ([['compare.measure', ''], ['compare.first', 'first'], ['compare.second', 'second'], ['compare.difference', '']] as const).map(([word, mark]) => {
      const cell = element('th', mark, speak(word));
      cell.scope = 'col';
      return cell;
    });
    return element('thead', '', element('tr', '', ...cells));
  }

  private whole([first, second]: Comparison['runs']): HTMLElement {
    const [a, b] = [first.state.elapsedMs, second.state.elapsedMs];
    const verdict = Math.abs(b - a) <= 0.01 * Math.max(a, b) ? 'same' : b < a ? 'better' : 'worse';
    const change: Change = { measure: 'makespan', first: a, second: b, difference: b - a, share: a > 0 ? (b - a) / a : undefined, verdict };
    return element('tbody', 'comparison-whole', this.row(this.speak('compare.wholeRun'), change));
  }

  private part(groups: ComparedGroups, index: number): HTMLElement[] {
    const { speak } = this;
    const { first, second, matchedBy } = groups;
    const shown = second ?? first;
    if (!shown) return [];
    const changes = changesOf(first, second);
    const isOpen = this.toggled.get(index) ?? this.comparison.groups.length <= OPEN_AT_ONCE;
    const toggle = element('button', 'comparison-toggle', isOpen ? '▾' : '▸');
    toggle.type = 'button';
    toggle.dataset.key = `toggle-${index}`;
    toggle.setAttribute('aria-expanded', String(isOpen));
    const title = first && second && titleOf(first, speak) !== titleOf(second, speak) ? `${titleOf(first, speak)} → ${titleOf(second, speak)}` : titleOf(shown, speak);
    toggle.setAttribute('aria-label', speak('compare.measures', { title }));
    toggle.addEventListener('click', () => {
      this.toggled.set(index, !isOpen);
      this.draw();
    });
    const note = !first ? speak('compare.only', { number: 2 }) : !second ? speak('compare.only', { number: 1 }) : matchedBy === 'place' || matchedBy === undefined ? '' : speak(`compare.by.${matchedBy}`);
    const name = element('button', 'comparison-name', title);
    name.type = 'button';
    name.dataset.key = `name-${index}`;
    name.title = speak('compare.show');
    name.addEventListener('click', () => this.onGroup((first ?? shown).group));
    const head = element('th', 'comparison-group', element('div', 'comparison-heading', toggle, name), element('span', 'comparison-place', shown.site ? placeOf(shown.site, speak) : ''), element('span', 'comparison-note', note));
    head.colSpan = 4;
    head.scope = 'rowgroup';
    const body = element('tbody', 'comparison-part', element('tr', '', head), ...changes.slice(0, isOpen ? changes.length : 1).map((change) => this.row(speak(`measure.${change.measure}`), change)));
    for (const repeats of groups.repeats) if (repeats.makespansMs.length >= LEAST_REPEATS) body.append(this.spread(repeats, first, second));
    body.dataset.groups = [first?.group, second?.group].join(' ');
    return [body];
  }

  private row(word: string, change: Change): HTMLElement {
    const { speak } = this;
    const head = element('th', '', word);
    head.scope = 'row';
    const { verdict, difference } = change;
    const cell = element('td', 'comparison-difference');
    if (verdict !== undefined && difference !== undefined) {
      const sign = element('span', 'comparison-sign', SIGNS[verdict]);
      sign.setAttribute('aria-hidden', 'true');
      const share = change.share === undefined || verdict === 'same' ? [] : [element('span', 'comparison-share', formatChange(change.share))];
      const amount = difference === 0 ? [] : [element('span', 'comparison-amount', differenceText(change.measure, difference))];
      cell.append(...amount, ' ', ...share, ' ', element('span', 'comparison-verdict', sign, ' ', speak(`verdict.${verdict}`)));
      cell.dataset.verdict = verdict;
    }
    const line = element('tr', '', head, element('td', 'first', valueText(change.measure, change.first)), element('td', 'second', valueText(change.measure, change.second)), cell);
    line.dataset.measure = change.measure;
    return line;
  }

  private spread({ of, makespansMs }: Repeats, first: GroupFigures | undefined, second: GroupFigures | undefined): HTMLElement {
    const { speak } = this;
    const spread = spreadOf(makespansMs);
    if (!spread) return element('tr');
    const words = speak('compare.spread', {
      n: spread.n, min: formatMs(spread.min), median: formatMs(spread.median), max: formatMs(spread.max), range: formatMs(spread.range),
      share: spread.median > 0 ? `${Math.round((spread.range / spread.median) * 100)} %` : '–',
    });
    const usual = of === 'both' && first && second ? isUsual(makespansMs, first.makespanMs, second.makespanMs) : undefined;
    const title = speak(of === 'both' ? 'compare.repeats' : of === 'first' ? 'compare.repeatsOfFirst' : 'compare.repeatsOfSecond');
    const picture = stripPlot({ values: makespansMs, spread, first: of === 'second' ? undefined : first?.makespanMs, second: of === 'first' ? undefined : second?.makespanMs, label: `${title}: ${words}` });
    const cell = element('td', 'comparison-spread', element('span', 'comparison-spread-title', title), picture, element('span', 'comparison-spread-words', words),
      ...(usual === undefined ? [] : [element('span', 'comparison-usual', speak(usual ? 'compare.usual' : 'compare.unusual'))]));
    cell.colSpan = 4;
    const line = element('tr', '', cell);
    line.dataset.spread = of;
    return line;
  }
}

const titleOf = (figures: GroupFigures, speak: Speak): string => {
  const title = kindTitle(figures, speak);
  return figures.library === undefined ? title : `${title} (${figures.library})`;
};

function badge(speak: Speak, number: number): HTMLElement {
  const made = element('span', 'run-badge', speak('compare.run', { number }));
  made.dataset.run = String(number);
  return made;
}
