/** The runs of one script, one at a time, and the panel that shows them. */
import * as vscode from 'vscode';
import { isOver } from '../model/run';
import { Refusal } from '../session/refusal';
import { ViewType } from './ids';
import type { Log } from './log';
import { PoolRun } from './pool-run';
import { runCommand } from './run-command';
import { scriptKey, type RunFolders } from './run-folders';
import { RunPanel } from './run-panel';
import { saveScript, type Script } from './script';
import type { ShownRun } from './shown-run';

export interface ScriptRunsOptions {
  /** Folder of the bundles. */
  readonly dist: vscode.Uri;
  readonly folders: RunFolders;
  readonly log: Log;
  /** Absolute paths of recordings that are shown somewhere. */
  readonly foldersInUse: () => ReadonlySet<string>;
  /** Called when a run starts or ends, and when the panel comes, goes, or changes its place. */
  readonly onChange: () => void;
}

export class ScriptRuns implements vscode.Disposable {
  private panel: RunPanel | undefined;
  private run: ShownRun | undefined;
  /** True from the moment a run was asked for until its process has been started. */
  private starting = false;

  constructor(readonly script: Script, private readonly options: ScriptRunsOptions) {}

  get isRunning(): boolean { return this.run !== undefined && !isOver(this.run.source.state().phase); }
  /** Whether its panel is in front. */
  get isActive(): boolean { return this.panel?.isActive === true; }
  /** Whether nobody sees anything of it and nothing of it runs. */
  get isIdle(): boolean { return !this.panel && !this.starting && !this.isRunning; }
  get folder(): string | undefined { return this.run?.folder; }

  /** @throws Refusal */
  async start(): Promise<void> {
    if (this.starting) return;
    this.starting = true;
    try {
      const { script, options } = this;
      requireTrust();
      const command = await runCommand(script);
      await saveScript(script);
      const folder = await options.folders.create(script.path, options.foldersInUse());
      options.log.info(`running ${[command.node, ...command.args].join(' ')} in ${script.cwd}, recording to ${folder}`);
      this.reveal();
      // VS Code starts no task that it thinks is still going: it would hand out the old one.
      await this.run?.closed;
      this.take(await PoolRun.start(script, command, folder, options.dist.fsPath));
    } catch (error) {
      // A panel that never had a run to show would wait for one for ever.
      if (!this.run) this.panel?.close();
      throw error;
    } finally {
      this.starting = false;
      this.options.onChange();
    }
  }

  /** Runs it again, after the end of a run that is still going. @throws Refusal */
  async repeat(): Promise<void> {
    requireTrust();
    if (this.isRunning) {
      await this.stop();
      await this.run?.closed;
    }
    await this.start();
  }

  async stop(): Promise<void> { await this.run?.stop(); }

  /** Brings the panel to the front, beside the editor where it has to be opened first. */
  reveal(): void {
    if (this.panel) return this.panel.reveal();
    this.adopt(vscode.window.createWebviewPanel(ViewType.run, this.script.title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }));
  }

  /** Makes a panel its own: a new one, or one that VS Code has restored. */
  adopt(panel: vscode.WebviewPanel): void {
    const { dist, log, onChange } = this.options;
    const own = new RunPanel(panel, { stop: () => this.stop(), runAgain: () => this.repeat() },
      { dist, log, key: scriptKey(this.script.path), title: this.script.title });
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

  /** Shows a run in place of the one before. */
  take(run: ShownRun): void {
    this.run?.dispose();
    this.run = run;
    this.panel?.show(run.source);
    const { log, onChange } = this.options;
    void log.guard(async () => {
      await run.finished;
      const { phase, exitCode, signal } = run.source.state();
      log.info(`${this.script.path}: ${phase}, exit code ${exitCode ?? 'none'}, signal ${signal ?? 'none'}`);
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
