/** What the user has set for every Node themselves, which ours must not take the place of. */
import * as vscode from 'vscode';

const NAME = 'NODE_OPTIONS';
const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'osx' : 'linux';

/** `NODE_OPTIONS` as a new terminal would have it: of VS Code's setting for terminals, else of the environment it was started in. */
export function ownNodeOptions(): { readonly NODE_OPTIONS?: string } {
  const set = vscode.workspace.getConfiguration('terminal.integrated.env').get<unknown>(PLATFORM);
  const value = typeof set === 'object' && set !== null && NAME in set ? set[NAME] : process.env[NAME];
  if (typeof value !== 'string') return {};
  return { [NAME]: value.replace(/\$\{env:([^}]+)\}/g, (_, name: string) => process.env[name] ?? '') };
}
