/** What the last run of each place showed, of the runs that are kept. */
import * as vscode from 'vscode';
import type { Place } from '../inspect/place';
import type { PlaceResult } from '../formats/place-results';
import type { RunFolders, StoredRun } from './run-folders';

export interface LastResult extends PlaceResult {
  readonly run: StoredRun;
}

export class Results implements vscode.Disposable {
  private readonly byFile = new Map<string, LastResult[]>();
  private readonly changes = new vscode.EventEmitter<void>();
  private loaded: Promise<void> | undefined;
  readonly onDidChange = this.changes.event;

  constructor(private readonly folders: RunFolders) {}

  /** Reads the runs that are kept, once. */
  async load(): Promise<void> { await (this.loaded ??= this.reload()); }

  /** Reads them again: a run has ended, or was deleted. */
  async reload(): Promise<void> {
    const runs = await this.folders.list();
    this.byFile.clear();
    // Oldest first: what a later run showed of a place takes the place of what an earlier one did.
    for (const run of [...runs].reverse()) for (const place of run.summary?.places ?? []) this.take({ ...place, run });
    this.changes.fire();
  }

  /** Results whose groups began in that file. @param file absolute path */
  of(file: string): readonly LastResult[] { return this.byFile.get(file) ?? []; }

  /** What was last seen at a place; of several lines of it, at the one that took longest. */
  at(file: string, place: Pick<Place, 'line' | 'endLine'>): LastResult | undefined {
    return this.of(file).filter(({ line }) => place.line <= line && line <= place.endLine).sort((a, b) => b.elapsedMs - a.elapsedMs).at(0);
  }

  dispose(): void { this.changes.dispose(); }

  private take(result: LastResult): void {
    const known = this.byFile.get(result.file)?.filter(({ line }) => line !== result.line) ?? [];
    this.byFile.set(result.file, [...known, result]);
  }
}
