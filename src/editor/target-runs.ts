/** The runs of one target, one at a time, and the panel that shows them. */
import * as vscode from 'vscode';
import type { Values } from '../model/demos';
import { isOver } from '../model/run';
import { Refusal } from '../session/refusal';
import { ViewType } from './ids';
import type { Lesson } from '../session/lesson';
import type { Log } from './log';
import { summarize } from '../formats/run-summary';
import { DebugRun } from './debug-run';
import { PoolRun } from './pool-run';
import { commandOf } from './run-command';
import { targetKey, type RunFolders } from './run-folders';
import type { RunOptions, RunOptionsStore } from './run-options';
import { KEPT_WHILE_HIDDEN, RunPanel } from './run-panel';
import { saveChanges } from './script';
import type { ShownRun } from './shown-run';
import { idOf, titleOf, type Target } from './target';

/** As a task in a terminal, or under the debugger. */
export type How = 'run' | 'debug';

export interface TargetRunsOptions {
  /** Folder of the bundles. */
  readonly dist: vscode.Uri;
  readonly folders: RunFolders;
  readonly log: Log;
  readonly runOptions: RunOptionsStore;
  /** Called when a run has ended, and what it showed was noted. */
  readonly onNoted: () => void;
  /** Absolute paths of recordings that are shown somewhere. */
  readonly foldersInUse: () => ReadonlySet<string>;
  /** Called when a run starts or ends, and when the panel comes, goes, or changes its place. */
  readonly onChange: () => void;
}

export class TargetRuns implements vscode.Disposable {
  private panel: RunPanel | undefined;
  private run: ShownRun | undefined;
  /** True from the moment a run was asked for until its process has been started. */
  private starting = false;
  /** How it was last started, and is again. */
  private how: How = 'run';

  /** @param lesson told beside the runs, where the target is a demo */
  constructor(readonly target: Target, private readonly options: TargetRunsOptions, private readonly lesson?: Lesson) {}

  get isRunning(): boolean { return this.run !== undefined && !isOver(this.run.source.state().phase); }
  /** Whether its panel is in front. */
  get isActive(): boolean { return this.panel?.isActive === true; }
  /** Whether nobody sees anything of it and nothing of it runs. */
  get isIdle(): boolean { return !this.panel && !this.starting && !this.isRunning; }
  get folder(): string | undefined { return this.current?.folder; }
  /** The run it shows, or showed last. */
  get current(): ShownRun | undefined { return this.run; }

  /** @throws Refusal */
  async start(how: How = 'run'): Promise<void> {
    if (this.starting) return;
    this.starting = true;
    this.how = how;
    try {
      const { target, options } = this;
      requireTrust();
      const command = await commandOf(target, this.runOptions());
      await saveChanges(target);
      const folder = await options.folders.create(target, options.foldersInUse());
      options.log.info(`running ${[command.program, ...command.args].join(' ')} in ${command.cwd}, recording to ${folder}`);
      if (command.remark !== undefined) options.log.remark(command.remark, 'other-node');
      if (how === 'debug' && command.stdin !== undefined) options.log.remark(vscode.l10n.t('{0} does not read {1} as its input: under the debugger it reads the terminal.', titleOf(target), command.stdin), 'no-input');
      this.reveal();
      // VS Code starts no task that it thinks is still going: it would hand out the old one.
      await this.run?.closed;
      this.take(how === 'debug' ? await DebugRun.start(target, command, folder, options.dist.fsPath) : await PoolRun.start(target, command, folder, options.dist.fsPath));
    } catch (error) {
      // A panel that never had a run to show would wait for one for ever.
      if (!this.run && !this.lesson) this.panel?.close();
      throw error;
    } finally {
      this.starting = false;
      this.panel?.tellLesson();
      this.options.onChange();
    }
  }

  /** Runs the demo with other values; those that make no sense stay as the script has them. @throws Refusal */
  async runDemo(values: Values): Promise<void> {
    this.lesson?.take(values);
    await this.repeat();
  }

  /** Runs it again, after the end of a run that is still going. @throws Refusal */
  async repeat(): Promise<void> {
    requireTrust();
    if (this.isRunning) {
      await this.stop();
      await this.run?.closed;
    }
    await this.start(this.how);
  }

  async stop(): Promise<void> { await this.run?.stop(); }

  /** What the user has set for it, and behind that what the lesson says; a demo speaks as VS Code does. */
  private runOptions(): RunOptions {
    const options = this.options.runOptions.of(this.target);
    return this.lesson ? { ...options, args: [...options.args, ...this.lesson.words()], env: { ASYNC_LANES_LANGUAGE: vscode.env.language, ...options.env } } : options;
  }

  /** Brings the panel to the front; where it has to be opened first, beside the editor if nothing else is said. */
  reveal(viewColumn = vscode.ViewColumn.Beside): void {
    if (this.panel) return this.panel.reveal();
    this.adopt(vscode.window.createWebviewPanel(ViewType.run, titleOf(this.target), { viewColumn, preserveFocus: true }, KEPT_WHILE_HIDDEN));
  }

  /** Makes a panel its own: a new one, or one that VS Code has restored. */
  adopt(panel: vscode.WebviewPanel): void {
    const { dist, log, onChange } = this.options;
    const own = new RunPanel(panel, {
      stop: () => this.stop(), runAgain: this.target.kind === 'open' ? undefined : () => this.repeat(), runDemo: (values) => this.runDemo(values),
      lesson: () => this.lesson?.message(vscode.env.language, this.starting || this.isRunning),
    },
      { dist, log, key: targetKey(this.target), title: titleOf(this.target) });
    this.panel?.dispose();
    this.panel = own;
    if (this.run) own.show(this.run.source);
    panel.onDidChangeViewState(onChange);
    panel.onDidDispose(() => {
      own.dispose();
      if (this.panel === own) this.panel = undefined;
      onChange();
    });
  }

  /** Shows the tasks of a line of source. @param line 1-based */
  showTasksOf(file: string, line: number): void {
    this.reveal();
    this.panel?.showTasksOf(file, line);
  }

  /** Brings the bars of a group into sight. @param group `Group.id` of the run that is shown */
  showGroup(group: number): void {
    this.reveal();
    this.panel?.showGroup(group);
  }

  /** Shows a run in place of the one before. */
  take(run: ShownRun): void {
    this.run?.dispose();
    this.run = run;
    this.panel?.show(run.source);
    this.panel?.tellLesson();
    const { log, onChange } = this.options;
    void log.guard(async () => {
      const wasOver = isOver(run.source.state().phase);
      await run.finished;
      if (!wasOver) await this.options.folders.note(run.folder, { summary: summarize(run.source) });
      this.options.onNoted();
      this.lesson?.note(run.folder);
      this.panel?.tellLesson();
      const { phase, exitCode, signal } = run.source.state();
      log.info(`${idOf(this.target)}: ${phase}, exit code ${exitCode ?? 'none'}, signal ${signal ?? 'none'}`);
      onChange();
    });
    onChange();
  }

  dispose(): void {
    this.run?.dispose();
    this.panel?.dispose();
  }
}

/** @throws Refusal in a workspace that is not trusted */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new Refusal('untrusted', vscode.l10n.t('The script was not run: that would execute code of a workspace you have not said to trust. Trust the workspace to run its scripts; recorded runs can be looked at without.'));
}
