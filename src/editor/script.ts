/** From what the user pointed at to a file on disk. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';

export interface Script {
  /** Absolute path; the same for every run of it. */
  readonly path: string;
  /** Base name, for titles. */
  readonly title: string;
  /** Where it runs: its workspace folder, else the folder it lies in. */
  readonly cwd: string;
}

/**
 * The script at `uri`, or in the active editor. What was never saved is saved here, where the user chooses.
 * @throws Refusal
 */
export async function chosenScript(uri: vscode.Uri | undefined): Promise<Script> {
  const target = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (!target) {
    throw new Refusal('no-editor', vscode.l10n.t('No script to run: no editor is open. Open a JavaScript or TypeScript file and try again.'));
  }
  if (target.scheme === 'untitled') {
    const saved = await vscode.workspace.save(target);
    if (saved?.scheme === 'file') return scriptAt(saved.fsPath);
    throw new Refusal('untitled', vscode.l10n.t('The script was not run: Node runs files, and it has not been saved as one. Its text is still in the editor; save it and try again.'));
  }
  if (target.scheme !== 'file') {
    throw new Refusal('no-file', vscode.l10n.t('{0} was not run: it is no file on a disk ({1}:), and Node runs files. Save it to a folder and try again.', basename(target.path), target.scheme));
  }
  return scriptAt(target.fsPath);
}

export function scriptAt(path: string): Script {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path));
  return { path, title: basename(path), cwd: folder?.uri.scheme === 'file' ? folder.uri.fsPath : dirname(path) };
}

/** Saves the script's changes, so that what runs is what is seen. @throws Refusal where they cannot be saved */
export async function saveScript(script: Script): Promise<void> {
  const uri = vscode.Uri.file(script.path).toString();
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
  if (document?.isDirty && !(await document.save())) {
    throw new Refusal('unsaved', vscode.l10n.t('{0} was not run: its changes could not be saved. They are still in the editor; save the file and try again.', script.title));
  }
}
