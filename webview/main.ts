/** Entry of the page: takes frames from its carrier and shows the run they tell of. */
import type { Comparison } from '../src/model/comparison';
import type { Lesson } from '../src/model/protocol';
import type { ComparisonHolder } from './compare/comparison-holder';
import { element } from './dom';
import { Intake } from './intake';
import type { LessonHolder } from './lesson/lesson-holder';
import { Notices } from './panels/notices';
import { RunPage } from './run-page';
import { RunStore } from './store/run-store';
import { watchPixelRatio, watchTheme } from './theme';
import { pickCarrier } from './transport';
import { parseViewState } from './view-state';
import { speakIn, type Speak } from './words/speak';

/** Milliseconds a hidden page keeps its run. */
const KEPT_MS = 10 * 60_000;

const root = document.getElementById('app') ?? document.body;
const carrier = pickCarrier();
const store = new RunStore();
const notices = new Notices();
/** By this name the host knows the page again after a reload. */
const panel = document.documentElement.dataset.panel;
let page: RunPage | undefined;
/** The page stands in it, wherever that stands. */
const holder = element('div', 'page-holder');
let lessonHolder: LessonHolder | undefined;
let isHidden = false;
let isForgotten = false;
let leaving: ReturnType<typeof setTimeout> | undefined;
let comparisonHolder: ComparisonHolder | undefined;
let speak: Speak = speakIn(document.documentElement.lang);

const intake = new Intake(store, (message) => carrier.send(message), {
  onHello(hello) {
    speak = speakIn(hello.locale);
    document.documentElement.lang = hello.locale;
    page?.dispose();
    page = new RunPage({
      hello, store, notices, send: (message) => carrier.send(message),
      saved: parseViewState(carrier.loadState()), save: (state) => carrier.saveState({ ...state, panel }),
    });
    holder.replaceChildren(page.element);
    isForgotten = false;
    page.rest(isHidden);
  },
  onLesson: (lesson) => { void tellLesson(lesson); },
  onComparison: (comparison) => { void tellComparison(comparison); },
  onDelta({ place }) {
    page?.refresh();
    if (place) void page?.showPlace(place);
  },
  onBadFrame: (reason, again) => tell('error', 'bad-frame', speak(again ? 'notice.badFrame' : 'notice.badFrames', { reason })),
  onOtherVersion: () => tell('error', 'other-version', speak('notice.otherVersion')),
});

/** Few pages have a lesson or a comparison: what shows them is run where one comes. */
async function tellLesson(lesson: Lesson): Promise<void> {
  const made = await import('./lesson/lesson-holder');
  lessonHolder ??= new made.LessonHolder(root, holder, (message) => carrier.send(message));
  lessonHolder.update(lesson);
}

async function tellComparison(comparison: Comparison): Promise<void> {
  const made = await import('./compare/comparison-holder');
  comparisonHolder ??= new made.ComparisonHolder(root, (group) => page?.showGroup(group));
  comparisonHolder.update(comparison);
}

/** A page that nobody looks at for long gives the run's memory back, and is filled again when somebody does. */
function rest(isResting: boolean): void {
  isHidden = isResting;
  page?.rest(isResting);
  clearTimeout(leaving);
  if (isResting) leaving = setTimeout(forget, KEPT_MS);
  else if (isForgotten) carrier.send({ type: 'ready' });
}

function forget(): void {
  isForgotten = true;
  intake.stop();
  page?.dispose();
  page = undefined;
  store.clear();
}

function tell(severity: 'info' | 'error', code: string, text: string): void {
  notices.tell(severity, code, text);
  if (page) page.refresh(); else notices.update(undefined, 0, false, speak);
}

carrier.saveState({ ...parseViewState(carrier.loadState()), panel });
watchTheme(() => page?.repaint());
watchPixelRatio(() => page?.repaint());
root.replaceChildren(holder);
holder.replaceChildren(notices.element, element('p', 'empty empty-sentence', speak('page.waiting')));
carrier.open({
  onFrame: (frame) => intake.receive(frame, performance.now()),
  onPointer: (group) => page?.showGroup(group),
  onRest: rest,
  onLost() {
    store.clock.stop(performance.now());
    if (store.isOver) tell('info', 'closed', speak('notice.closed')); else tell('error', 'lost', speak('notice.lost'));
  },
});
carrier.send({ type: 'ready' });
