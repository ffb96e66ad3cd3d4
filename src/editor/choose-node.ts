/** Which Node runs things: that of the setting, that which the folder asks for, that on PATH, that of the login shell. */
import * as vscode from 'vscode';
import { findNode, type NodeBinary } from '../session/find-node';
import { OLDEST_NODE } from '../session/node-version';
import { Refusal } from '../session/refusal';
import { installedNode, isTooOld, isWanted, shellNode, VERSION_MANAGERS, wantedNode, type WantedNode } from '../session/wanted-node';
import { NAMESPACE, Setting } from './ids';

const SETTING = `${NAMESPACE}.${Setting.nodePath}`;

export interface ChosenNode extends NodeBinary {
  /** What the user should know of the choice: it is not the Node that the folder asks for. */
  readonly remark?: string;
}

/** @param chosen the setting; empty: look for one @throws Refusal in the user's language that says where was looked */
export async function chooseNode(chosen: string, cwd: string): Promise<ChosenNode> {
  const explicit = chosen.trim();
  const wanted = explicit === '' ? wantedNode(cwd) : undefined;
  try {
    if (explicit !== '') return await findNode({ explicit, cwd, env: process.env });
    return wanted ? await asWanted(wanted, cwd) : await onPath(cwd);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, sentenceOn(error, explicit, wanted));
  }
}

/** The Node that `.nvmrc` and the like name, where it is installed and new enough; else the one on PATH, with a word on why. */
async function asWanted(wanted: WantedNode, cwd: string): Promise<ChosenNode> {
  const path = installedNode(wanted, process.env);
  if (path !== undefined) {
    try {
      return await findNode({ explicit: path, cwd, env: process.env });
    } catch { /* It is too old for the agent, or broken: said below. */ }
  }
  const other = await onPath(cwd);
  if (isWanted(wanted.version, other.version.text)) return other;
  const { version, file } = wanted;
  return {
    ...other,
    remark: path === undefined && !isTooOld(version)
      ? vscode.l10n.t('{0} asks for Node {1}, which was not found in the folders of {2}. {3} at {4} runs instead. Install Node {1}, or name its path in the setting {5}.', file, version, VERSION_MANAGERS, other.version.text, other.path, SETTING)
      : vscode.l10n.t('{0} asks for Node {1}, which Async Lanes cannot watch: it needs Node {2} or newer. {3} at {4} runs instead.', file, version, OLDEST_NODE, other.version.text, other.path),
  };
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

function sentenceOn(error: Refusal, chosen: string, wanted: WantedNode | undefined): string {
  switch (error.code) {
    case 'no-node':
      if (wanted) return vscode.l10n.t('No Node was found to run the script. {0} asks for Node {1}, which is not in the folders of {2}; nor is there any on PATH ({3}) or in the login shell. Install it, or name its path in the setting {4}.', wanted.file, wanted.version, VERSION_MANAGERS, process.env['PATH'] ?? '', SETTING);
      return chosen === ''
        ? vscode.l10n.t('No Node was found to run the script. Async Lanes looked on PATH ({0}), in the folders of version managers for what .nvmrc and the like name, and in the login shell. Install Node {1} or newer, or name its path in the setting {2}.', process.env['PATH'] ?? '', OLDEST_NODE, SETTING)
        : vscode.l10n.t('There is no Node at {0}, where the setting {1} points. Correct the setting, or empty it to take the Node on PATH.', chosen, SETTING);
    case 'not-node':
      return vscode.l10n.t('What was found as Node is none: it does not answer --version as Node does ({0}). Name another path in the setting {1}.', error.message, SETTING);
    case 'old-node':
      return vscode.l10n.t('The Node that was found is too old; {0} or newer is needed ({1}). Install a newer one, or name its path in the setting {2}.', OLDEST_NODE, error.message, SETTING);
    default:
      return error.message;
  }
}
