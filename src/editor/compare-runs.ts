/** *Compare Runs…*: which two of the runs that are kept, the panel that shows them, and what other runs of the same took. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { ComparedRuns, figuresOf } from '../formats/comparison';
import type { GroupFigures } from '../model/comparison';
import { RecordedRun } from '../session/recorded-run';
import { Refusal } from '../session/refusal';
import { ViewType } from './ids';
import type { Log } from './log';
import { bytesOf, KEPT_RUNS, targetKey, type RunFolders, type StoredRun } from './run-folders';
import { KEPT_WHILE_HIDDEN, RunPanel } from './run-panel';
import { describeRun, nameOf } from './runs-view';

/** Recordings of other runs that are larger than this are not read for what is usual: they would hold the window up. */
const MAX_REPEAT_BYTES = 64 << 20;
/** Where the last comparison is noted, for panels that VS Code restores without their state. */
const LAST = 'comparison';
const KEY = /^compare:([\w-]+):([\w-]+)$/;

export interface ComparisonsOptions {
  /** Folder of the bundles. */
  readonly dist: vscode.Uri;
  readonly folders: RunFolders;
  readonly log: Log;
  readonly memory: vscode.Memento;
  /** Whether the run in a folder has not ended. */
  readonly isLive: (folder: string) => boolean;
}

export class Comparisons implements vscode.WebviewPanelSerializer {
  /** By key, so that the same two are shown once. */
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly options: ComparisonsOptions) {}

  /** Asks for what is missing of two runs, and shows them. @param chosen none, one or two @throws Refusal */
  async compare(chosen: readonly StoredRun[]): Promise<void> {
    const runs = [...chosen];
    while (runs.length < 2) {
      const picked = await this.pick(runs);
      if (!picked) return;
      runs.push(picked);
    }
    if (runs.length > 2) throw new Refusal('not-two', vscode.l10n.t('Choose two runs: {0} were chosen, and two are compared at a time.', runs.length));
    const [first, second] = runs.sort((a, b) => a.startedAt - b.startedAt);
    const key = keyOf(first, second);
    const known = this.panels.get(key);
    if (known) return known.reveal();
    const both = await this.open(first, second);
    const panel = vscode.window.createWebviewPanel(ViewType.compare, `${nameOf(first)} ↔ ${nameOf(second)}`, vscode.ViewColumn.Active, KEPT_WHILE_HIDDEN);
    await this.options.memory.update(LAST, key);
    this.show(panel, both, first, second);
  }

  /** Gives a panel that VS Code has kept over a reload of the window its two runs back. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { folders, log, memory } = this.options;
    await log.guard(async () => {
      // VS Code writes a page's state down every few seconds: a panel reloaded sooner has none.
      const key = typeof state === 'object' && state !== null && 'panel' in state ? state.panel : memory.get(LAST);
      const names = typeof key === 'string' ? KEY.exec(key)?.slice(1) ?? [] : [];
      const kept = await folders.list();
      const [first, second] = names.map((name) => kept.find(({ folder }) => basename(folder) === name));
      if (!first || !second) {
        panel.dispose();
        void vscode.window.showInformationMessage(vscode.l10n.t('The panel "{0}" was closed: its recording is not there any more. Async Lanes keeps the last {1} runs of a workspace.', panel.title, KEPT_RUNS));
        return;
      }
      try {
        this.show(panel, await this.open(first, second), first, second);
      } catch (error) {
        panel.dispose();
        throw error;
      }
    });
  }

  /** @param chosen those that are no answer any more @throws Refusal where there is nothing to choose from */
  private async pick(chosen: readonly StoredRun[]): Promise<StoredRun | undefined> {
    const runs = (await this.options.folders.list()).filter(({ folder }) => !this.options.isLive(folder) && chosen.every((run) => run.folder !== folder));
    if (runs.length + chosen.length < 2) throw new Refusal('too-few-runs', vscode.l10n.t('There are no two runs to compare yet. Visualize a run twice, and try again.'));
    const title = chosen.length === 0 ? vscode.l10n.t('Compare: the first run') : vscode.l10n.t('Compare {0} with', nameOf(chosen[0]));
    const picked = await vscode.window.showQuickPick(runs.map((run) => ({ label: nameOf(run), description: describeRun(run, undefined), run })), { title, matchOnDescription: true });
    return picked?.run;
  }

  /** @throws Refusal where one still runs, or cannot be read */
  private async open(first: StoredRun, second: StoredRun): Promise<ComparedRuns> {
    const live = [first, second].find(({ folder }) => this.options.isLive(folder));
    if (live) throw new Refusal('still-running', vscode.l10n.t('{0} is still running. Compare it once it has ended, or stop it.', nameOf(live)));
    const read = async (run: StoredRun) => ({ title: nameOf(run), startedAt: run.startedAt, source: await RecordedRun.open(run.folder) });
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading {0}', nameOf(second)) }, async () => new ComparedRuns(await read(first), await read(second)));
  }

  private show(panel: vscode.WebviewPanel, both: ComparedRuns, first: StoredRun, second: StoredRun): void {
    const { dist, log } = this.options;
    const key = keyOf(first, second);
    const own = new RunPanel(panel, { comparison: () => both.message(vscode.env.language) }, { dist, log, key, title: panel.title, keepsTitle: true });
    this.panels.set(key, panel);
    let isGone = false;
    panel.onDidDispose(() => {
      isGone = true;
      own.dispose();
      if (this.panels.get(key) === panel) this.panels.delete(key);
    });
    own.show(both.source);
    void log.guard(async () => {
      await this.readRepeats(both, first, second, () => isGone);
      if (!isGone) own.tellComparison();
    });
  }

  /** What the other runs of the same took: read one after another, beside whatever else goes on. */
  private async readRepeats(both: ComparedRuns, first: StoredRun, second: StoredRun, isGone: () => boolean): Promise<void> {
    const kept = (await this.options.folders.list()).filter(({ folder }) => folder !== first.folder && folder !== second.folder && !this.options.isLive(folder));
    const isOne = targetKey(first.target) === targetKey(second.target);
    for (const { of, run } of isOne ? [{ of: 'both', run: first } as const] : [{ of: 'first', run: first } as const, { of: 'second', run: second } as const]) {
      const figures: GroupFigures[][] = [];
      for (const { folder } of kept.filter(({ target }) => targetKey(target) === targetKey(run.target))) {
        if (isGone()) return;
        try {
          if (await bytesOf(folder) <= MAX_REPEAT_BYTES) figures.push(figuresOf(await RecordedRun.open(folder)));
        } catch (error) {
          this.options.log.info(`${folder} tells nothing of what is usual: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      both.addRepeats(of, figures);
    }
  }
}

const keyOf = (first: StoredRun, second: StoredRun): string => `compare:${basename(first.folder)}:${basename(second.folder)}`;
