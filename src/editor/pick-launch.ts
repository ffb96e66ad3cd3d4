/** Lets the user choose a launch configuration, and whether it runs in a terminal or under the debugger. */
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';
import { launchConfigurations } from './launch-configurations';
import type { Target } from './target';
import type { How } from './target-runs';

interface Item extends vscode.QuickPickItem { readonly target: Target }

/** @returns undefined where the user thought better of it @throws Refusal where there is none to choose from */
export async function pickLaunch(): Promise<{ readonly target: Target; readonly how: How } | undefined> {
  const all = launchConfigurations();
  if (all.length === 0) throw new Refusal('no-configuration', vscode.l10n.t('No launch.json of this workspace has a configuration that launches Node.'));
  const debug: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('debug-alt'), tooltip: vscode.l10n.t('Visualize and Debug') };
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Visualize Launch Configuration');
  pick.placeholder = vscode.l10n.t('The configuration to run');
  pick.items = all.map(({ folder, name, program }) => ({
    label: name, description: typeof program === 'string' ? program : undefined, detail: all.some((other) => other.folder !== folder) ? folder.name : undefined,
    buttons: [debug], target: { kind: 'launch', path: folder.uri.fsPath, name },
  }));
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => { resolve(pick.selectedItems.length > 0 ? { target: pick.selectedItems[0].target, how: 'run' } : undefined); });
      pick.onDidTriggerItemButton(({ item }) => { resolve({ target: item.target, how: 'debug' }); });
      pick.onDidHide(() => { resolve(undefined); });
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
