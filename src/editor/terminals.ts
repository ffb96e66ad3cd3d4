/**
 * Terminals in which every Node process is recorded: one by one, as the profile *Async Lanes*, or all new ones while the user has
 * it so. And the options with which a process started anywhere else is recorded too.
 */
import * as vscode from 'vscode';
import { AgentEnv } from '../model/facts';
import { traceVariables } from '../session/environment';
import { agentCopy } from './agent-copy';
import type { Log } from './log';
import { OpenRecording } from './open-recording';
import { ownNodeOptions } from './own-options';
import type { RunFolders } from './run-folders';
import type { Runs } from './runs';
import { requireTrust } from './target-runs';
import type { Target } from './target';

export interface TerminalsOptions {
  readonly dist: vscode.Uri;
  /** For what has to outlive the extension. */
  readonly globalStorage: vscode.Uri;
  readonly environment: vscode.GlobalEnvironmentVariableCollection;
  readonly folders: RunFolders;
  readonly runs: Runs;
  readonly log: Log;
}

/**
 * What a terminal of the profile has in its environment. What the shell's own start-up files set anew, and what all new terminals
 * are given while they are recorded, would undo that: so VS Code's script for the shell is asked to set it once more behind both,
 * in the variables by which VS Code itself asks it for those of `applyAtShellIntegration`, which it offers for all terminals only.
 */
function profileVariables(agent: string, folder: string): Record<string, string> {
  const { NODE_OPTIONS: load } = traceVariables({}, { agent, folder });
  return {
    ...traceVariables(ownNodeOptions(), { agent, folder }),
    VSCODE_ENV_PREPEND: shellItem('NODE_OPTIONS', `${load} `), VSCODE_ENV_REPLACE: shellItem(AgentEnv.folder, folder),
  };
}

/** Items are parted by colons. */
const shellItem = (name: string, value: string): string => `${name}=${value.replaceAll(':', String.raw`\x3a`)}`;

export class Terminals implements vscode.TerminalProfileProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly watch: vscode.Disposable;
  /** Recordings of single terminals, by their folders. */
  private readonly open = new Map<string, OpenRecording>();
  private all: OpenRecording | undefined;
  private opened = 0;
  /** Fires when all new terminals begin or cease to be recorded. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly options: TerminalsOptions) {
    const { environment } = options;
    // Never longer than this window: what VS Code restores without us would name a folder that nobody reads.
    environment.persistent = false;
    environment.description = vscode.l10n.t('Records every Node process of new terminals.');
    this.watch = vscode.Disposable.from(
      // VS Code leaves it hidden where no terminal was in sight before.
      vscode.window.onDidOpenTerminal((terminal) => { if (this.recordingOf(terminal)) terminal.show(); }),
      vscode.window.onDidCloseTerminal((terminal) => { void this.recordingOf(terminal)?.stop(); }),
    );
  }

  /** Whether all new terminals are recorded. */
  get isOn(): boolean { return this.all !== undefined; }

  /** Called by VS Code when the user opens a terminal of the profile. */
  async provideTerminalProfile(): Promise<vscode.TerminalProfile | undefined> {
    let profile: vscode.TerminalProfile | undefined;
    await this.options.log.guard(async () => {
      const { recording, agent } = await this.record(vscode.l10n.t('Terminal {0}', ++this.opened));
      this.open.set(recording.folder, recording);
      profile = new vscode.TerminalProfile({ name: 'Async Lanes', iconPath: new vscode.ThemeIcon('server-process'), env: profileVariables(agent, recording.folder) });
    });
    return profile;
  }

  /** Begins to record all new terminals, or ceases to. */
  async toggle(): Promise<void> {
    const { environment } = this.options;
    if (this.all) {
      environment.clear();
      const { all } = this;
      this.all = undefined;
      this.changes.fire();
      return all.stop();
    }
    const { recording, agent } = await this.record(vscode.l10n.t('All Terminals'));
    const { NODE_OPTIONS: load, ...rest } = traceVariables({}, { agent, folder: recording.folder });
    // A second time behind the shell's own start-up files: one that sets NODE_OPTIONS anew would undo the first. Loading it twice is loading it once.
    environment.prepend('NODE_OPTIONS', `${load} `, { applyAtProcessCreation: true, applyAtShellIntegration: true });
    for (const [name, value] of Object.entries(rest)) environment.replace(name, value);
    this.all = recording;
    this.changes.fire();
  }

  /** Puts the variables for a process elsewhere on the clipboard, and waits for it. */
  async copyOptions(): Promise<void> {
    const { recording, agent } = await this.record(vscode.l10n.t('Elsewhere {0}', ++this.opened));
    const variables = traceVariables({}, { agent, folder: recording.folder });
    const quoted = Object.entries(variables).map(([name, value]) => (process.platform === 'win32' ? `$env:${name}='${value.replaceAll("'", "''")}';` : `${name}='${value.replaceAll("'", String.raw`'\''`)}'`));
    await vscode.env.clipboard.writeText(`${quoted.join(' ')} `);
    void vscode.window.showInformationMessage(vscode.l10n.t('The options are on the clipboard. Paste them before a command in any terminal of this machine: its Node processes show in the panel.'));
  }

  dispose(): void {
    this.watch.dispose();
    this.options.environment.clear();
    this.changes.dispose();
  }

  /** That of a terminal of the profile. */
  private recordingOf({ creationOptions }: vscode.Terminal): OpenRecording | undefined {
    const folder = 'env' in creationOptions ? creationOptions.env?.[AgentEnv.folder] : undefined;
    return folder ? this.open.get(folder) : undefined;
  }

  private async record(title: string): Promise<{ readonly recording: OpenRecording; readonly agent: string }> {
    requireTrust();
    const { dist, globalStorage, folders, runs } = this.options;
    const cwd = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? globalStorage.fsPath;
    const target: Target = { kind: 'open', path: cwd, name: title };
    const agent = await agentCopy(dist.fsPath, globalStorage.fsPath);
    const folder = await folders.create(target, runs.foldersInUse());
    const recording = new OpenRecording(folder, title, cwd);
    runs.show(target, recording);
    return { recording, agent };
  }
}
