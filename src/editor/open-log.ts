/** *Open Log as Lanes…*: which file, how its lines read, and a panel that shows them. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { LogRun, patternFor, previewLog, type LogSettings } from '../formats/log-run';
import { ViewType } from './ids';
import type { Log } from './log';
import { KEPT_WHILE_HIDDEN, RunPanel } from './run-panel';

/** What separates the message that begins a task from the one that ends it. */
const BETWEEN = '…';

/** @throws Refusal where the file cannot be read as a log */
export async function openLog(dist: vscode.Uri, log: Log, uri?: vscode.Uri): Promise<void> {
  const file = uri ?? (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Open a log as lanes'), canSelectMany: false }))?.[0];
  if (!file) return;
  const settings = await askHow(file.fsPath);
  if (!settings) return;
  const title = basename(file.fsPath);
  const run = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Reading {0}', title) }, () => LogRun.open(file.fsPath, settings));
  const panel = vscode.window.createWebviewPanel(ViewType.run, title, vscode.ViewColumn.Active, KEPT_WHILE_HIDDEN);
  const own = new RunPanel(panel, {
    runAgain: async () => { own.show(await LogRun.open(file.fsPath, settings)); },
  }, { dist, log, key: 'log', title });
  panel.onDidDispose(() => { own.dispose(); });
  own.show(run);
}

/** Asks for the pattern, with a preview of what it makes of the first lines, and for what begins and ends a task. */
async function askHow(path: string): Promise<LogSettings | undefined> {
  const value = patternFor(path);
  const pattern = await vscode.window.showInputBox({
    title: vscode.l10n.t('How a line of the log reads: {time} and {thread}, and {level} and {message} where they are'), value, ignoreFocusOut: true,
    // VS Code asks for no opinion before something is typed.
    prompt: preview(path, value).message, validateInput: (text) => preview(path, text),
  });
  if (pattern === undefined) return undefined;
  const pair = await vscode.window.showInputBox({
    title: vscode.l10n.t('What begins and what ends a task'), ignoreFocusOut: true, placeHolder: `Running in thread ${BETWEEN} Done`,
    prompt: vscode.l10n.t('Two pieces of messages with … between them, or the first one alone. Empty: a second of silence ends a task.'),
  });
  if (pair === undefined) return undefined;
  const [begin, end] = pair.split(/…|\.\.\./).map((part) => part.trim() || undefined);
  return { pattern, begin, end };
}

/** A sentence below the field: an error where the pattern is none, else how many of the first lines it fits. */
function preview(path: string, text: string): vscode.InputBoxValidationMessage {
  try {
    const { lines, fitting, first } = previewLog(path, text);
    return first
      ? { severity: vscode.InputBoxValidationSeverity.Info, message: vscode.l10n.t('Fits {0} of the first {1} lines; the first: thread {2} at {3}', fitting, lines, first.thread, first.time) }
      : { severity: vscode.InputBoxValidationSeverity.Error, message: vscode.l10n.t('Fits none of the first {0} lines', lines) };
  } catch (error) {
    return { severity: vscode.InputBoxValidationSeverity.Error, message: error instanceof Error ? error.message : String(error) };
  }
}
