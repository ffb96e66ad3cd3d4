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
import { checkWritable, writePieces } from './output-file';
import { say } from './say';

export interface Outputs {
  readonly report?: string;
  readonly quiet?: boolean;
}

export interface TracedCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** As the user would type it. */
  readonly shown: readonly string[];
  readonly title: string;
  readonly agent: string;
  readonly backend?: Backend;
}

/** @returns the exit status: the command's own, or 2 where it was 0 and something asked for could not be written. */
export async function runTraced(command: TracedCommand, outputs: Outputs): Promise<number> {
  if (outputs.report !== undefined) checkWritable(outputs.report);
  const folder = makeFolder();
  try {
    const cwd = process.cwd();
    const env = tracedEnvironment(process.env, { agent: command.agent, folder, backend: command.backend });
    const child = await launch({ file: command.file, args: command.args, cwd, env });
    const run = new LiveRun({ folder, command: command.shown, cwd, title: command.title, process: child });
    await run.finished;
    const written = await giveOut(run, outputs);
    run.dispose();
    const status = exitStatus(await child.ended);
    return status === 0 && !written ? 2 : status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function giveOut(run: LiveRun, outputs: Outputs): Promise<boolean> {
  let written = true;
  if (outputs.report !== undefined) written = await attempt(writePieces(outputs.report, reportPieces(run)));
  if (!outputs.quiet) say(summaryOf(run));
  return written;
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
