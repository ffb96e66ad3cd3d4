/** For assistants: runs a script of the workspace and answers with what its concurrency was like, as Markdown. */
import { isAbsolute, relative, resolve } from 'node:path';
import * as vscode from 'vscode';
import { assistantSummary } from '../formats/assistant-summary';
import { Refusal } from '../session/refusal';
import type { Runs } from './runs';
import { idOf, scriptTarget, titleOf, type Target } from './target';

/** What an assistant passes, as package.json describes it; nothing of it is believed. */
interface Input {
  readonly path?: unknown;
  readonly npmScript?: unknown;
}

/** An answer is read by a model: beyond this it is cut. */
const MAX_ANSWER = 12_000;

export class RunTool implements vscode.LanguageModelTool<Input> {
  constructor(private readonly runs: Runs) {}

  /** Running is asked for each time: it executes code of the workspace. */
  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<Input>): vscode.PreparedToolInvocation {
    const target = targetOf(input);
    return {
      invocationMessage: vscode.l10n.t('Running {0}', titleOf(target)),
      confirmationMessages: {
        title: vscode.l10n.t('Visualize a run'),
        message: new vscode.MarkdownString().appendText(vscode.l10n.t('Run {0} and record what runs at the same time?', idOf(target))),
      },
    };
  }

  async invoke({ input }: vscode.LanguageModelToolInvocationOptions<Input>, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    const run = await this.runs.run(targetOf(input));
    token.onCancellationRequested(() => { void run.stop(); });
    await run.finished;
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(assistantSummary(run.source, MAX_ANSWER))]);
  }
}

/** @throws Refusal where it names nothing in this workspace */
function targetOf({ path, npmScript }: Input): Target {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  const given = typeof path === 'string' ? path : '';
  const file = folders.map((folder) => resolve(folder, given)).find((each) => folders.some((folder) => isInside(each, folder)));
  if (given === '' || file === undefined) {
    throw new Refusal('no-file', vscode.l10n.t('Nothing was run: name a file of this workspace, by its path from the workspace folder.'));
  }
  return typeof npmScript === 'string' && npmScript !== '' ? { kind: 'npm', path: file, script: npmScript } : scriptTarget(file);
}

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner !== '' && !inner.startsWith('..') && !isAbsolute(inner);
}
