/** Runs a command under the agent and gives out what was asked for: the shared body of `run` and `demo`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportPieces } from '../formats/report';
import { summaryOf } from '../formats/summary';
import { tracedEnvironment, type Backend } from '../session/environment';
import { exitStatus, launch } from '../session/launch';
import { fileTrouble, Refusal } from '../session/refusal';
import { LiveRun } from '../session/run';
import { writeTrace } from '../session/trace-writer';
import { loadPage, type Page } from '../viewer/page';
import { holdInterrupts, type Interrupts } from './interrupts';
import { checkWritable, writePieces } from './output-file';
import { say } from './say';
import { keepShowing, show } from './show';

export interface Outputs {
  readonly report?: string;
  readonly trace?: string;
  readonly open?: boolean;
  readonly quiet?: boolean;
}

export interface TracedCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** As the user would type it. */
  readonly shown: readonly string[];
  readonly title: string;
  /** Absolute path of the folder the bundles lie in. */
  readonly dist: string;
  readonly backend?: Backend;
}

/** @returns the exit status: the command's own, or 2 where it was 0 and something asked for could not be written. */
export async function runTraced(command: TracedCommand, outputs: Outputs): Promise<number> {
  for (const file of [outputs.report, outputs.trace]) if (file !== undefined) checkWritable(file);
  const page = outputs.open ? loadPage(command.dist) : undefined;
  const folder = makeFolder();
  const interrupts = holdInterrupts();
  try {
    return await follow(command, outputs, { folder, page, interrupts });
  } finally {
    interrupts.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Surroundings { readonly folder: string; readonly page: Page | undefined; readonly interrupts: Interrupts }

async function follow(command: TracedCommand, outputs: Outputs, { folder, page, interrupts }: Surroundings): Promise<number> {
  const cwd = process.cwd();
  const env = tracedEnvironment(process.env, { agent: join(command.dist, 'agent.cjs'), folder, backend: command.backend });
  const child = await launch({ file: command.file, args: command.args, cwd, env });
  const run = new LiveRun({ folder, command: command.shown, cwd, title: command.title, process: child });
  const shown = page && await show(run, page, { stop: () => { void run.stop(); } });
  await run.finished;
  const written = [
    outputs.report === undefined || await attempt(writePieces(outputs.report, reportPieces(run))),
    outputs.trace === undefined || await attempt(writeTrace(outputs.trace, folder, run.record())),
  ];
  if (!outputs.quiet) say(summaryOf(run));
  if (shown) await keepShowing(shown, interrupts);
  run.dispose();
  const status = exitStatus(await child.ended);
  return status === 0 && written.includes(false) ? 2 : status;
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

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'async-lanes-'));
  } catch (error) {
    throw new Refusal('no-temp', `Cannot record into ${tmpdir()}: ${fileTrouble(error)}. Set TMPDIR to a folder that can be written.`);
  }
}
