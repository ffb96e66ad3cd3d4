/** Processes that were started under the copied options, or in a recorded terminal, and run still. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { listeningProcesses } from '../session/listening';
import { Refusal } from '../session/refusal';
import type { RunFolders, StoredRun } from './run-folders';

/** Lets the user choose one of them. @returns the recording it writes @throws Refusal where there is none */
export async function pickRunningProcess(folders: RunFolders): Promise<StoredRun | undefined> {
  const recordings = (await folders.list()).filter(({ target }) => target.kind === 'open');
  const processes = await listeningProcesses(recordings.map(({ folder }) => folder));
  if (processes.length === 0) {
    throw new Refusal('no-process', vscode.l10n.t('No Node process of this workspace is running that can be looked at. Copy the agent options and start one with them in any terminal of this machine.'));
  }
  const time = new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'medium' });
  const items = processes.map(({ folder, pid, command, cwd, startedAt }) => ({
    label: basename(command.at(1) ?? command.at(0) ?? 'node'), description: vscode.l10n.t('process {0}, since {1}', pid, time.format(startedAt)),
    detail: [...command.slice(1), vscode.l10n.t('in {0}', cwd)].join(' '), folder,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Visualize Running Process'), placeHolder: vscode.l10n.t('The process to look at'), matchOnDescription: true, matchOnDetail: true });
  return recordings.find(({ folder }) => folder === chosen?.folder);
}
