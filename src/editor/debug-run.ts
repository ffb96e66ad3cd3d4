/** One run under VS Code's debugger: breakpoints and all, with the agent beside the debugger's own hook. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { traceVariables } from '../session/environment';
import type { Ending } from '../session/launch';
import { Refusal } from '../session/refusal';
import { LiveRun } from '../session/run';
import { launchConfigurations } from './launch-configurations';
import { ownNodeOptions } from './own-options';
import { keepRecord } from './keep-record';
import type { RunCommand } from './run-command';
import type { ShownRun } from './shown-run';
import { titleOf, type Target } from './target';

/** Names our recording in the configuration of a session, by which it is known again. */
const MARK = '__asyncLanesFolder';

export class DebugRun implements ShownRun {
  private constructor(readonly source: LiveRun, readonly folder: string, private readonly watch: SessionWatch) {}

  /**
   * @param folder absolute path of the folder for its recording
   * @param dist absolute path of the folder the bundles lie in
   * @throws Refusal where the debugger does not start
   */
  static async start(target: Target, command: RunCommand, folder: string, dist: string): Promise<DebugRun> {
    const agent = traceVariables({ ...ownNodeOptions(), ...command.env }, { agent: join(dist, 'agent.cjs'), folder, backend: command.backend });
    const watch = new SessionWatch(folder);
    const workspace = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(target.path)) ?? vscode.workspace.workspaceFolders?.[0];
    try {
      const started = await vscode.debug.startDebugging(workspace, { ...configurationOf(target, command), env: { ...command.env, ...agent }, [MARK]: folder });
      if (!started) throw new Refusal('no-debugger', vscode.l10n.t('The debugger did not start {0}. Its own message, or the debug console, says why.', titleOf(target)));
    } catch (error) {
      watch.dispose();
      throw error;
    }
    const source = new LiveRun({ folder, command: command.shown, cwd: command.cwd, title: titleOf(target), process: { pid: undefined, ended: watch.ended } });
    void source.finished.then(() => { keepRecord(folder, source); });
    return new DebugRun(source, folder, watch);
  }

  get finished(): Promise<void> { return this.source.finished; }
  get closed(): Promise<void> { return this.source.finished; }

  async stop(): Promise<void> { await this.watch.stop(); }

  dispose(): void {
    this.source.dispose();
    this.watch.dispose();
  }
}

/** The user's own configuration as it stands, or one that runs the same command. */
function configurationOf(target: Target, { program, args, cwd, node }: RunCommand): vscode.DebugConfiguration {
  if (target.kind === 'launch') {
    const own = launchConfigurations().find(({ folder, name }) => folder.uri.fsPath === target.path && name === target.name);
    if (own) return Object.fromEntries(Object.entries(own).filter(([key]) => key !== 'folder')) as vscode.DebugConfiguration;
  }
  return { type: 'node', request: 'launch', name: titleOf(target), runtimeExecutable: program === node ? node : program, runtimeArgs: [...args], cwd, console: 'integratedTerminal', skipFiles: ['<node_internals>/**'] };
}

/** Knows a debug session by its mark, from its start to its end. */
class SessionWatch implements vscode.Disposable {
  private session: vscode.DebugSession | undefined;
  private end: () => void = () => { /* set with the promise */ };
  readonly ended = new Promise<Ending>((resolve) => { this.end = () => { resolve({}); }; });
  private readonly subscriptions: vscode.Disposable;

  constructor(folder: string) {
    const isOurs = ({ configuration, parentSession }: vscode.DebugSession): boolean => configuration[MARK] === folder && !parentSession;
    this.subscriptions = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession((session) => { if (isOurs(session)) this.session = session; }),
      vscode.debug.onDidTerminateDebugSession((session) => { if (isOurs(session)) this.end(); }),
    );
  }

  async stop(): Promise<void> { if (this.session) await vscode.debug.stopDebugging(this.session); }
  dispose(): void { this.subscriptions.dispose(); }
}
