/** What the executor of the thread-pool lesson is going to do with the parameters as they stand: threads as lanes, the queue as a strip. A prediction. */
import { REJECTIONS, scheduleExecutor, type ExecutorSchedule, type ExecutorTask, type Rejection, type TaskOutcome } from '../../src/analysis/executor';
import type { Values } from '../../src/model/demos';
import { makeButton } from '../controls/toolkit';
import { element, setText } from '../dom';
import { formatMs } from '../format';
import type { Speak } from '../words/speak';
import type { LessonDrawing } from './lesson-holder';
import { hatching, shape } from './shapes';

const WIDTH = 900;
const LEFT = 92;
const ROW = 26;
const STRIP = 40;
/** More of them could not be told apart. */
const MOST_TASKS = 200;
const MOST_THREADS = 30;

export class ExecutorPicture implements LessonDrawing {
  readonly element = element('section', 'drawing');
  private readonly svg = shape('svg', 'drawing-picture');
  private readonly words = element('p', 'drawing-result');
  private readonly mark;

  constructor(private readonly speak: Speak, onClose: () => void) {
    this.mark = element('strong', 'prediction-mark', speak('whatIf.mark'));
    this.svg.setAttribute('role', 'img');
    this.words.setAttribute('aria-live', 'polite');
    this.element.setAttribute('aria-label', speak('executor.title'));
    this.element.append(element('h2', '', speak('executor.title')), element('p', 'drawing-hint', this.mark, speak('executor.hint')), this.svg, this.words,
      element('div', 'lesson-actions', makeButton({ label: speak('draw.close'), look: 'secondary', onPress: onClose })));
  }

  update(values: Values): void {
    const count = numberOf(values.tasks);
    const max = numberOf(values.max);
    if (count > MOST_TASKS || max > MOST_THREADS) {
      this.svg.replaceChildren();
      setText(this.words, this.speak('executor.tooMany', { tasks: MOST_TASKS, threads: MOST_THREADS }));
      return;
    }
    const rejection = REJECTIONS.find((each) => each === values.rejection) ?? 'callerRuns';
    const schedule = this.schedule(values, count, max, rejection);
    if (!schedule) return;
    this.draw(schedule);
    setText(this.words, this.tell(schedule, rejection));
  }

  private schedule(values: Values, count: number, max: number, rejection: Rejection): ExecutorSchedule | undefined {
    const queue = numberOf(values.queue);
    // As the demo has it: each task takes a tenth longer than the one before, and without a queue nothing in it is older.
    const durations = Array.from({ length: count }, (_, i) => numberOf(values.takes) * (1 + i / 10));
    const settings = { core: numberOf(values.core), max, queue, keepAlive: numberOf(values.keepAlive), rejection: rejection === 'discardOldest' && queue === 0 ? 'discard' as const : rejection };
    return count > 0 ? scheduleExecutor(durations.map(() => 0), durations, settings) : undefined;
  }

  private draw({ tasks, threads, queue, makespan }: ExecutorSchedule): void {
    const hasCaller = tasks.some(({ outcome }) => outcome === 'callerRan');
    const rows = threads.length + (hasCaller ? 1 : 0);
    const x = (at: number): number => LEFT + at / makespan * (WIDTH - LEFT - 8);
    // Thread 1 is at the bottom; the caller, which is no thread of the pool, on top.
    const y = (thread: number): number => (thread === 0 ? 0 : rows - thread) * ROW + 4;
    const parts: SVGElement[] = [];
    for (let thread = hasCaller ? 0 : 1; thread <= threads.length; thread++) {
      parts.push(shape('text', 'drawing-lane', { x: 0, y: y(thread) + 17 }, thread === 0 ? this.speak('executor.caller') : this.speak('executor.thread', { number: thread })));
    }
    threads.forEach(({ from, to = makespan }, i) => {
      parts.push(shape('rect', 'drawing-idle', { x: x(from), y: y(i + 1), width: Math.max(0, x(Math.min(to, makespan)) - x(from)), height: ROW - 6 }));
    });
    tasks.forEach(({ outcome, thread, start, end }, i) => {
      if (Number.isNaN(start)) return;
      parts.push(shape('rect', outcome === 'callerRan' ? 'drawing-bar by-caller' : 'drawing-bar', { x: x(start), y: y(thread), width: Math.max(1, x(end) - x(start) - 1), height: ROW - 6 }));
      parts.push(shape('text', outcome === 'callerRan' ? 'drawing-lane' : 'drawing-number', { x: x(start) + 6, y: y(thread) + 15 }, String(i + 1)));
    });
    const top = rows * ROW + 10;
    const most = Math.max(1, ...queue.map(({ length }) => length));
    parts.push(shape('text', 'drawing-lane', { x: 0, y: top + STRIP / 2 + 4 }, this.speak('executor.queue')));
    queue.forEach(({ at, length }, i) => {
      const to = queue.at(i + 1)?.at ?? makespan;
      const height = length / most * STRIP;
      parts.push(shape('rect', 'drawing-queue', { x: x(at), y: top + STRIP - height, width: Math.max(0, x(to) - x(at)), height }));
    });
    this.svg.setAttribute('viewBox', `0 0 ${WIDTH} ${top + STRIP + 6}`);
    this.svg.replaceChildren(hatching(), ...parts);
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
