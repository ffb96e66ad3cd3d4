/** What can be done with a run that is kept: rename it, save it as a file, delete it. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';
import { readRunRecord } from '../session/run-record';
import { writeTrace } from '../session/trace-writer';
import { TRACE_EXTENSION } from './ids';
import type { RunFolders, StoredRun } from './run-folders';
import { cwdOf } from './script';
import { titleOf } from './target';

/** @returns false where the user thought better of it */
export async function renameRun(run: StoredRun, folders: RunFolders): Promise<boolean> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Run'), value: run.name ?? titleOf(run.target), prompt: vscode.l10n.t('A name to know this run again by. Empty: the name of what ran.'),
  });
  if (name === undefined) return false;
  await folders.note(run.folder, { name: name.trim() });
  return true;
}

/** @throws Refusal where nothing was recorded, or it cannot be written */
export async function saveRun(run: StoredRun): Promise<void> {
  const record = readRunRecord(run.folder);
  if (!record) throw new Refusal('no-trace', vscode.l10n.t('{0} cannot be saved: nothing of it was recorded.', titleOf(run.target)));
  const name = (run.name ?? titleOf(run.target)).replace(/[\\/:*?"<>|]+/g, '-');
  const file = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(join(cwdOf(run.target) || homedir(), `${name}.${TRACE_EXTENSION}`)), filters: { 'Async Lanes': [TRACE_EXTENSION] },
  });
  if (file) await writeTrace(file.fsPath, run.folder, record);
}

/** @returns false where the user thought better of it */
export async function deleteRuns(runs: readonly StoredRun[], folders: RunFolders): Promise<boolean> {
  const yes = vscode.l10n.t('Delete');
  const question = runs.length === 1 ? vscode.l10n.t('Delete the recording of {0}? It cannot be brought back.', runs[0].name ?? titleOf(runs[0].target))
    : vscode.l10n.t('Delete the recordings of {0} runs? They cannot be brought back.', runs.length);
  if (runs.length === 0 || await vscode.window.showWarningMessage(question, { modal: true }, yes) !== yes) return false;
  await Promise.all(runs.map((run) => folders.delete(run)));
  return true;
}
