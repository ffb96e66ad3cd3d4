/** From a group in a picture to the line it comes from. */
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { Site } from '../model/timeline';
import { Refusal } from '../session/refusal';

/** Shows a place in the first column, beside which the panel stands. */
export async function openSite(site: Site | undefined): Promise<void> {
  if (!site) throw new Refusal('no-place', vscode.l10n.t('It is not known where this group starts: the agent saw no place for it.'));
  const path = site.file.startsWith('file:') ? fileURLToPath(site.file) : site.file;
  const at = new vscode.Position(Math.max(0, site.line - 1), Math.max(0, site.column - 1));
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(path), {
      viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at),
    });
  } catch {
    throw new Refusal('no-file', vscode.l10n.t('{0} cannot be opened: it is no file on this machine any more, or no text.', path));
  }
}
