/** From a group in a picture to the line it comes from. */
import * as vscode from 'vscode';
import type { Site } from '../model/timeline';
import { pathOf } from '../formats/place-results';
import { Refusal } from '../session/refusal';

/** Shows where a group or task starts. @throws Refusal where that is not known, or is gone */
export async function openSite(site: Site | undefined): Promise<void> {
  if (!site) throw new Refusal('no-place', vscode.l10n.t('It is not known where this group starts: the agent saw no place for it.'));
  await openSourceAt(vscode.Uri.file(pathOf(site.file) ?? site.file), new vscode.Position(Math.max(0, site.line - 1), Math.max(0, site.column - 1)));
}

/** Shows a place in the first column, beside which panels stand. @throws Refusal where it is gone */
export async function openSourceAt(uri: vscode.Uri, at: vscode.Position): Promise<void> {
  try {
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
  } catch {
    throw new Refusal('no-file', vscode.l10n.t('{0} cannot be opened: it is no file on this machine any more, or no text.', uri.fsPath));
  }
}
