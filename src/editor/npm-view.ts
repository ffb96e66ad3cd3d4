/** The npm scripts of the workspace as a view, and as CodeLenses in package.json. */
import * as vscode from 'vscode';
import { Command } from './ids';
import { lastRuns, runLabel } from './last-runs';
import { npmScripts, packageLabel, scriptLines, type NpmScript } from './npm-scripts';
import type { Results } from './results';
import type { RunFolders, StoredRun } from './run-folders';
import { idOf, type Target } from './target';

type Node = { readonly type: 'package'; readonly path: string; readonly scripts: readonly NpmScript[] } | { readonly type: 'script'; readonly script: NpmScript; readonly last: StoredRun | undefined };

export const npmTarget = ({ path, script }: Pick<NpmScript, 'path' | 'script'>): Target => ({ kind: 'npm', path, script });

export class NpmView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<undefined>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher('**/package.json');
  readonly onDidChangeTreeData = this.changes.event;

  constructor(private readonly folders: RunFolders, results: Results) {
    for (const event of [this.watcher.onDidChange, this.watcher.onDidCreate, this.watcher.onDidDelete]) {
      event(({ path }) => { if (!path.includes('/node_modules/')) this.changes.fire(undefined); });
    }
    results.onDidChange(() => { this.changes.fire(undefined); });
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const last = await lastRuns(this.folders);
    const asNode = (script: NpmScript): Node => ({ type: 'script', script, last: last.get(idOf(npmTarget(script))) });
    if (node) return node.type === 'package' ? node.scripts.map(asNode) : [];
    const scripts = await npmScripts();
    const paths = [...new Set(scripts.map(({ path }) => path))];
    if (paths.length === 1) return scripts.map(asNode);
    return paths.map((path) => ({ type: 'package', path, scripts: scripts.filter((script) => script.path === path) }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.type === 'package') {
      const item = new vscode.TreeItem(packageLabel(node.path), vscode.TreeItemCollapsibleState.Collapsed);
      item.iconPath = new vscode.ThemeIcon('package');
      return item;
    }
    const { script, last } = node;
    const item = new vscode.TreeItem(script.script);
    const { summary } = last ?? {};
    item.description = summary ? runLabel(summary) : script.command;
    item.tooltip = script.command;
    item.iconPath = new vscode.ThemeIcon('wrench');
    item.contextValue = 'npmScript';
    return item;
  }

  dispose(): void {
    this.watcher.dispose();
    this.changes.dispose();
  }
}

/** The script of a row, for a command from its menu. */
export function scriptOfNode(value: unknown): NpmScript | undefined {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'script' ? (value as Node & { readonly type: 'script' }).script : undefined;
}

/** *Visualize* over each entry of `scripts`. */
export const npmLenses: vscode.CodeLensProvider = {
  provideCodeLenses: (document) => [...scriptLines(document)].map(([script, line]) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    command: Command.visualizeNpmScript, title: `$(run-all) ${vscode.l10n.t('Visualize')}`, arguments: [{ type: 'script', script: { path: document.uri.fsPath, script, command: '' } }],
  })),
};

/** Lets the user choose a script of the workspace. */
export async function pickNpmScript(): Promise<NpmScript | undefined> {
  const items = npmScripts().then((scripts) => scripts.map((script) => ({ label: script.script, description: packageLabel(script.path), detail: script.command, script })));
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Visualize npm Script'), placeHolder: vscode.l10n.t('The script to run'), matchOnDescription: true, matchOnDetail: true });
  return chosen?.script;
}
