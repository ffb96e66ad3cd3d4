/** Buttons that help where something was refused. */
import * as vscode from 'vscode';
import { Command, NAMESPACE, Setting } from './ids';

export interface Action {
  readonly title: string;
  readonly run: () => unknown;
}

/** @param code of a `Refusal` */
export function remediesOf(code: string): readonly Action[] {
  switch (code) {
    case 'no-node': case 'not-node': case 'old-node': case 'other-node':
      return [command(vscode.l10n.t('Choose Node in Settings'), openSettings(), { query: `${NAMESPACE}.${Setting.nodePath}` })];
    case 'untrusted':
      return [command(vscode.l10n.t('Manage Workspace Trust'), 'workbench.trust.manage')];
    case 'no-process':
      return [command(vscode.l10n.t('Copy Agent Options'), Command.copyAgentOptions)];
    default:
      return [];
  }
}

/** Paths of a remote machine are settings of that machine. */
const openSettings = (): string => (vscode.env.remoteName === undefined ? 'workbench.action.openSettings' : 'workbench.action.openRemoteSettings');

const command = (title: string, id: string, ...args: unknown[]): Action =>
  ({ title, run: () => vscode.commands.executeCommand(id, ...args) });
