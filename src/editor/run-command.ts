/** What has to be known before something can run: which Node, the program, its arguments, and where. */
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { scriptArguments } from '../session/command';
import type { Backend } from '../session/environment';
import type { NodeBinary } from '../session/find-node';
import { Refusal } from '../session/refusal';
import { testCommand } from '../session/test-runner';
import { chooseNode } from './choose-node';
import { NAMESPACE, Setting } from './ids';
import { launchCommand, launchConfigurations } from './launch-configurations';
import { runnerCommand, runnerOf } from './npm-scripts';
import type { RunOptions } from './run-options';
import { cwdOf } from './script';
import { titleOf, type Target } from './target';

/** The first Node that runs scripts of package.json itself. */
const FIRST_WITH_RUN = 22;

export interface RunCommand {
  /** Absolute path of Node, which the launcher runs on in any case. */
  readonly node: string;
  /** Absolute path of the program, or a name to look up on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Set on top of the environment of terminals. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the file it reads as its input; missing: the terminal. */
  readonly stdin?: string;
  /** As the user would type it. */
  readonly shown: readonly string[];
  readonly backend: Backend;
  /** A sentence for the user on what will run it, where that is not what they would expect. */
  readonly remark?: string;
}

type Specific = Pick<RunCommand, 'program' | 'args' | 'shown'> & Partial<Pick<RunCommand, 'cwd' | 'env'>>;

/** @param options what the user has set for this target @throws Refusal in the user's language */
export async function commandOf(target: Target, options: RunOptions): Promise<RunCommand> {
  const settings = vscode.workspace.getConfiguration(NAMESPACE, vscode.Uri.file(target.path));
  const cwd = options.cwd ?? cwdOf(target);
  const node = await chooseNode(settings.get<string>(Setting.nodePath) ?? '', cwd);
  const specific = specificTo(target, node, () => scriptArgs(target, cwd, node.version), options.args);
  const shown = options.stdin === undefined ? specific.shown : [...specific.shown, '<', vscode.workspace.asRelativePath(options.stdin, false)];
  return {
    node: node.path, cwd, ...specific, shown, stdin: readable(options.stdin, titleOf(target)), env: { ...specific.env, ...options.env },
    remark: node.remark,
    backend: settings.get<string>(Setting.backend) === 'async_hooks' ? 'async_hooks' : 'v8',
  };
}

/** @throws Refusal where it is no file to read */
function readable(file: string | undefined, title: string): string | undefined {
  if (file === undefined || statSync(file, { throwIfNoEntry: false })?.isDirectory() === false) return file;
  throw new Refusal('no-input', vscode.l10n.t('{0} was not run: the file it is to read as input, {1}, is not there. Correct it with Visualize Pool Run with Arguments….', title, file));
}

function specificTo(target: Target, { path: node, version }: NodeBinary, scriptArgs: () => readonly string[], own: readonly string[]): Specific {
  switch (target.kind) {
    case 'script': {
      return { program: node, args: [...scriptArgs(), ...own], shown: ['node', vscode.workspace.asRelativePath(target.path, false), ...own] };
    }
    case 'npm': {
      const [runner, ...args] = [...runnerCommand(runnerOf(target.path), target.script), ...(own.length > 0 ? ['--', ...own] : [])];
      if (runner !== 'node') return { program: runner, args, shown: [runner, ...args] };
      if (version.major < FIRST_WITH_RUN) throw new Refusal('old-node', vscode.l10n.t('{0} was not run: the setting npm.scriptRunner asks for node --run, which {1} does not know. Use Node {2} or newer, or set another runner.', titleOf(target), version.text, FIRST_WITH_RUN));
      return { program: node, args, shown: [runner, ...args] };
    }
    case 'launch': {
      const configuration = launchConfigurations().find(({ folder, name }) => folder.uri.fsPath === target.path && name === target.name);
      if (!configuration) throw new Refusal('no-configuration', vscode.l10n.t('There is no configuration {0} in launch.json any more. Choose another one.', target.name));
      const { program, args, cwd, env } = launchCommand(configuration);
      return { program: program ?? node, args: [...args, ...own], cwd, env, shown: [program ?? 'node', ...args, ...own] };
    }
    case 'open':
      throw new Refusal('not-repeatable', vscode.l10n.t('{0} cannot be run again: it shows what was started by hand. Start it by hand again, with new options.', titleOf(target)));
    case 'test': {
      const command = testCommand(target.path);
      if (!command) throw new Refusal('no-runner', vscode.l10n.t('{0} was not run: no test runner was found for it. Install vitest, jest or mocha in the project, or import node:test in the file.', titleOf(target)));
      return { program: node, args: [...command.args, ...own], cwd: command.cwd, shown: [command.runner, vscode.workspace.asRelativePath(target.path, false), ...own] };
    }
  }
}

function scriptArgs(target: Target, cwd: string, version: Parameters<typeof scriptArguments>[2]): string[] {
  try {
    return scriptArguments(target.path, cwd, version);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const title = titleOf(target);
    switch (error.code) {
      case 'not-javascript':
        throw new Refusal(error.code, vscode.l10n.t('{0} was not run: it is neither JavaScript nor TypeScript. Open a .js, .mjs, .cjs, .ts, .mts or .cts file and try again.', title));
      case 'no-typescript':
        throw new Refusal(error.code, vscode.l10n.t('{0} was not run: Node {1} does not run TypeScript or JSX by itself. Install tsx in the project (npm install --save-dev tsx), or use Node 22.18 or newer for TypeScript.', title, version.text));
      case 'no-script':
        throw new Refusal(error.code, vscode.l10n.t('{0} was not run: the file cannot be read any more. Save it and try again.', title));
      default:
        throw error;
    }
  }
}

