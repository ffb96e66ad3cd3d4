/** Runs a command under the agent and gives out what was asked for: the shared body of `run` and `demo`. */
import { reportPieces } from '../formats/report';
import { summaryOf } from '../formats/summary';
import { exitStatus } from '../session/launch';
import type { Lesson } from '../session/lesson';
import { Refusal } from '../session/refusal';
import { writeTrace } from '../session/trace-writer';
import { loadPage, type Page } from '../viewer/page';
import { holdInterrupts, type Interrupts } from './interrupts';
import { LessonRuns } from './lesson-runs';
import { checkWritable, writePieces } from './output-file';
import { say } from './say';
import { keepShowing, locale, show } from './show';
import { startTraced, type StartedRun, type TracedCommand } from './start-traced';

export interface Outputs {
  readonly report?: string;
  readonly trace?: string;
  readonly open?: boolean;
  readonly quiet?: boolean;
}

/** A demo's lesson, told in the browser. */
export interface Taught {
  readonly lesson: Lesson;
  /** @param words the values of another run, as the script's command line takes them */
  readonly commandFor: (words: readonly string[]) => TracedCommand;
}

/** @returns the exit status: the command's own, or 2 where it was 0 and something asked for could not be written. */
export async function runTraced(command: TracedCommand, outputs: Outputs, taught?: Taught): Promise<number> {
  for (const file of [outputs.report, outputs.trace]) if (file !== undefined) checkWritable(file);
  const page = outputs.open ? loadPage(command.dist) : undefined;
  const interrupts = holdInterrupts();
  try {
    const started = await startTraced(command);
    const written = page ? await showWhile(started, outputs, { page, interrupts, taught }) : await giveOut(started, outputs);
    started.release();
    const status = exitStatus(await started.child.ended);
    return status === 0 && !written ? 2 : status;
  } finally {
    interrupts.release();
  }
}

interface Stage { readonly page: Page; readonly interrupts: Interrupts; readonly taught?: Taught }

/** Shows the run in the browser while it lasts and afterwards, with its lesson, where it is a demo. @returns whether all that was asked for could be written */
async function showWhile(started: StartedRun, outputs: Outputs, { page, interrupts, taught }: Stage): Promise<boolean> {
  const lessons = taught && new LessonRuns(taught.lesson, started, (words) => startTraced(taught.commandFor(words)), locale());
  const shown = await show(started.run, page, lessons ?? { stop: () => { void started.run.stop(); } });
  lessons?.tellTo(shown.viewer);
  const written = await giveOut(started, outputs);
  await keepShowing(shown, interrupts, lessons);
  await lessons?.end();
  return written;
}

/** @returns whether all that was asked for could be written */
async function giveOut({ run, folder }: StartedRun, outputs: Outputs): Promise<boolean> {
  await run.finished;
  const written = [
    outputs.report === undefined || await attempt(writePieces(outputs.report, reportPieces(run))),
    outputs.trace === undefined || await attempt(writeTrace(outputs.trace, folder, run.record())),
  ];
  if (!outputs.quiet) say(summaryOf(run));
  return !written.includes(false);
}

/** @returns false where it could not be done, and says why. */
async function attempt(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
    return false;
  }
}
