/** Saves what a view made, a picture or a table, where the user wants it. */
import { homedir } from 'node:os';
import { extname } from 'node:path';
import * as vscode from 'vscode';

/** @param name without a folder @param folder offered first; undefined: the home folder */
export async function saveFile(name: string, data: Uint8Array, folder: string | undefined): Promise<void> {
  const extension = extname(name).slice(1);
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(vscode.Uri.file(folder || homedir()), name), filters: { [extension.toUpperCase()]: [extension] },
  });
  if (target) await vscode.workspace.fs.writeFile(target, data);
}
