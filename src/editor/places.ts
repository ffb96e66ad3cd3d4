/** The places of the workspace: what a scan found, kept true as files are saved; and those of a text in an editor. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Place } from '../inspect/place';
import { Inspector } from '../scan/inspector';
import type { ScanCounts } from '../scan/protocol';

/** A text above this is not inspected. */
const MAX_TEXT = 2 << 20;

export class Places implements vscode.Disposable {
  private readonly inspector: Inspector;
  private readonly byFile = new Map<string, readonly Place[]>();
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly saves: vscode.Disposable;
  private scanning: AbortController | undefined;
  /** Fires when a scan begins, finds something or ends, and when a file's places have changed. */
  readonly onDidChange = this.changes.event;
  /** What the last scan looked at; undefined before the first has ended. */
  counts: ScanCounts | undefined;

  constructor(dist: vscode.Uri, private readonly storage: vscode.Uri) {
    this.inspector = new Inspector(join(dist.fsPath, 'scan-worker.js'));
    this.saves = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument((document) => { void this.look(document); }),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const { fsPath } of files) this.byFile.delete(fsPath);
        this.changes.fire();
      }),
    );
  }

  get isScanning(): boolean { return this.scanning !== undefined; }

  /** Files that have places. */
  files(): readonly string[] { return [...this.byFile.keys()]; }
  of(file: string): readonly Place[] { return this.byFile.get(file) ?? []; }

  /** Inspects the workspace's sources. A scan that is under way goes on. */
  async scan(): Promise<void> {
    if (this.scanning) return;
    const controller = new AbortController();
    this.scanning = controller;
    this.byFile.clear();
    this.changes.fire();
    try {
      await vscode.workspace.fs.createDirectory(this.storage);
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
      this.counts = await this.inspector.scan(folders, join(this.storage.fsPath, 'places.json'), controller.signal, (files) => {
        for (const { file, places } of files) this.byFile.set(file, places);
        this.changes.fire();
      });
    } finally {
      this.scanning = undefined;
      this.changes.fire();
    }
  }

  cancel(): void { this.scanning?.abort(); }

  /** The places of a document as it stands in the editor. */
  async ofDocument(document: vscode.TextDocument): Promise<readonly Place[]> {
    const text = document.getText();
    return text.length > MAX_TEXT ? [] : this.inspector.inspect(document.fileName, text);
  }

  dispose(): void {
    this.saves.dispose();
    this.cancel();
    this.inspector.dispose();
    this.changes.dispose();
  }

  private async look(document: vscode.TextDocument): Promise<void> {
    if (this.counts === undefined || document.uri.scheme !== 'file' || !isSource(document)) return;
    try {
      const places = await this.ofDocument(document);
      if (places.length > 0) this.byFile.set(document.uri.fsPath, places); else this.byFile.delete(document.uri.fsPath);
      this.changes.fire();
    } catch { /* The next scan tells what is wrong with the thread. */ }
  }
}

const isSource = ({ languageId }: vscode.TextDocument): boolean => /^(java|type)script(react)?$/.test(languageId);
