/** The commands of package.json. */
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';
import type { Comparisons } from './compare-runs';
import { Command } from './ids';
import { openDemo } from './open-demo';
import type { Log } from './log';
import { openLog } from './open-log';
import { npmTarget, pickNpmScript, scriptOfNode } from './npm-view';
import { pickLaunch } from './pick-launch';
import type { Places } from './places';
import { fileOfNode, placeOfNode } from './places-view';
import type { Results } from './results';
import { deleteRuns, renameRun, saveRun } from './run-commands';
import type { RunFolders } from './run-folders';
import type { RunOptionsStore } from './run-options';
import { pickRunningProcess } from './running-processes';
import type { Runs } from './runs';
import type { RunsElsewhere } from './runs-elsewhere';
import { runOfNode, runsOfNodes } from './runs-view';
import { chosenScript } from './script';
import { openSourceAt } from './source';
import type { Terminals } from './terminals';
import { requireTrust } from './target-runs';

export interface CommandHosts {
  readonly runs: Runs;
  readonly elsewhere: RunsElsewhere;
  readonly folders: RunFolders;
  readonly places: Places;
  readonly results: Results;
  readonly options: RunOptionsStore;
  readonly terminals: Terminals;
  readonly comparisons: Comparisons;
  readonly log: Log;
  /** Folder of the bundles. */
  readonly dist: vscode.Uri;
}

export function registerCommands(hosts: CommandHosts): vscode.Disposable {
  const { runs, elsewhere, folders, places, results, options, terminals, comparisons, log, dist } = hosts;
  const table: Readonly<Record<Command, (argument: unknown, second: unknown) => unknown>> = {
    [Command.visualizePoolRun]: (argument) => runs.visualizeScript(argument instanceof vscode.Uri ? argument : undefined),
    [Command.visualizeWithOptions]: async (argument) => {
      requireTrust();
      const target = await chosenScript(argument instanceof vscode.Uri ? argument : undefined);
      if (await options.ask(target)) await runs.visualize(target);
    },
    [Command.visualizeTests]: async (argument) => {
      requireTrust();
      const { path } = await chosenScript(argument instanceof vscode.Uri ? argument : undefined);
      await runs.visualize({ kind: 'test', path });
    },
    [Command.visualizeNpmScript]: async (argument) => {
      requireTrust();
      const script = scriptOfNode(argument) ?? await pickNpmScript();
      if (script) await runs.visualize(npmTarget(script));
    },
    [Command.visualizeLaunch]: async () => {
      requireTrust();
      const chosen = await pickLaunch();
      if (chosen) await runs.visualize(chosen.target, chosen.how);
    },
    [Command.visualizeAndDebug]: async (argument) => {
      requireTrust();
      await runs.visualize(await chosenScript(argument instanceof vscode.Uri ? argument : undefined), 'debug');
    },
    [Command.recordTerminals]: () => terminals.toggle(),
    [Command.stopRecordingTerminals]: () => terminals.toggle(),
    [Command.copyAgentOptions]: () => terminals.copyOptions(),
    [Command.visualizeRunning]: async () => { const run = await pickRunningProcess(folders); if (run) await runs.open(run); },
    [Command.stop]: () => runs.stop(),
    [Command.runAgain]: () => runs.runAgain(),
    [Command.openDemo]: (argument) => openDemo(runs, dist.fsPath, typeof argument === 'string' ? argument : undefined),
    [Command.openLog]: (argument) => openLog(dist, log, argument instanceof vscode.Uri ? argument : undefined),
    [Command.showLog]: () => { log.show(); },
    [Command.inspect]: async () => {
      await vscode.commands.executeCommand('workbench.view.extension.asyncLanes');
      await places.scan();
    },
    [Command.cancelInspection]: () => { places.cancel(); },
    [Command.openPlace]: (uri, at) => { if (uri instanceof vscode.Uri && at instanceof vscode.Position) return openSourceAt(uri, at); return undefined; },
    [Command.visualizePlace]: (argument) => {
      const file = fileOfNode(argument);
      return file === undefined ? undefined : runs.visualizeScript(vscode.Uri.file(file));
    },
    [Command.showBars]: async (argument, second) => {
      const result = await resultAt(argument, second, results);
      if (!result) throw new Refusal('no-result', vscode.l10n.t('No run has shown anything at this place yet. Visualize a run that comes by here, and try again.'));
      await runs.openAt(result.run, result.group);
    },
    [Command.showTasksOfLine]: () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) runs.showTasksOf(editor.document.uri.fsPath, editor.selection.active.line + 1);
    },
    [Command.openRun]: async (argument) => { const run = runOfNode(argument); if (run) await runs.open(run); },
    [Command.repeatRun]: async (argument) => { const run = runOfNode(argument); if (run) await runs.visualize(run.target); },
    [Command.renameRun]: async (argument) => { const run = runOfNode(argument); if (run && await renameRun(run, folders)) await results.reload(); },
    [Command.saveRun]: async (argument) => { const run = runOfNode(argument); if (run) await saveRun(run); },
    [Command.deleteRun]: async (argument, second) => {
      const over = runsOfNodes(argument, second).filter(({ folder }) => !runs.isLive(folder) && !elsewhere.has(folder));
      if (await deleteRuns(over, folders)) await results.reload();
    },
    [Command.compareRuns]: () => comparisons.compare([]),
    [Command.compareRunWith]: async (argument) => { const run = runOfNode(argument); if (run) await comparisons.compare([run]); },
    [Command.compareSelectedRuns]: (argument, second) => comparisons.compare(runsOfNodes(argument, second)),
    [Command.deleteAllRuns]: async () => {
      const idle = (await elsewhere.look(await folders.list())).filter(({ folder }) => !runs.isShown(folder) && !elsewhere.has(folder));
      if (await deleteRuns(idle, folders)) await results.reload();
    },
  };
  return vscode.Disposable.from(...Object.entries(table).map(([id, work]) =>
    vscode.commands.registerCommand(id, (argument: unknown, second: unknown) => log.guard(() => work(argument, second)))));
}

/** What was last seen where the user points: a row of the view, a CodeLens, or the cursor. */
async function resultAt(argument: unknown, line: unknown, results: Results) {
  await results.load();
  const node = placeOfNode(argument);
  if (node) return results.at(node.file, node.place);
  const editor = vscode.window.activeTextEditor;
  const uri = argument instanceof vscode.Uri ? argument : editor?.document.uri;
  if (!uri) return undefined;
  const at = typeof line === 'number' ? line : (editor?.selection.active.line ?? 0) + 1;
  // The nearest one above: the cursor may stand inside the call.
  return results.of(uri.fsPath).filter((result) => result.line <= at).sort((a, b) => b.line - a.line).at(0);
}
