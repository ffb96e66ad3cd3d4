/** Which Node runs things: that of the setting, that which the folder asks for, that on PATH, that of the login shell. */
import * as vscode from 'vscode';
import { findNode, type NodeBinary } from '../session/find-node';
import { OLDEST_NODE } from '../session/node-version';
import { Refusal } from '../session/refusal';
import { installedNode, shellNode, wantedNode } from '../session/wanted-node';
import { NAMESPACE, Setting } from './ids';

/** @param chosen the setting; empty: look for one @throws Refusal in the user's language that says where was looked */
export async function chooseNode(chosen: string, cwd: string): Promise<NodeBinary> {
  const explicit = chosen.trim();
  try {
    if (explicit !== '') return await findNode({ explicit, cwd, env: process.env });
    return await wanted(cwd) ?? await onPath(cwd);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, sentenceOn(error, explicit, `${NAMESPACE}.${Setting.nodePath}`));
  }
}

/** The Node that `.nvmrc` and the like name, where it is installed and new enough. */
async function wanted(cwd: string): Promise<NodeBinary | undefined> {
  const version = wantedNode(cwd);
  const path = version && installedNode(version, process.env);
  if (path === undefined) return undefined;
  try {
    return await findNode({ explicit: path, cwd, env: process.env });
  } catch {
    return undefined;
  }
}

async function onPath(cwd: string): Promise<NodeBinary> {
  try {
    return await findNode({ cwd, env: process.env });
  } catch (error) {
    // An editor that was started from a desktop does not know what the shell's own start-up adds to PATH.
    const path = await shellNode(process.env, cwd);
    if (path === undefined) throw error;
    return findNode({ explicit: path, cwd, env: process.env });
  }
}

function sentenceOn(error: Refusal, chosen: string, setting: string): string {
  switch (error.code) {
    case 'no-node':
      return chosen === ''
        ? vscode.l10n.t('No Node was found to run the script. Async Lanes looked on PATH ({0}), in the folders of version managers for what .nvmrc and the like name, and in the login shell. Install Node {1} or newer, or name its path in the setting {2}.', process.env['PATH'] ?? '', OLDEST_NODE, setting)
        : vscode.l10n.t('There is no Node at {0}, where the setting {1} points. Correct the setting, or empty it to take the Node on PATH.', chosen, setting);
    case 'not-node':
      return vscode.l10n.t('What was found as Node is none: it does not answer --version as Node does ({0}). Name another path in the setting {1}.', error.message, setting);
    case 'old-node':
      return vscode.l10n.t('The Node that was found is too old; {0} or newer is needed ({1}). Install a newer one, or name its path in the setting {2}.', OLDEST_NODE, error.message, setting);
    default:
      return error.message;
  }
}
