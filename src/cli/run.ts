/** `async-lanes run`: a script, or with --exec any command, under the agent. */
import { basename, join } from 'node:path';
import { Option, type Command } from 'commander';
import { scriptArguments } from '../session/command';
import type { Backend } from '../session/environment';
import { findNode } from '../session/find-node';
import { runTraced, type Outputs } from './traced-run';

export interface RunOptions extends Outputs {
  readonly node?: string;
  readonly backend?: Backend;
  readonly exec?: boolean;
}

/** The options `run` and `demo` share. */
export function withRunOptions(command: Command): Command {
  return command
    .option('--report <file>', 'write the JSON report there')
    .option('--node <path>', 'run the script with this Node')
    .addOption(new Option('--backend <backend>', 'how the agent watches promises').choices(['v8', 'async_hooks']))
    .option('--quiet', 'no summary at the end');
}

/** @param dist absolute path of the folder the bundles lie in @returns the exit status */
export async function run(dist: string, script: string, args: readonly string[], options: RunOptions): Promise<number> {
  const agent = join(dist, 'agent.cjs');
  if (options.exec) {
    return runTraced({ file: script, args, shown: [script, ...args], title: basename(script), agent, backend: options.backend }, options);
  }
  const cwd = process.cwd();
  const node = await findNode({ explicit: options.node ?? process.execPath, cwd, env: process.env });
  const nodeArgs = scriptArguments(script, cwd, node.version);
  return runTraced({
    file: node.path, args: [...nodeArgs, ...args], shown: ['node', script, ...args], title: basename(script), agent, backend: options.backend,
  }, options);
}
