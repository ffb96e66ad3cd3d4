/** The runs of this window, by what they run: which one a command means, and what when-clauses ask about them. */
import * as vscode from 'vscode';
import { summarize } from '../formats/run-summary';
import { isOver } from '../model/run';
import { demoScript, loadDemos } from '../session/demos';
import { Refusal } from '../session/refusal';
import { lessonOf } from '../session/lesson';
import { reopen } from './reopen';
import { targetKey, type StoredRun } from './run-folders';
import { chosenScript } from './script';
import type { ShownRun } from './shown-run';
import { idOf, scriptTarget, titleOf, type Target } from './target';
import { requireTrust, TargetRuns, type How, type TargetRunsOptions } from './target-runs';

export class Runs implements vscode.Disposable {
  /** By id, the one that ran last at the end. */
  private readonly targets = new Map<string, TargetRuns>();
  private readonly changes = new vscode.EventEmitter<void>();
  /** Fires when a run starts or ends, and when a panel comes, goes, or changes its place. */
  readonly onDidChange = this.changes.event;
  /** What was run or looked at last. */
  private last: Target | undefined;

  constructor(private readonly options: Omit<TargetRunsOptions, 'foldersInUse' | 'onChange'>) {}

  /** Whether any run has not ended. */
  get isRunning(): boolean { return [...this.targets.values()].some((runs) => runs.isRunning); }
  /** Whether the run of the panel in front has not ended. */
  get isActiveRunning(): boolean { return this.active()?.isRunning === true; }
  /** Whether there is a run that could be repeated. */
  get hasRun(): boolean { return this.last !== undefined; }

  /** Names of what runs at this moment. */
  get running(): readonly string[] { return [...this.targets.values()].filter((each) => each.isRunning).map(({ target }) => titleOf(target)); }

  /** Runs the script at `uri`, that of the active editor, or what the panel in front shows, and shows it. @throws Refusal */
  async visualizeScript(uri: vscode.Uri | undefined): Promise<void> {
    requireTrust();
    await this.visualize((uri ? undefined : this.active()?.target) ?? await chosenScript(uri));
  }

  /** @throws Refusal */
  async visualize(target: Target, how: How = 'run'): Promise<void> {
    requireTrust();
    const runs = this.of(target);
    if (!runs.isRunning) return runs.start(how);
    runs.reveal();
    const again = vscode.l10n.t('Stop and Run Again');
    const answer = await vscode.window.showInformationMessage(vscode.l10n.t('{0} is still running; its panel shows that run.', titleOf(target)), again);
    if (answer === again) await runs.repeat();
  }

  /** Runs it and shows it. @returns the run, as soon as it has begun @throws Refusal, also where it is running already */
  async run(target: Target): Promise<ShownRun> {
    const runs = this.of(target);
    if (runs.isRunning) throw new Refusal('running', vscode.l10n.t('{0} is still running; its panel shows that run.', titleOf(target)));
    await runs.start();
    if (!runs.current) throw new Refusal('running', vscode.l10n.t('{0} is still running; its panel shows that run.', titleOf(target)));
    return runs.current;
  }

  /** Shows a run that was begun elsewhere. */
  show(target: Target, run: ShownRun): void {
    const runs = this.of(target);
    runs.take(run);
    runs.reveal();
  }

  /** Opens a demo's lesson; what it runs, it runs when asked to. */
  openDemo(name: string): void { this.of(scriptTarget(demoScript(this.options.dist.fsPath, name))).reveal(vscode.ViewColumn.Active); }

  /** Shows a run that is kept, in the panel of what it ran. @returns false where another one is running there */
  async open(stored: StoredRun): Promise<boolean> {
    const runs = this.of(stored.target);
    if (runs.folder !== stored.folder) {
      if (runs.isRunning) {
        runs.reveal();
        void vscode.window.showInformationMessage(vscode.l10n.t('{0} is still running; its panel shows that run.', titleOf(stored.target)));
        return false;
      }
      const run = await reopen(stored);
      // Of a run whose window did not see its end: now somebody knows.
      if (stored.summary === undefined && isOver(run.source.state().phase)) await this.options.folders.note(stored.folder, { summary: summarize(run.source) });
      runs.take(run);
    }
    runs.reveal();
    return true;
  }

