/** Shows a run in the viewer: where to look, and how long it can be looked at. */
import type { RunSource } from '../timeline/feed';
import { hasDisplay, openBrowser } from '../viewer/browser';
import type { ViewerActions } from '../viewer/connection';
import type { Page } from '../viewer/page';
import { Viewer } from '../viewer/server';
import type { Interrupts } from './interrupts';
import { say } from './say';

/** How long a view that is connected may take to draw its last, and a browser that was opened to connect at all. */
const DRAIN_MS = 3000;
const CONNECT_MS = 15_000;

export interface Show {
  readonly viewer: Viewer;
  readonly browserOpened: boolean;
}

/** BCP 47 tag of the user's language. */
export const locale = (): string => new Intl.DateTimeFormat().resolvedOptions().locale;

export async function show(run: RunSource, page: Page, actions: ViewerActions): Promise<Show> {
  const viewer = await Viewer.start({ run, page, actions, locale: locale() });
  say(`the viewer is at ${viewer.url}`);
  return { viewer, browserOpened: hasDisplay(process.env) && await openBrowser(viewer.url) };
}

/**
 * In a terminal until Ctrl-C; without one, where nobody could press it, until the views that are there have all there is.
 * @param lesson whose runs the views may start: none ends under them
 */
export async function keepShowing(shown: Show, interrupts: Interrupts, lesson?: { readonly isBusy: boolean }): Promise<void> {
  if (process.stdin.isTTY && (process.stdout.isTTY || process.stderr.isTTY)) {
    say('the viewer stays up until Ctrl-C');
    await interrupts.next();
  } else {
    await Promise.race([interrupts.next(), seen(shown, lesson)]);
  }
  await shown.viewer.dispose();
}

async function seen({ viewer, browserOpened }: Show, lesson?: { readonly isBusy: boolean }): Promise<void> {
  if (browserOpened) await viewer.connected(CONNECT_MS);
  do await viewer.drained(DRAIN_MS); while (lesson?.isBusy);
}
