/** The runs of this window, by script: which one a command means, and what when-clauses ask about them. */
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';
import { chosenScript, scriptAt, type Script } from './script';
import { requireTrust, ScriptRuns, type ScriptRunsOptions } from './script-runs';
import type { ShownRun } from './shown-run';

export class Runs implements vscode.Disposable {
  /** By absolute path, the one that ran last at the end. */
  private readonly scripts = new Map<string, ScriptRuns>();
  private readonly changes = new vscode.EventEmitter<void>();
  /** Fires when a run starts or ends, and when a panel comes, goes, or changes its place. */
  readonly onDidChange = this.changes.event;
  /** The script that was run or looked at last. */
  private lastPath: string | undefined;

  constructor(private readonly options: Omit<ScriptRunsOptions, 'foldersInUse' | 'onChange'>) {}

  /** Whether any run has not ended. */
  get isRunning(): boolean { return [...this.scripts.values()].some((runs) => runs.isRunning); }
  /** Whether the run of the panel in front has not ended. */
  get isActiveRunning(): boolean { return this.active()?.isRunning === true; }
  /** Whether there is a run that could be repeated. */
  get hasRun(): boolean { return this.lastPath !== undefined; }

  /** Runs the script at `uri`, that of the active editor, or that of the panel in front, and shows it. @throws Refusal */
  async visualize(uri: vscode.Uri | undefined): Promise<void> {
    requireTrust();
    const active = uri ? undefined : this.active();
    const runs = active ?? this.of(await chosenScript(uri));
    if (!runs.isRunning) return runs.start();
    runs.reveal();
    const again = vscode.l10n.t('Stop and Run Again');
    const answer = await vscode.window.showInformationMessage(vscode.l10n.t('{0} is still running; its panel shows that run.', runs.script.title), again);
    if (answer === again) await runs.repeat();
  }

  /** Stops the run of the panel in front, else the one started last that still runs. */
  async stop(): Promise<void> {
    const active = this.active();
    const runs = active?.isRunning ? active : [...this.scripts.values()].findLast((each) => each.isRunning);
    await runs?.stop();
  }

  /** Repeats the run of the panel in front, else the last one. @throws Refusal */
  async runAgain(): Promise<void> {
    const runs = this.active() ?? (this.lastPath === undefined ? undefined : this.of(scriptAt(this.lastPath)));
    if (!runs) throw new Refusal('no-run', vscode.l10n.t('There is no run to repeat yet. Open a JavaScript or TypeScript file and visualize its run first.'));
    await runs.repeat();
  }

  /** Gives a panel that VS Code has restored the run it showed. */
  restore(panel: vscode.WebviewPanel, script: string, run: ShownRun): void {
    const runs = this.of(scriptAt(script));
    runs.take(run);
    runs.adopt(panel);
  }

  dispose(): void {
    for (const runs of this.scripts.values()) runs.dispose();
    this.scripts.clear();
    this.changes.dispose();
  }

  /** The runs of a script that is about to run or to be shown. */
  private of(script: Script): ScriptRuns {
    const runs = this.scripts.get(script.path) ?? new ScriptRuns(script, {
      ...this.options, foldersInUse: () => this.foldersInUse(), onChange: () => { this.changed(script.path); },
    });
    this.scripts.delete(script.path);
    this.scripts.set(script.path, runs);
    return runs;
  }

  private changed(script: string): void {
    if (this.scripts.get(script)?.folder !== undefined) this.lastPath = script;
    this.lastPath = this.active()?.script.path ?? this.lastPath;
    for (const [path, runs] of this.scripts) {
      if (!runs.isIdle) continue;
      runs.dispose();
      this.scripts.delete(path);
    }
    this.changes.fire();
  }

  private active(): ScriptRuns | undefined { return [...this.scripts.values()].find((runs) => runs.isActive); }

  private foldersInUse(): Set<string> {
    return new Set([...this.scripts.values()].flatMap((runs) => runs.folder ?? []));
  }
}
