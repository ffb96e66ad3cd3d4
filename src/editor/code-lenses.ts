/** Over each place of a source: *Visualize*, and what the last run showed there. */
import * as vscode from 'vscode';
import { Command, NAMESPACE, Setting } from './ids';
import { placeLabel, resultLabel } from './place-words';
import type { Places } from './places';
import type { Results } from './results';

export class PlaceLenses implements vscode.CodeLensProvider {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly places: Places, private readonly results: Results) {
    results.onDidChange(() => { this.changes.fire(); });
    vscode.workspace.onDidChangeConfiguration((change) => { if (change.affectsConfiguration(`${NAMESPACE}.${Setting.codeLens}`)) this.changes.fire(); });
  }

  async provideCodeLenses(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<vscode.CodeLens[]> {
    if (vscode.workspace.getConfiguration(NAMESPACE, document).get<boolean>(Setting.codeLens) === false) return [];
    await this.results.load();
    const places = await this.places.ofDocument(document);
    if (token.isCancellationRequested) return [];
    return places.flatMap((place) => {
      const range = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
      const result = this.results.at(document.uri.fsPath, place);
      return [
        new vscode.CodeLens(range, { command: Command.visualizePoolRun, title: `$(run-all) ${vscode.l10n.t('Visualize')}`, tooltip: placeLabel(place), arguments: [document.uri] }),
        ...(result ? [new vscode.CodeLens(range, { command: Command.showBars, title: resultLabel(result), tooltip: vscode.l10n.t('Show it in the diagram'), arguments: [document.uri, result.line] })] : []),
      ];
    });
  }
}
