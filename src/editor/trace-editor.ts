/** Opens `.lanes` files, and files of Chrome trace events, as the pictures they hold. Looking runs nothing: it needs no trust. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';
import type { RunSource } from '../timeline/feed';
import type { Log } from './log';
import { RunPanel } from './run-panel';

interface TraceDocument extends vscode.CustomDocument {
  readonly run: RunSource;
}

export class TraceEditor implements vscode.CustomReadonlyEditorProvider<TraceDocument> {
  /** @param read opens a file of the editor's kind; throws a Refusal where it is none */
  constructor(private readonly dist: vscode.Uri, private readonly log: Log, private readonly read: (path: string) => Promise<RunSource>) {}

  /** @throws Error with the sentence that VS Code shows in place of the editor */
  async openCustomDocument(uri: vscode.Uri): Promise<TraceDocument> {
    if (uri.scheme !== 'file') throw new Error(vscode.l10n.t('{0} cannot be opened: it is no file on a disk ({1}:).', basename(uri.path), uri.scheme));
    try {
      return { uri, run: await this.read(uri.fsPath), dispose: () => { /* It holds nothing open. */ } };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'no-trace-events') throw new Error(vscode.l10n.t('{0} holds no trace events that could be drawn as lanes. ({1})', basename(uri.path), error.message));
      throw error instanceof Refusal ? new Error(vscode.l10n.t('{0} is no trace that can be read: it is damaged, cut short, or of a newer version. ({1})', basename(uri.path), error.message)) : error;
    }
  }

  resolveCustomEditor({ uri, run }: TraceDocument, panel: vscode.WebviewPanel): void {
    const own = new RunPanel(panel, {}, { dist: this.dist, log: this.log, key: '', title: basename(uri.path), keepsTitle: true });
    own.show(run);
    panel.onDidDispose(() => { own.dispose(); });
  }
}
