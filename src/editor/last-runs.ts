/** The last run of each thing that ran, for the views that list what can run. */
import * as vscode from 'vscode';
import type { RunSummary } from '../formats/run-summary';
import { durationLabel } from './place-words';
import type { RunFolders, StoredRun } from './run-folders';
import { idOf } from './target';

/** By `idOf` of what ran. */
export async function lastRuns(folders: RunFolders): Promise<ReadonlyMap<string, StoredRun>> {
  const runs = await folders.list();
  return new Map(runs.reverse().map((run) => [idOf(run.target), run]));
}

/** E.g. `20 tasks · 39.4 s`. */
export const runLabel = ({ tasks, elapsedMs }: Pick<RunSummary, 'tasks' | 'elapsedMs'>): string => `${vscode.l10n.t('{0} tasks', tasks)} · ${durationLabel(elapsedMs)}`;
