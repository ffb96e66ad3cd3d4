/** `async-lanes run` and `demo`: a script, or with --exec any command, under the agent. */
import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import { scriptArguments } from '../session/command';
import type { Backend } from '../session/environment';
import { findNode } from '../session/find-node';
import { runTraced, type Outputs } from './traced-run';
import type { TracedCommand } from './start-traced';

export interface RunOptions extends Outputs {
  readonly node?: string;
  readonly backend?: Backend;
}

/** The options `run` and `demo` share. */
export function withRunOptions(command: Command): Command {
  return command
    .option('--report <file>', 'write the JSON report there')
    .option('--trace <file>', 'record the run there, to reopen it later')
    .option('--open', 'show the run live in the browser')
    .option('--node <path>', 'run the script with this Node')
    .addOption(new Option('--backend <backend>', 'how the agent watches promises').choices(['v8', 'async_hooks']))
    .option('--quiet', 'no summary at the end');
}

/** @param dist absolute path of the folder the bundles lie in @returns the exit status */
export async function runScript(dist: string, script: string, args: readonly string[], options: RunOptions): Promise<number> {
  return runTraced((await scriptCommand(dist, script, options))(args), options);
}

/** How a script is started, with whatever arguments. @param dist absolute path of the folder the bundles lie in */
export async function scriptCommand(dist: string, script: string, { node: explicit, backend }: RunOptions): Promise<(args: readonly string[]) => TracedCommand> {
  const cwd = process.cwd();
  const node = await findNode({ explicit: explicit ?? process.execPath, cwd, env: process.env });
  const nodeArgs = scriptArguments(script, cwd, node.version);
  return (args) => ({ file: node.path, args: [...nodeArgs, ...args], shown: ['node', script, ...args], title: basename(script), dist, backend });
}

/** @param dist absolute path of the folder the bundles lie in @returns the exit status */
export function runCommand(dist: string, command: string, args: readonly string[], options: RunOptions): Promise<number> {
  const shown = [command, ...args];
  return runTraced({ file: command, args, shown, title: shown.join(' ').slice(0, 60), dist, backend: options.backend }, options);
}
