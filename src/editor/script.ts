/** From what the user pointed at to a file on disk that can run. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';
import { scriptTarget, titleOf, type Target } from './target';

/**
 * The script at `uri`, or in the active editor. What was never saved is saved here, where the user chooses.
 * @throws Refusal
 */
export async function chosenScript(uri: vscode.Uri | undefined): Promise<Target> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (!file) {
    throw new Refusal('no-editor', vscode.l10n.t('No script to run: no editor is open. Open a JavaScript or TypeScript file and try again.'));
  }
  if (file.scheme === 'untitled') {
    const saved = await vscode.workspace.save(file);
    if (saved?.scheme === 'file') return scriptTarget(saved.fsPath);
    throw new Refusal('untitled', vscode.l10n.t('The script was not run: Node runs files, and it has not been saved as one. Its text is still in the editor; save it and try again.'));
  }
  if (file.scheme !== 'file') {
    throw new Refusal('no-file', vscode.l10n.t('{0} was not run: it is no file on a disk ({1}:), and Node runs files. Save it to a folder and try again.', basename(file.path), file.scheme));
  }
  return scriptTarget(file.fsPath);
}

/** Where it runs unless it says otherwise: its workspace folder, else the folder it lies in; an npm script beside its package.json. */
export function cwdOf(target: Target): string {
  if (target.kind === 'npm') return dirname(target.path);
  if (target.kind === 'launch' || target.kind === 'open') return target.path;
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(target.path));
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : dirname(target.path);
}

/** Saves the changes of the file that is to run, so that what runs is what is seen. @throws Refusal where they cannot be saved */
export async function saveChanges(target: Target): Promise<void> {
  const uri = vscode.Uri.file(target.path).toString();
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
  if (document?.isDirty && !(await document.save())) {
    throw new Refusal('unsaved', vscode.l10n.t('{0} was not run: its changes could not be saved. They are still in the editor; save the file and try again.', titleOf(target)));
  }
}
