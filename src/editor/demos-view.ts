/** The view of the teaching demos, each with what its last run showed. */
import * as vscode from 'vscode';
import type { Demo } from '../model/demos';
import { demoScript, loadDemos } from '../session/demos';
import { aboutDemo } from './demo-words';
import { Command } from './ids';
import { lastRuns, runLabel } from './last-runs';
import type { Results } from './results';
import type { RunFolders, StoredRun } from './run-folders';
import { idOf, scriptTarget } from './target';

interface Node {
  readonly demo: Demo;
  /** Absolute path of its script. */
  readonly file: string;
  readonly last: StoredRun | undefined;
}

export class DemosView implements vscode.TreeDataProvider<Node> {
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;

  /** @param dist absolute path of the folder the bundles lie in */
  constructor(private readonly dist: string, private readonly folders: RunFolders, results: Results) {
    results.onDidChange(() => { this.changes.fire(undefined); });
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) return [];
    const last = await lastRuns(this.folders);
    return loadDemos(this.dist).map((demo) => {
      const file = demoScript(this.dist, demo.name);
      return { demo, file, last: last.get(idOf(scriptTarget(file))) };
    });
  }

  getTreeItem({ demo, last }: Node): vscode.TreeItem {
    const about = aboutDemo(demo);
    const item = new vscode.TreeItem(demo.name);
    item.description = last?.summary ? runLabel(last.summary) : about;
    item.tooltip = about;
    item.iconPath = new vscode.ThemeIcon('mortar-board');
    item.command = { command: Command.openDemo, title: vscode.l10n.t('Open'), arguments: [demo.name] };
    return item;
  }
}
