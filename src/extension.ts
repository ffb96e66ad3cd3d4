import { join } from 'node:path';
import * as vscode from 'vscode';
import { PlaceLenses } from './editor/code-lenses';
import { registerCommands } from './editor/commands';
import { Comparisons } from './editor/compare-runs';
import { followContext, showInspecting, showRunning } from './editor/context';
import { DemosView } from './editor/demos-view';
import { RUN_TOOL, TERMINAL_PROFILE, View, ViewType } from './editor/ids';
import { LineEnds } from './editor/line-ends';
import { Log } from './editor/log';
import { npmLenses, NpmView } from './editor/npm-view';
import { PanelRestorer } from './editor/panel-restorer';
import { Places } from './editor/places';
import { PlacesView } from './editor/places-view';
import { Results } from './editor/results';
import { RunFolders } from './editor/run-folders';
import { RunOptionsStore } from './editor/run-options';
import { KEPT_WHILE_HIDDEN } from './editor/run-panel';
import { RunTool } from './editor/run-tool';
import { Runs } from './editor/runs';
import { RunsElsewhere } from './editor/runs-elsewhere';
import { RunsView } from './editor/runs-view';
import { Terminals } from './editor/terminals';
import { TraceEditor } from './editor/trace-editor';
import { TraceEventRun } from './formats/trace-event-run';
import { RecordedRun } from './session/recorded-run';

const SOURCES: vscode.DocumentSelector = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'].map((language) => ({ language, scheme: 'file' }));
const MANIFESTS: vscode.DocumentSelector = { language: 'json', scheme: 'file', pattern: '**/package.json' };

/** Called by VS Code when it is first needed; what is registered here ends with the extension. No source is read yet, and nothing runs. */
export function activate(context: vscode.ExtensionContext): void {
  const log = new Log();
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const storage = context.storageUri ?? context.globalStorageUri;
  const folders = new RunFolders(join(storage.fsPath, 'runs'));
  const results = new Results(folders);
  const options = new RunOptionsStore(context.workspaceState);
  const places = new Places(dist, storage);
  const runs = new Runs({ dist, folders, runOptions: options, log, onNoted: () => { void log.guard(() => results.reload()); } });
  const isLive = (folder: string): boolean => runs.isLive(folder);
  const elsewhere = new RunsElsewhere(folders, isLive, () => { void log.guard(() => results.reload()); });
  const runsView = new RunsView(folders, results, isLive, elsewhere);
  const npmView = new NpmView(folders, results);
  const terminals = new Terminals({ dist, globalStorage: context.globalStorageUri, environment: context.environmentVariableCollection, folders, runs, log });
  const comparisons = new Comparisons({ dist, folders, log, memory: context.workspaceState, isLive: (folder) => isLive(folder) || elsewhere.has(folder) });
  context.subscriptions.push(
    log, results, places, runs, elsewhere, npmView, terminals,
    registerCommands({ runs, elsewhere, folders, places, results, options, terminals, comparisons, log, dist }),
    followContext(runs, places, terminals), showRunning(runs), showInspecting(places),
    vscode.window.createTreeView(View.places, { treeDataProvider: new PlacesView(places, results), showCollapseAll: true }),
    vscode.window.registerTreeDataProvider(View.npm, npmView),
    vscode.window.registerTreeDataProvider(View.demos, new DemosView(dist.fsPath, folders, results)),
    vscode.window.createTreeView(View.runs, { treeDataProvider: runsView, canSelectMany: true }),
    runs.onDidChange(() => { runsView.refresh(); }),
    vscode.languages.registerCodeLensProvider(SOURCES, new PlaceLenses(places, results)),
    vscode.languages.registerCodeLensProvider(MANIFESTS, npmLenses),
    new LineEnds(results),
    vscode.window.registerTerminalProfileProvider(TERMINAL_PROFILE, terminals),
    vscode.lm.registerTool(RUN_TOOL, new RunTool(runs)),
    vscode.window.registerCustomEditorProvider(ViewType.trace, new TraceEditor(dist, log, (path) => RecordedRun.open(path)), { webviewOptions: KEPT_WHILE_HIDDEN }),
    vscode.window.registerCustomEditorProvider(ViewType.traceEvents, new TraceEditor(dist, log, (path) => TraceEventRun.open(path)), { webviewOptions: KEPT_WHILE_HIDDEN }),
    vscode.window.registerWebviewPanelSerializer(ViewType.compare, comparisons),
    vscode.window.registerWebviewPanelSerializer(ViewType.run, new PanelRestorer(runs, folders, log)),
  );
}
