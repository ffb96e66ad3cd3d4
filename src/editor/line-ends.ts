/** After a run: the time of each place, at the end of its line. */
import * as vscode from 'vscode';
import { NAMESPACE, Setting } from './ids';
import { durationLabel, idleLabel, resultLabel } from './place-words';
import type { Results } from './results';

export class LineEnds implements vscode.Disposable {
  private readonly look = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 2em', fontStyle: 'italic' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly results: Results) {
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => { this.update(); }),
      vscode.workspace.onDidChangeConfiguration((change) => { if (change.affectsConfiguration(`${NAMESPACE}.${Setting.lineEnds}`)) this.update(); }),
      results.onDidChange(() => { this.update(); }),
    );
    void results.load();
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.look.dispose();
  }

  private update(): void {
    for (const editor of vscode.window.visibleTextEditors) this.decorate(editor);
  }

  private decorate(editor: vscode.TextEditor): void {
    const { document } = editor;
    const isOn = vscode.workspace.getConfiguration(NAMESPACE, document).get<boolean>(Setting.lineEnds) !== false;
    const results = isOn && document.uri.scheme === 'file' ? this.results.of(document.uri.fsPath) : [];
    // A file that is shorter now than it was when it ran has no such lines any more.
    editor.setDecorations(this.look, results.filter(({ line }) => line <= document.lineCount).map((result) => {
      const { range } = document.lineAt(result.line - 1);
      const words = `${durationLabel(result.elapsedMs)} · ${idleLabel(result)}`;
      return { range: new vscode.Range(range.end, range.end), hoverMessage: resultLabel(result), renderOptions: { after: { contentText: words } } };
    }));
  }
}
