/** The runs of a lesson that is told in the browser: one at a time, each shown in place of the one before. */
import type { Values } from '../model/demos';
import type { Lesson as LessonMessage } from '../model/protocol';
import { isOver } from '../model/run';
import type { Lesson } from '../session/lesson';
import { Refusal } from '../session/refusal';
import type { ViewerActions } from '../viewer/connection';
import type { Viewer } from '../viewer/server';
import { say } from './say';
import type { StartedRun } from './start-traced';

export class LessonRuns implements ViewerActions {
  private current: StartedRun;
  private viewer: Viewer | undefined;
  /** True from the moment a run was asked for until its process has been started. */
  private isStarting = false;
  private hasEnded = false;

  /** @param first the run that goes on already; whoever started it releases it @param start starts another one with other words */
  constructor(private readonly told: Lesson, private readonly first: StartedRun, private readonly start: (words: readonly string[]) => Promise<StartedRun>, private readonly locale: string) {
    this.current = first;
    this.follow(first);
  }

  tellTo(viewer: Viewer): void {
    this.viewer = viewer;
    viewer.tellLesson();
  }

  get isBusy(): boolean { return this.isStarting || !isOver(this.current.run.state().phase); }

  readonly lesson = (): LessonMessage => this.told.message(this.locale, this.isBusy);
  readonly stop = (): void => { void this.current.run.stop(); };
  readonly runDemo = (values: Values): void => { void this.repeat(values); };

  /** Ends what still runs and takes its recording away. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.current.run.stop();
    await this.current.run.finished;
    this.leave();
  }

  private async repeat(values: Values): Promise<void> {
    // Two views may ask at once.
    if (this.isBusy || this.hasEnded) return;
    this.isStarting = true;
    this.told.take(values);
    this.viewer?.tellLesson();
    try {
      const next = await this.start(this.told.words());
      this.viewer?.show(next.run);
      this.leave();
      this.current = next;
      this.follow(next);
      if (this.hasEnded) await this.end();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say(error.message);
    } finally {
      this.isStarting = false;
      this.viewer?.tellLesson();
    }
  }

  private follow({ run, folder }: StartedRun): void {
    void run.finished.then(() => {
      this.told.note(folder);
      this.viewer?.tellLesson();
    });
  }

  private leave(): void {
    if (this.current !== this.first) this.current.release();
  }
}
