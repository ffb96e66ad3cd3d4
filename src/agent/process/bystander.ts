/** Where the agent was loaded along with NODE_OPTIONS, but there is nothing of the user's to watch. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import workerThreads from 'node:worker_threads';

/** Programs that only start the user's one; their own promises are nobody's business. */
const LAUNCHERS = /[\\/](?:npm|npx|pnpm|yarn|corepack)[\\/](?:bin|dist|lib)[\\/][^\\/]+$|[\\/]node_modules[\\/](?:\.bin[\\/])?(?:npm|npx|tsx|pnpm|yarn|corepack)(?:[\\/](?:bin|dist)[\\/][^\\/]+)?$/;

export function isBystander(argv: readonly string[]): boolean {
  // Node's own thread for module hooks runs the preloads too, and runs no code of the user's tasks.
  const { isInternalThread } = workerThreads as { isInternalThread?: boolean };
  if (isInternalThread === true) return true;
  // Before Node 24 it does not say so; but only a worker that a program started has somebody to talk to.
  if (!workerThreads.isMainThread && workerThreads.parentPort === null) return true;
  const program = argv[1] ?? '';
  return LAUNCHERS.test(program) || isOurs(program);
}

/** Our own programs, where a terminal in which all is recorded starts them: what they start is told where they put it. */
const isOurs = (program: string): boolean => /^(?:launcher|cli)\.js$/.test(basename(program)) && existsSync(join(dirname(program), 'agent.cjs'));
