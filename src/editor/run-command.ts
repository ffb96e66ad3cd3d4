/** What has to be known before a script can run: which Node, and its arguments. */
import * as vscode from 'vscode';
import { scriptArguments } from '../session/command';
import type { Backend } from '../session/environment';
import { findNode, type NodeBinary } from '../session/find-node';
import { OLDEST_NODE } from '../session/node-version';
import { Refusal } from '../session/refusal';
import { NAMESPACE, Setting } from './ids';
import type { Script } from './script';

export interface RunCommand {
  /** Absolute path of Node. */
  readonly node: string;
  /** Node's arguments, the script's path last. */
  readonly args: readonly string[];
  readonly backend: Backend;
}

/** @throws Refusal in the user's language */
export async function runCommand(script: Script): Promise<RunCommand> {
  const settings = vscode.workspace.getConfiguration(NAMESPACE, vscode.Uri.file(script.path));
  const chosen = (settings.get<string>(Setting.nodePath) ?? '').trim();
  const node = await nodeFor(script, chosen);
  return {
    node: node.path,
    args: argumentsFor(script, node),
    backend: settings.get<string>(Setting.backend) === 'async_hooks' ? 'async_hooks' : 'v8',
  };
}

async function nodeFor(script: Script, chosen: string): Promise<NodeBinary> {
  try {
    return await findNode({ explicit: chosen === '' ? undefined : chosen, cwd: script.cwd, env: process.env });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const setting = `${NAMESPACE}.${Setting.nodePath}`;
    throw new Refusal(error.code, sentenceOn(error, chosen, setting));
  }
}

function sentenceOn(error: Refusal, chosen: string, setting: string): string {
  switch (error.code) {
    case 'no-node':
      return chosen === ''
        ? vscode.l10n.t('No Node was found to run the script. Async Lanes looked on PATH ({0}). Install Node {1} or newer, or name its path in the setting {2}.', process.env['PATH'] ?? '', OLDEST_NODE, setting)
        : vscode.l10n.t('There is no Node at {0}, where the setting {1} points. Correct the setting, or empty it to take the Node on PATH.', chosen, setting);
    case 'not-node':
      return vscode.l10n.t('What was found as Node is none: it does not answer --version as Node does ({0}). Name another path in the setting {1}.', error.message, setting);
    case 'old-node':
      return vscode.l10n.t('The Node that was found is too old; {0} or newer is needed ({1}). Install a newer one, or name its path in the setting {2}.', OLDEST_NODE, error.message, setting);
    default:
      return error.message;
  }
}

function argumentsFor(script: Script, node: NodeBinary): string[] {
  try {
    return scriptArguments(script.path, script.cwd, node.version);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    switch (error.code) {
      case 'not-javascript':
        throw new Refusal(error.code, vscode.l10n.t('{0} was not run: it is neither JavaScript nor TypeScript. Open a .js, .mjs, .cjs, .ts, .mts or .cts file and try again.', script.title));
      case 'no-typescript':
        throw new Refusal(error.code, vscode.l10n.t('{0} was not run: Node {1} does not run TypeScript or JSX by itself. Install tsx in the project (npm install --save-dev tsx), or use Node 22.18 or newer for TypeScript.', script.title, node.version.text));
      case 'no-script':
        throw new Refusal(error.code, vscode.l10n.t('{0} was not run: the file cannot be read any more. Save it and try again.', script.title));
      default:
        throw error;
    }
  }
}
