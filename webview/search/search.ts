/** Searching the run: keeps the query, finds what matches as tasks come in, and goes from match to match. */
import { findNext } from '../diagram/failures';
import type { GroupView } from '../diagram/group-view';
import type { Inspector } from '../diagram/inspector';
import { isCommand, type KeyBinding } from '../diagram/keyboard';
import { formatCount } from '../format';
import type { RunStore } from '../store/run-store';
import type { Speak } from '../words/speak';
import { findMatches, type Matches } from './match';
import { parseQuery, type Term } from './query';
import { SearchBar } from './search-bar';

export interface SearchOptions {
  readonly store: RunStore;
  readonly speak: Speak;
  readonly inspector: Inspector;
  /** From the top of the page to its bottom. */
  readonly views: () => readonly GroupView[];
  /** Brings a group to the page. @returns whether it was not there */
  readonly reveal: (group: number) => boolean;
  /** Others match, or another text is searched for. */
  readonly onChange: (text: string, matches: Matches | undefined) => void;
}

/** While tasks come in, matches lag behind by this much at the most. */
const LAG_MS = 300;

export class Search {
  readonly bar: SearchBar;
  private text = '';
  private terms: readonly Term[] = [];
  private problem = '';
  private matches: Matches | undefined;
  private seen = -1;
  private searchedAt = -Infinity;
  private version = 0;

  constructor(private readonly options: SearchOptions) {
    this.bar = new SearchBar({ speak: options.speak, onQuery: (text) => this.ask(text), onStep: (direction) => this.step(direction), onClose: () => this.close() });
  }

  get binding(): KeyBinding {
    return {
      shown: '/', word: 'keys.search',
      action: (event) => (event.key === '/' && !isCommand(event) ? () => this.open() : undefined),
    };
  }

  open(): void {
    this.bar.show();
    this.bar.focus();
  }

  close(): void {
    this.bar.hide();
    this.ask('');
    this.options.views()[0]?.plot.focus();
  }

  /** Searches for a text and shows it in the field; the empty one puts the search away. */
  searchFor(text: string): void {
    if (text) this.bar.show(text); else this.bar.hide();
    this.ask(text);
  }

  /** Searches what has come in since. @param revision grows as tasks come in @param at `performance.now()` @returns whether all has been searched */
  refresh(revision: number, at: number): boolean {
    if (this.terms.length === 0 || revision === this.seen) return true;
    if (at - this.searchedAt < LAG_MS) return false;
    this.seen = revision;
    this.find();
    return true;
  }

  /** Goes to the next match after the task the keyboard is at, from group to group. */
  step(direction: 1 | -1): void {
    const { matches } = this;
    if (!matches || matches.count === 0) return;
    const { inspector } = this.options;
    const views = this.options.views().filter((view) => (matches.perGroup.get(view.group.id) ?? 0) > 0);
    const found = (view: GroupView, from: Parameters<typeof findNext>[1]) => findNext(view.shown, from, direction, (lane, index) => matches.has(lane.idOf(index)));
    const at = views.findIndex((view) => inspector.selection.focusIn(view.group.id));
    const here = views[at];
    const next = here && found(here, inspector.selection.focusIn(here.group.id)).next;
    const view = next ? here : views[(at + direction + views.length) % views.length] ?? views[0];
    if (!view) {
      // All that matches lies in groups that are not on the page.
      const [group] = matches.perGroup.keys();
      if (group !== undefined && this.options.reveal(group)) this.step(direction);
      return;
    }
    inspector.bring(view, next ?? found(view, undefined).outermost);
  }

  private ask(text: string): void {
    const { speak } = this.options;
    this.text = text;
    const { terms, error } = parseQuery(text);
    this.problem = error ? speak(`search.wrong.${error.why}`, { term: error.term }) : '';
    this.terms = terms ?? [];
    this.find();
  }

  private find(): void {
    const { store } = this.options;
    const now = performance.now();
    this.searchedAt = now;
    this.matches = this.terms.length === 0 ? undefined : findMatches(store, this.terms, store.clock.now(now), ++this.version);
    const { matches, problem } = this;
    this.bar.tell(matches ? this.options.speak('search.count', { count: formatCount(matches.count), all: formatCount(sum([...store.groups.values()].map(({ info }) => info?.taskCount ?? 0))) }) : '', problem);
    this.options.onChange(this.text, matches);
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
