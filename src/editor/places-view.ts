/** The view of places: folder of the workspace → file → place, each with what its last run showed. */
import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Place } from '../inspect/place';
import { Command } from './ids';
import { placeLabel, resultLabel } from './place-words';
import type { Places } from './places';
import type { Results } from './results';

type Node =
  | { readonly type: 'folder'; readonly folder: vscode.WorkspaceFolder }
  | { readonly type: 'file'; readonly file: string }
  | { readonly type: 'place'; readonly file: string; readonly place: Place };

const ICONS: Readonly<Record<Place['kind'], string>> = {
  chunk: 'layers', pool: 'server-process', library: 'package', unbounded: 'warning', together: 'split-horizontal',
  sequential: 'arrow-down', forEach: 'warning', limiterInLoop: 'warning',
};

export class PlacesView implements vscode.TreeDataProvider<Node> {
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;

  constructor(private readonly places: Places, private readonly results: Results) {
    places.onDidChange(() => { this.changes.fire(undefined); });
    results.onDidChange(() => { this.changes.fire(undefined); });
  }

  async getChildren(node?: Node): Promise<Node[]> {
    await this.results.load();
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    if (!node) {
      const filled = folders.filter((folder) => this.filesIn(folder).length > 0);
      return filled.length > 1 ? filled.map((folder) => ({ type: 'folder', folder })) : filled.flatMap((folder) => this.filesIn(folder));
    }
    if (node.type === 'folder') return this.filesIn(node.folder);
    return node.type === 'file' ? this.places.of(node.file).map((place) => ({ type: 'place', file: node.file, place })) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.type) {
      case 'folder': return Object.assign(new vscode.TreeItem(node.folder.name, vscode.TreeItemCollapsibleState.Expanded), { iconPath: vscode.ThemeIcon.Folder });
      case 'file': return this.fileItem(node.file);
      case 'place': return this.placeItem(node.file, node.place);
    }
  }

  private filesIn(folder: vscode.WorkspaceFolder): Node[] {
    const root = folder.uri.fsPath + sep;
    return this.places.files().filter((file) => file.startsWith(root)).sort().map((file) => ({ type: 'file', file }));
  }

  private fileItem(file: string): vscode.TreeItem {
    const uri = vscode.Uri.file(file);
    const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Collapsed);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const inner = folder ? relative(folder.uri.fsPath, file).split(sep).slice(0, -1).join('/') : '';
    const count = this.places.of(file).length;
    item.description = [...(inner === '' ? [] : [inner]), count === 1 ? vscode.l10n.t('1 place') : vscode.l10n.t('{0} places', count)].join(' · ');
    item.contextValue = 'file';
    return item;
  }

  private placeItem(file: string, place: Place): vscode.TreeItem {
    const item = new vscode.TreeItem(placeLabel(place));
    const result = this.results.at(file, place);
    const at = vscode.l10n.t('line {0}', place.line);
    item.description = [...(result ? [resultLabel(result)] : []), place.function === '' ? at : `${place.function} · ${at}`].join(' · ');
    item.tooltip = `${placeLabel(place)}\n${item.description}`;
    item.iconPath = new vscode.ThemeIcon(ICONS[place.kind]);
    item.contextValue = result ? 'placeWithResult' : 'place';
    const where = new vscode.Position(place.line - 1, place.column - 1);
    item.command = { command: Command.openPlace, title: vscode.l10n.t('Open'), arguments: [vscode.Uri.file(file), where] };
    return item;
  }
}

/** The place of a row, for a command from its menu. */
export const placeOfNode = (value: unknown): { readonly file: string; readonly place: Place } | undefined =>
  (typeof value === 'object' && value !== null && 'type' in value && value.type === 'place' ? value as Node & { readonly type: 'place' } : undefined);

/** The file of a row, for a command from its menu. */
export const fileOfNode = (value: unknown): string | undefined =>
  (typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string' ? value.file : undefined);
