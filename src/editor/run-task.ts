/** A run's process as a VS Code task: its terminal keeps colours, stdin, Ctrl-C, and the output after the end. */
import * as vscode from 'vscode';
import { TASK_TYPE } from './ids';
import type { Script } from './script';

export interface TaskCommand {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export class RunTask implements vscode.Disposable {
  private constructor(private readonly execution: vscode.TaskExecution, private readonly watch: vscode.Disposable,
    /** Resolves when the task's process is gone, or could not be started at all. */
    readonly ended: Promise<void>) {}

  static async start(script: Script, command: TaskCommand): Promise<RunTask> {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(script.path));
    // Equal definitions share one terminal: running a script again takes its old terminal.
    const task = new vscode.Task({ type: TASK_TYPE, script: script.path }, folder ?? vscode.TaskScope.Workspace, script.title, 'Async Lanes',
      new vscode.ProcessExecution(command.program, [...command.args], { cwd: script.cwd, env: { ...command.env } }), []);
    task.presentationOptions = {
      reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, focus: false, echo: false, clear: true,
    };
    // Watched from before the start: a script may end before VS Code has said that it began.
    const gone = new Set<vscode.TaskExecution>();
    const ends = new vscode.EventEmitter<void>();
    const watch = vscode.tasks.onDidEndTask(({ execution }) => { gone.add(execution); ends.fire(); });
    try {
      const execution = await vscode.tasks.executeTask(task);
      const ended = new Promise<void>((resolve) => {
        const look = (): void => { if (gone.has(execution)) resolve(); };
        ends.event(look);
        look();
      });
      return new RunTask(execution, vscode.Disposable.from(watch, ends), ended);
    } catch (error) {
      watch.dispose();
      throw error;
    }
  }

  /** Ends the process the hard way, as closing its terminal would. */
  terminate(): void { this.execution.terminate(); }

  dispose(): void { this.watch.dispose(); }
}