  /** Shows a run that is kept, with the bars of one of its groups in sight. */
  async openAt(stored: StoredRun, group: number): Promise<void> {
    if (await this.open(stored)) this.of(stored.target).showGroup(group);
  }

  /** Whether the run in that folder has not ended. */
  isLive(folder: string): boolean { return [...this.targets.values()].some((runs) => runs.folder === folder && runs.isRunning); }
  /** Whether some panel shows the run in that folder. */
  isShown(folder: string): boolean { return this.foldersInUse().has(folder); }

  /** Stops the run of the panel in front, else the one started last that still runs. */
  async stop(): Promise<void> {
    const active = this.active();
    const runs = active?.isRunning ? active : [...this.targets.values()].findLast((each) => each.isRunning);
    await runs?.stop();
  }

  /** Repeats the run of the panel in front, else the last one. @throws Refusal */
  async runAgain(): Promise<void> {
    const runs = this.active() ?? (this.last === undefined ? undefined : this.of(this.last));
    if (!runs) throw new Refusal('no-run', vscode.l10n.t('There is no run to repeat yet. Open a JavaScript or TypeScript file and visualize its run first.'));
    await runs.repeat();
  }

  /** Shows the tasks of a line in the panel in front, else in that of the last run. @param line 1-based @throws Refusal */
  showTasksOf(file: string, line: number): void {
    const runs = this.active() ?? (this.last === undefined ? undefined : this.of(this.last));
    if (!runs) throw new Refusal('no-run', vscode.l10n.t('There is no run yet whose tasks could be shown. Visualize a run that comes by this line first.'));
    runs.showTasksOf(file, line);
  }

  /** Gives a panel that VS Code has restored the run it showed. */
  restore(panel: vscode.WebviewPanel, target: Target, run: ShownRun): void {
    const runs = this.of(target);
    runs.take(run);
    runs.adopt(panel);
  }

  /** Gives the panel of a demo that has not run yet its lesson back. @param key as the panel keeps it @returns false where it is no demo's */
  restoreDemo(panel: vscode.WebviewPanel, key: unknown): boolean {
    const { fsPath } = this.options.dist;
    const target = loadDemos(fsPath).map(({ name }) => scriptTarget(demoScript(fsPath, name))).find((each) => targetKey(each) === key);
    if (target) this.of(target).adopt(panel);
    return target !== undefined;
  }

  dispose(): void {
    for (const runs of this.targets.values()) runs.dispose();
    this.targets.clear();
    this.changes.dispose();
  }

  /** The runs of what is about to run or to be shown. */
  private of(target: Target): TargetRuns {
    const id = idOf(target);
    const runs = this.targets.get(id) ?? new TargetRuns(target, {
      ...this.options, foldersInUse: () => this.foldersInUse(), onChange: () => { this.changed(id); },
    }, target.kind === 'script' ? lessonOf(target.path, this.options.dist.fsPath) : undefined);
    this.targets.delete(id);
    this.targets.set(id, runs);
    return runs;
  }

  private changed(id: string): void {
    const changed = this.targets.get(id);
    if (changed?.folder !== undefined) this.last = changed.target;
    this.last = this.active()?.target ?? this.last;
    for (const [each, runs] of this.targets) {
      if (!runs.isIdle) continue;
      runs.dispose();
      this.targets.delete(each);
    }
    this.changes.fire();
  }

  private active(): TargetRuns | undefined { return [...this.targets.values()].find((runs) => runs.isActive); }

  /** Absolute paths of recordings that are shown somewhere. */
  foldersInUse(): Set<string> {
    return new Set([...this.targets.values()].flatMap((runs) => runs.folder ?? []));
  }
}
