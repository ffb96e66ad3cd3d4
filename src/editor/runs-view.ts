/** The view of the runs that are kept, the last one first. */
import * as vscode from 'vscode';
import type { RunPhase } from '../model/run';
import { Command } from './ids';
import { durationLabel } from './place-words';
import type { Results } from './results';
import type { RunFolders, StoredRun } from './run-folders';
import type { RunsElsewhere } from './runs-elsewhere';
import { titleOf } from './target';
import { phaseWords } from './titles';

const ICONS: Readonly<Record<RunPhase, string>> = {
  starting: 'loading~spin', running: 'loading~spin', finished: 'pass', crashed: 'error', killed: 'error', stopped: 'debug-stop',
};

export class RunsView implements vscode.TreeDataProvider<StoredRun> {
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;

  /** @param isLive whether the run in a folder has not ended */
  constructor(private readonly folders: RunFolders, results: Results, private readonly isLive: (folder: string) => boolean, private readonly elsewhere: RunsElsewhere) {
    results.onDidChange(() => { this.changes.fire(undefined); });
  }

  /** A run began, ended or changed its name. */
  refresh(): void { this.changes.fire(undefined); }

  async getChildren(run?: StoredRun): Promise<StoredRun[]> { return run ? [] : [...await this.elsewhere.look(await this.folders.list())]; }

  getTreeItem(run: StoredRun): vscode.TreeItem {
    const item = new vscode.TreeItem(nameOf(run));
    const going = this.isLive(run.folder) ? 'here' : this.elsewhere.has(run.folder) ? 'elsewhere' : undefined;
    const { summary } = run;
    item.id = run.folder;
    item.description = describeRun(run, going);
    item.tooltip = `${titleOf(run.target)}\n${run.target.path}\n${item.description}`;
    item.iconPath = new vscode.ThemeIcon(ICONS[going ? 'running' : summary?.phase ?? 'killed']);
    // What was started by hand cannot be run again from here.
    item.contextValue = going ? 'liveRun' : run.target.kind === 'open' ? 'recording' : 'run';
    item.command = { command: Command.openRun, title: vscode.l10n.t('Open'), arguments: [run] };
    return item;
  }
}

/** What the user calls it. */
export const nameOf = (run: StoredRun): string => run.name ?? titleOf(run.target);

/** How it ended, how long it took, and when it began. @param going where somebody follows it still */
export function describeRun({ summary, startedAt }: StoredRun, going: 'here' | 'elsewhere' | undefined): string {
  const at = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'short', timeStyle: 'medium' }).format(startedAt);
  const state = going === 'here' ? vscode.l10n.t('running') : going === 'elsewhere' ? vscode.l10n.t('running, not followed in this window')
    : summary ? phaseWords(summary) : vscode.l10n.t('end not recorded');
  const figures = summary && !going ? [durationLabel(summary.elapsedMs), vscode.l10n.t('{0} tasks', summary.tasks)] : [];
  return [state, ...figures, at].join(' · ');
}

/** The runs of the rows that are selected, where the row of the menu is one of them; else that of the row. */
export function runsOfNodes(node: unknown, selected: unknown): StoredRun[] {
  const run = runOfNode(node);
  const all = Array.isArray(selected) ? selected.map(runOfNode).filter((each) => each !== undefined) : [];
  return run && !all.some(({ folder }) => folder === run.folder) ? [run] : all;
}

/** The run of a row, for a command from its menu. */
export const runOfNode = (value: unknown): StoredRun | undefined =>
  (typeof value === 'object' && value !== null && 'folder' in value && 'target' in value ? value as StoredRun : undefined);
