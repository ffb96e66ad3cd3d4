/**
 * The page of one run, made anew at each `hello`. The picture comes first; tools, panels and keys are made once it stands, or
 * at once where somebody reaches for them.
 */
import type { FromView, Hello, Place } from '../src/model/protocol';
import { element } from './dom';
import type { Furniture } from './furniture';
import type { Notices } from './panels/notices';
import { placesOn, watchBars, type Places } from './places';
import { RunPicture } from './run-picture';
import type { RunStore } from './store/run-store';
import type { ViewState } from './view-state';

export interface RunPageOptions {
  readonly hello: Hello;
  readonly store: RunStore;
  readonly notices: Notices;
  readonly send: (message: FromView) => void;
  readonly saved: ViewState;
  readonly save: (state: ViewState) => void;
}

/** What a hand does first, whatever it wants. */
const REACHES = ['keydown', 'pointerdown', 'wheel', 'focusin', 'contextmenu'] as const;
/** A run that goes on leaves the page no idle moment. */
const IDLE_WITHIN_MS = 100;
/** So long the first picture may take; then the tools come before it. */
const PATIENCE_MS = 500;

/** Its modules are run when it is first asked for; from then on it is at hand. */
let makeFurniture: typeof Furniture | undefined;

export class RunPage {
  readonly element = element('div', 'page');
  private readonly picture: RunPicture;
  private readonly places: Places;
  private readonly stopped = new AbortController();
  private furniture: Furniture | undefined;
  private isFurnishing = false;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private unwatch: (() => void) | undefined;

  constructor(private readonly options: RunPageOptions) {
    this.picture = new RunPicture(this.element, { ...options, onDrawn: () => this.onDrawn(), onPlaced: (hasGroups) => { this.places.overview.hidden = !hasGroups; } });
    const { now } = this.picture.choices;
    this.places = placesOn(this.element, options.notices.element, this.picture.scroller, now.bars, now.outline === true);
    // Microtasks are done before the event goes on to whom it is for: what is made here hears it.
    for (const name of REACHES) window.addEventListener(name, () => { void this.furnish(); }, { capture: true, passive: name !== 'wheel', signal: this.stopped.signal });
    if (makeFurniture) this.place(makeFurniture);
    // Of a search the first picture shows what matches.
    else if (now.query) void this.furnish();
    else this.patience = setTimeout(() => { void this.furnish(); }, PATIENCE_MS);
  }

  /** Something came in. */
  refresh(): void { this.picture.refresh(); }

  /** Brings a group into sight, now or once it is known. */
  showGroup(id: number): void { this.picture.showGroup(id); }

  /** Nobody can see it for now, or somebody can again. */
  rest(isResting: boolean): void { this.picture.rest(isResting); }

  /** Colours or pixels have changed. */
  repaint(): void { this.picture.repaint(); }

  /** Searches for the tasks of a line and goes to the first. */
  async showPlace(place: Place): Promise<void> {
    await this.furnish();
    this.furniture?.showPlace(place);
  }

  dispose(): void {
    this.stopped.abort();
    clearTimeout(this.patience);
    this.unwatch?.();
    this.picture.dispose();
    this.furniture?.dispose();
    this.element.remove();
  }

  /** The picture is on the screen with the frame after this one. */
  private onDrawn(): void {
    if (this.isFurnishing) return;
    this.isFurnishing = true;
    requestAnimationFrame(() => requestIdleCallback(() => { void this.furnish(); }, { timeout: IDLE_WITHIN_MS }));
  }

  private async furnish(): Promise<void> {
    if (this.furniture || this.stopped.signal.aborted) return;
    makeFurniture ??= (await import('./furniture')).Furniture;
    this.place(makeFurniture);
  }

  private place(Made: typeof Furniture): void {
    if (this.furniture || this.stopped.signal.aborted) return;
    clearTimeout(this.patience);
    const { hello, store, notices, send } = this.options;
    this.furniture = new Made({ hello, store, notices, send, picture: this.picture, places: this.places });
    this.unwatch = watchBars(this.element, (bars) => this.picture.choices.keep({ bars }));
  }
}
