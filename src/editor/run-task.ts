/** A run's process as a VS Code task: its terminal keeps colours, stdin, Ctrl-C, and the output after the end. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { TASK_TYPE } from './ids';
import { idOf, titleOf, type Target } from './target';

export interface TaskCommand {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export class RunTask implements vscode.Disposable {
  private constructor(private readonly execution: vscode.TaskExecution, private readonly watch: Watch) {}

  static async start(target: Target, command: TaskCommand): Promise<RunTask> {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(target.path));
    // Where the terminal takes relative paths in the output from. In a window without a folder VS Code allows nothing but this.
    const cwd = vscode.workspace.workspaceFolders === undefined ? homedir() : command.cwd;
    // Equal definitions share one terminal: running a thing again takes its old terminal.
    const task = new vscode.Task({ type: TASK_TYPE, script: idOf(target) }, folder ?? vscode.TaskScope.Workspace, titleOf(target), 'Async Lanes',
      new vscode.ProcessExecution(command.program, [...command.args], { cwd, env: { ...command.env } }), []);
    task.presentationOptions = {
      reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, focus: false, echo: false, clear: true,
    };
    // Watched from before the start: a script may end before VS Code has said that it began.
    const watch = new Watch();
    try {
      const execution = await vscode.tasks.executeTask(task);
      watch.follow(execution);
      return new RunTask(execution, watch);
    } catch (error) {
      watch.dispose();
      throw error;
    }
  }

  /** Resolves when the task's process is gone, or is never to come. */
  get ended(): Promise<void> { return this.watch.ended; }

  /** Ends the process the hard way, as closing its terminal would. */
  terminate(): void {
    this.execution.terminate();
    // VS Code says nothing of the end of what it could not start.
    if (!this.watch.hasStarted) this.watch.end();
  }

  dispose(): void { this.watch.dispose(); }
}

/** What VS Code tells of tasks, until it is known which of them is meant, and of that one from then on. */
class Watch implements vscode.Disposable {
  private readonly started = new Set<vscode.TaskExecution>();
  private readonly gone = new Set<vscode.TaskExecution>();
  private readonly subscriptions: readonly vscode.Disposable[];
  private execution: vscode.TaskExecution | undefined;
  end: () => void = () => { /* set with the promise */ };
  readonly ended = new Promise<void>((resolve) => { this.end = resolve; });

  constructor() {
    this.subscriptions = [
      vscode.tasks.onDidStartTaskProcess(({ execution }) => { this.started.add(execution); }),
      vscode.tasks.onDidEndTask(({ execution }) => {
        this.gone.add(execution);
        if (execution === this.execution) this.end();
      }),
    ];
  }

  get hasStarted(): boolean { return this.execution !== undefined && this.started.has(this.execution); }

  follow(execution: vscode.TaskExecution): void {
    this.execution = execution;
    if (this.gone.has(execution)) this.end();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
