/**
 * Runs that somebody still records though this window does not follow them: those of another window that keeps its runs at the same
 * place, and those that outlived a reload in which their panel was not open. The processes themselves are asked, for nothing on
 * the disk tells a run that goes on from one whose window was killed.
 */
import * as vscode from 'vscode';
import type { RunFolders, StoredRun } from './run-folders';

/** From one look to the next, while there is such a run. */
const LOOK_MS = 5_000;

export class RunsElsewhere implements vscode.Disposable {
  private found: ReadonlySet<string> = new Set();
  /** What the last look saw, to tell whether the next one sees anything else. */
  private seen: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly focus: vscode.Disposable;

  /**
   * @param isLive whether this window follows the run in a folder
   * @param onChange called where such a run has begun, ended, or been noted since the last look
   */
  constructor(private readonly folders: RunFolders, private readonly isLive: (folder: string) => boolean, private readonly onChange: () => void) {
    // Whoever comes back from another window may have started or ended something there.
    this.focus = vscode.window.onDidChangeWindowState(({ focused }) => { if (focused && this.seen !== undefined) void this.lookAgain(); });
  }

  /** Whether the run in that folder was going on at the last look. */
  has(folder: string): boolean { return this.found.has(folder); }

  /** Looks which of these runs go on, and keeps looking while there is one. @returns the same runs */
  async look(runs: readonly StoredRun[]): Promise<readonly StoredRun[]> {
    const wasSome = this.found.size > 0;
    this.found = await this.folders.written(runs.filter(({ folder, summary }) => summary === undefined && !this.isLive(folder)));
    this.seen = JSON.stringify([runs.map(({ folder, summary, name }) => [folder, summary?.phase, name]), [...this.found]]);
    clearTimeout(this.timer);
    // Once more after the last has ended: its window notes how only then.
    if (this.found.size > 0 || wasSome) this.timer = setTimeout(() => { void this.lookAgain(); }, LOOK_MS).unref();
    return runs;
  }

  dispose(): void {
    this.focus.dispose();
    clearTimeout(this.timer);
  }

  private async lookAgain(): Promise<void> {
    const before = this.seen;
    await this.look(await this.folders.list());
    if (this.seen !== before) this.onChange();
  }
}
