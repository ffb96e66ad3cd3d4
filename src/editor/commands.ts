/** The commands of package.json, and the context keys their when-clauses ask. */
import * as vscode from 'vscode';
import { Command, ContextKey } from './ids';
import type { Log } from './log';
import type { Runs } from './runs';

export function registerCommands(runs: Runs, log: Log): vscode.Disposable {
  const table: Readonly<Record<Command, (argument: unknown) => unknown>> = {
    [Command.visualizePoolRun]: (argument) => runs.visualize(argument instanceof vscode.Uri ? argument : undefined),
    [Command.stop]: () => runs.stop(),
    [Command.runAgain]: () => runs.runAgain(),
    [Command.showLog]: () => { log.show(); },
  };
  return vscode.Disposable.from(...Object.entries(table).map(([id, work]) =>
    vscode.commands.registerCommand(id, (argument: unknown) => log.guard(() => work(argument)))));
}

/** Keeps the context keys true. */
export function followContext(runs: Runs): vscode.Disposable {
  const known = new Map<ContextKey, boolean>();
  const set = (key: ContextKey, value: boolean): void => {
    if (known.get(key) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  return runs.onDidChange(() => {
    set(ContextKey.running, runs.isRunning);
    set(ContextKey.activePanelRunning, runs.isActiveRunning);
    set(ContextKey.hasRun, runs.hasRun);
  });
}
