/** One run: its task with the process in a terminal, and what comes to be known of it. */
import { join } from 'node:path';
import { AgentEnv } from '../model/facts';
import { followRecord } from '../session/recorded-process';
import { LiveRun } from '../session/run';
import { keepRecord } from './keep-record';
import type { RunCommand } from './run-command';
import { RunTask } from './run-task';
import type { ShownRun } from './shown-run';
import { titleOf, type Target } from './target';

export class PoolRun implements ShownRun {
  private constructor(readonly source: LiveRun, readonly folder: string, private readonly task: RunTask) {}

  /**
   * @param folder absolute path of the folder for its recording
   * @param dist absolute path of the folder the bundles lie in
   */
  static async start(target: Target, command: RunCommand, folder: string, dist: string): Promise<PoolRun> {
    const { node, program, args, cwd, env, stdin, shown } = command;
    const task = await RunTask.start(target, {
      program: node, cwd,
      args: [join(dist, 'launcher.js'), folder, cwd, ...(stdin === undefined ? [] : [stdin]), '--', program, ...args],
      env: { ...env, [AgentEnv.backend]: command.backend },
    });
    const source = new LiveRun({ folder, command: shown, cwd, title: titleOf(target), process: followRecord(folder, task.ended) });
    void source.finished.then(() => { keepRecord(folder, source); });
    return new PoolRun(source, folder, task);
  }

  get finished(): Promise<void> { return this.source.finished; }
  get closed(): Promise<void> { return this.task.ended; }

  /** Asks the script to end, and makes it where it does not. */
  async stop(): Promise<void> {
    if (this.source.record().pid === undefined) this.task.terminate();
    else await this.source.stop();
  }

  dispose(): void {
    this.source.dispose();
    this.task.dispose();
  }
}
