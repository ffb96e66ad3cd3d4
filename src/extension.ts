import * as vscode from 'vscode';
import { followContext, registerCommands } from './editor/commands';
import { ViewType } from './editor/ids';
import { Log } from './editor/log';
import { PanelRestorer } from './editor/panel-restorer';
import { RunFolders } from './editor/run-folders';
import { Runs } from './editor/runs';

/** Called by VS Code at the first command, or for a panel to restore; what is registered here ends with the extension. */
export function activate(context: vscode.ExtensionContext): void {
  const log = new Log();
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const folders = new RunFolders(vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'runs').fsPath);
  const runs = new Runs({ dist, folders, log });
  context.subscriptions.push(
    log,
    runs,
    registerCommands(runs, log),
    followContext(runs),
    vscode.window.registerWebviewPanelSerializer(ViewType.run, new PanelRestorer(runs, folders, log)),
  );
}
