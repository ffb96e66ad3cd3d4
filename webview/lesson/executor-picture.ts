/** What the executor of the thread-pool lesson is going to do with the parameters as they stand: threads as lanes, the queue as a strip. A prediction. */
import { REJECTIONS, scheduleExecutor, type ExecutorSchedule, type ExecutorTask, type Rejection, type TaskOutcome } from '../../src/analysis/executor';
import type { Values } from '../../src/model/demos';
import { makeButton } from '../controls/toolkit';
import { element, setText } from '../dom';
import { formatMs } from '../format';
import type { Speak } from '../words/speak';
import type { LessonDrawing } from './lesson-holder';
import { LanePicture } from './lane-picture';
import { shape } from './shapes';

const LEFT = 92;
const STRIP = 40;
/** More of them could not be told apart. */
const MOST_TASKS = 200;
const MOST_THREADS = 30;

export class ExecutorPicture implements LessonDrawing {
  readonly element = element('section', 'drawing');
  private readonly picture = new LanePicture(LEFT);
  private readonly words = element('p', 'drawing-result');
  private readonly mark;

  constructor(private readonly speak: Speak, onClose: () => void) {
    this.mark = element('strong', 'prediction-mark', speak('whatIf.mark'));
    this.picture.element.setAttribute('role', 'img');
    this.words.setAttribute('aria-live', 'polite');
    this.element.setAttribute('aria-label', speak('executor.title'));
    this.element.append(element('h2', '', speak('executor.title')), element('p', 'drawing-hint', this.mark, speak('executor.hint')), this.picture.element, this.words,
      element('div', 'lesson-actions', makeButton({ label: speak('draw.close'), look: 'secondary', onPress: onClose })));
  }

  update(values: Values): void {
    const count = numberOf(values.tasks);
    const max = numberOf(values.max);
    if (count > MOST_TASKS || max > MOST_THREADS) {
      this.picture.begin(0, 1);
      this.picture.show();
      this.say(this.speak('executor.tooMany', { tasks: MOST_TASKS, threads: MOST_THREADS }));
      return;
    }
    const rejection = REJECTIONS.find((each) => each === values.rejection) ?? 'callerRuns';
    const schedule = this.schedule(values, count, max, rejection);
    if (!schedule) return;
    this.draw(schedule);
    this.say(this.tell(schedule, rejection));
  }

  private schedule(values: Values, count: number, max: number, rejection: Rejection): ExecutorSchedule | undefined {
    const queue = numberOf(values.queue);
    // As the demo has it: each task takes a tenth longer than the one before, and without a queue nothing in it is older.
    const durations = Array.from({ length: count }, (_, i) => numberOf(values.takes) * (1 + i / 10));
    const settings = { core: numberOf(values.core), max, queue, keepAlive: numberOf(values.keepAlive), rejection: rejection === 'discardOldest' && queue === 0 ? 'discard' as const : rejection };
    return count > 0 ? scheduleExecutor(durations.map(() => 0), durations, settings) : undefined;
  }

  /** The same for those who see and those who hear. */
  private say(words: string): void {
    setText(this.words, words);
    this.picture.element.setAttribute('aria-label', words);
  }

  private draw({ tasks, threads, queue, makespan }: ExecutorSchedule): void {
    const { picture } = this;
    // The caller, which is no thread of the pool, stands on top.
    const caller = threads.length + 1;
    const hasCaller = tasks.some(({ outcome }) => outcome === 'callerRan');
    picture.begin(hasCaller ? caller : threads.length, makespan, STRIP + 6);
    threads.forEach((_, i) => { picture.laneName(i + 1, this.speak('executor.thread', { number: i + 1 })); });
    if (hasCaller) picture.laneName(caller, this.speak('executor.caller'));
    threads.forEach(({ from, to = makespan }, i) => { picture.idle(from, Math.min(to, makespan), i + 1); });
    tasks.forEach(({ outcome, thread, start, end }, i) => {
      if (Number.isNaN(start)) return;
      const isCallers = outcome === 'callerRan';
      picture.add(...picture.bar(isCallers ? 'drawing-bar by-caller' : 'drawing-bar', isCallers ? 'drawing-lane' : 'drawing-number', { from: start, to: end, lane: isCallers ? caller : thread, number: i + 1 }));
    });
    const bottom = picture.bottom + STRIP + 6;
    const most = Math.max(1, ...queue.map(({ length }) => length));
    picture.add(shape('text', 'drawing-lane', { x: 0, y: bottom - STRIP / 2 + 4 }, this.speak('executor.queue')));
    queue.forEach(({ at, length }, i) => {
      const to = queue.at(i + 1)?.at ?? makespan;
      const height = length / most * STRIP;
      picture.add(shape('rect', 'drawing-queue', { x: picture.x(at), y: bottom - height, width: Math.max(0, picture.x(to) - picture.x(at)), height }));
    });
    picture.show();
  }

  /** `callerRuns: 10 of 10 done in 3.20 s · the caller ran 7`. */
  private tell({ tasks, makespan }: ExecutorSchedule, rejection: Rejection): string {
    const done = tasks.filter(({ end }) => !Number.isNaN(end)).length;
    const listed = (outcome: TaskOutcome, key: 'executor.callerRan' | 'executor.rejected' | 'executor.discarded'): string[] => {
      const numbers = numbersOf(tasks, outcome);
      return numbers === '' ? [] : [this.speak(key, { numbers })];
    };
    return [
      this.speak('executor.done', { rejection, done, count: tasks.length, time: formatMs(makespan) }),
      ...listed('callerRan', 'executor.callerRan'), ...listed('rejected', 'executor.rejected'), ...listed('discarded', 'executor.discarded'),
    ].join(' · ');
  }
}

const numberOf = (value: number | string | undefined): number => (typeof value === 'number' ? value : 0);
const numbersOf = (tasks: readonly ExecutorTask[], outcome: TaskOutcome): string => tasks.flatMap((task, i) => (task.outcome === outcome ? [String(i + 1)] : [])).join(' ');
