/** Starts a command under the agent, recording into a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tracedEnvironment, type Backend } from '../session/environment';
import { launch, type TracedProcess } from '../session/launch';
import { fileTrouble, Refusal } from '../session/refusal';
import { LiveRun } from '../session/run';

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

export interface StartedRun {
  readonly run: LiveRun;
  readonly child: TracedProcess;
  /** Absolute path of its recording. */
  readonly folder: string;
  /** Follows it no further and takes its recording away. */
  release(): void;
}

/** @throws Refusal where it cannot be started, or nothing can be recorded */
export async function startTraced(command: TracedCommand): Promise<StartedRun> {
  const folder = makeFolder();
  const remove = (): void => { rmSync(folder, { recursive: true, force: true }); };
  try {
    const cwd = process.cwd();
    const env = tracedEnvironment(process.env, { agent: join(command.dist, 'agent.cjs'), folder, backend: command.backend });
    const child = await launch({ file: command.file, args: command.args, cwd, env });
    const run = new LiveRun({ folder, command: command.shown, cwd, title: command.title, process: child });
    return { run, child, folder, release: () => { run.dispose(); remove(); } };
  } catch (error) {
    remove();
    throw error;
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'async-lanes-'));
  } catch (error) {
    throw new Refusal('no-temp', `Cannot record into ${tmpdir()}: ${fileTrouble(error)}. Set TMPDIR to a folder that can be written.`);
  }
}
