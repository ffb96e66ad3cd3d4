/** Gives panels that VS Code has kept over a reload of the window their runs back. */
import * as vscode from 'vscode';
import type { Log } from './log';
import { reopen } from './reopen';
import { KEPT_RUNS, targetKey, type RunFolders, type StoredRun } from './run-folders';
import type { Runs } from './runs';
import { titleOf } from './target';

export class PanelRestorer implements vscode.WebviewPanelSerializer {
  constructor(private readonly runs: Runs, private readonly folders: RunFolders, private readonly log: Log) {}

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.log.guard(async () => {
      const key = typeof state === 'object' && state !== null && 'panel' in state ? state.panel : undefined;
      const stored = await this.runOf(panel, key);
      if (!stored) {
        if (this.runs.restoreDemo(panel, key)) return;
        panel.dispose();
        void vscode.window.showInformationMessage(vscode.l10n.t('The panel "{0}" was closed: its recording is not there any more. Async Lanes keeps the last {1} runs of a workspace.', panel.title, KEPT_RUNS));
        return;
      }
      try {
        this.runs.restore(panel, stored.target, await reopen(stored));
      } catch (error) {
        panel.dispose();
        throw error;
      }
    });
  }

  private async runOf(panel: vscode.WebviewPanel, key: unknown): Promise<StoredRun | undefined> {
    const stored = await this.folders.list();
    // VS Code writes a page's state down every few seconds: a panel reloaded sooner has none, but it has its title.
    return stored.find(({ target }) => key === undefined ? `${panel.title}:`.startsWith(`${titleOf(target)}:`) : targetKey(target) === key);
  }
}
