/** Entry of the page: takes frames from its carrier and shows the run they tell of. */
import { ComparisonHolder } from './compare/comparison-holder';
import { registerControls } from './controls/toolkit';
import { element } from './dom';
import { Intake } from './intake';
import { LessonHolder } from './lesson/lesson-holder';
import { Notices } from './panels/notices';
import { RunPage } from './run-page';
import { RunStore } from './store/run-store';
import { watchPixelRatio, watchTheme } from './theme';
import { pickCarrier } from './transport';
import { parseViewState } from './view-state';
import { speakIn, type Speak } from './words/speak';

const root = document.getElementById('app') ?? document.body;
const carrier = pickCarrier();
const store = new RunStore();
const notices = new Notices();
/** By this name the host knows the page again after a reload. */
const panel = document.documentElement.dataset.panel;
let page: RunPage | undefined;
const lessonHolder = new LessonHolder(root, (message) => carrier.send(message));
const comparisonHolder = new ComparisonHolder(root, (group) => page?.showGroup(group));
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
    lessonHolder.show(page.element);
  },
  onLesson: (lesson) => lessonHolder.update(lesson),
  onComparison: (comparison) => comparisonHolder.update(comparison),
  onDelta({ place }) {
    page?.refresh();
    if (place) page?.showPlace(place);
  },
  onBadFrame: (reason, again) => tell('error', 'bad-frame', speak(again ? 'notice.badFrame' : 'notice.badFrames', { reason })),
  onOtherVersion: () => tell('error', 'other-version', speak('notice.otherVersion')),
});

function tell(severity: 'info' | 'error', code: string, text: string): void {
  notices.tell(severity, code, text);
  if (page) page.refresh(); else notices.update(undefined, 0, false, speak);
}

carrier.saveState({ ...parseViewState(carrier.loadState()), panel });
registerControls();
watchTheme(() => page?.repaint());
watchPixelRatio(() => page?.repaint());
lessonHolder.show(notices.element, element('p', 'empty empty-sentence', speak('page.waiting')));
carrier.open({
  onFrame: (frame) => intake.receive(frame, performance.now()),
  onPointer: (group) => page?.showGroup(group),
  onLost() {
    store.clock.stop(performance.now());
    if (store.isOver) tell('info', 'closed', speak('notice.closed')); else tell('error', 'lost', speak('notice.lost'));
  },
});
carrier.send({ type: 'ready' });
