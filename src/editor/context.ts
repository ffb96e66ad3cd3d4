/** What VS Code is told of the state of things: context keys for when-clauses, and one item of the status bar while something runs. */
import * as vscode from 'vscode';
import { Command, ContextKey, View } from './ids';
import type { Places } from './places';
import type { Runs } from './runs';
import type { Terminals } from './terminals';

/** Keeps the context keys true. */
export function followContext(runs: Runs, places: Places, terminals: Terminals): vscode.Disposable {
  const known = new Map<ContextKey, boolean>();
  const set = (key: ContextKey, value: boolean): void => {
    if (known.get(key) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  return vscode.Disposable.from(
    runs.onDidChange(() => {
      set(ContextKey.running, runs.isRunning);
      set(ContextKey.activePanelRunning, runs.isActiveRunning);
      set(ContextKey.hasRun, runs.hasRun);
    }),
    terminals.onDidChange(() => { set(ContextKey.recordingTerminals, terminals.isOn); }),
    places.onDidChange(() => {
      set(ContextKey.inspecting, places.isScanning);
      set(ContextKey.inspected, places.counts !== undefined && !places.isScanning);
    }),
  );
}

export function showRunning(runs: Runs): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('asyncLanes.running', vscode.StatusBarAlignment.Left);
  item.name = 'Async Lanes';
  item.command = Command.stop;
  return vscode.Disposable.from(item, runs.onDidChange(() => {
    const { running } = runs;
    if (running.length === 0) return item.hide();
    item.text = `$(loading~spin) ${running.length === 1 ? running[0] : vscode.l10n.t('{0} runs', running.length)}`;
    item.tooltip = vscode.l10n.t('Async Lanes: {0}. Press to stop.', running.join(', '));
    item.show();
  }));
}

/** The progress bar of the view while the workspace is inspected. */
export function showInspecting(places: Places): vscode.Disposable {
  let end: (() => void) | undefined;
  return places.onDidChange(() => {
    if (places.isScanning && !end) {
      void vscode.window.withProgress({ location: { viewId: View.places } }, () => new Promise<void>((resolve) => { end = resolve; }));
    } else if (!places.isScanning) {
      end?.();
      end = undefined;
    }
  });
}
