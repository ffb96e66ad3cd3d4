/**
 * Where on the page what belongs: the picture, and room kept free for what comes after it, so that nothing jumps when that
 * arrives. The style sheet keeps the room of bars that take one line; of those that took more, this page remembers how much.
 */
import { element, setHidden } from './dom';
import type { ViewState } from './view-state';

export interface Places {
  readonly topBar: HTMLElement;
  readonly toolRow: HTMLElement;
  readonly outline: HTMLElement;
  readonly overview: HTMLElement;
  /** Behind all else. */
  readonly end: HTMLElement;
}

/** @param main what is in sight first @param kept as `ViewState.bars` @param isOutlined whether the outline will be open */
export function placesOn(end: HTMLElement, notices: HTMLElement, main: HTMLElement, kept: ViewState['bars'], isOutlined: boolean): Places {
  const places = { topBar: element('header', 'top-bar'), toolRow: element('div', 'tool-row'), outline: element('nav', 'outline'), overview: element('div', 'overview'), end };
  setHidden(places.outline, !isOutlined);
  if (kept && kept[0] === innerWidth) {
    places.topBar.style.minHeight = `${kept[1]}px`;
    places.toolRow.style.minHeight = `${kept[2]}px`;
  }
  end.append(places.topBar, notices, places.toolRow, element('div', 'middle', places.outline, element('div', 'column', places.overview, main)));
  return places;
}

/** Tells how high the bars are, now and whenever that changes. @returns stops it */
export function watchBars(page: HTMLElement, onChange: (bars: NonNullable<ViewState['bars']>) => void): () => void {
  const bars = ['.top-bar', '.tool-row'].flatMap((name) => page.querySelector<HTMLElement>(name) ?? []);
  const watcher = new ResizeObserver(() => {
    const [top, tools] = bars.map((bar) => bar.getBoundingClientRect().height);
    onChange([innerWidth, top, tools]);
  });
  for (const bar of bars) {
    bar.style.removeProperty('min-height');
    watcher.observe(bar);
  }
  return () => watcher.disconnect();
}
