/** Where the agent was loaded along with NODE_OPTIONS, but there is nothing of the user's to watch. */
import workerThreads from 'node:worker_threads';

/** Programs that only start the user's one; their own promises are nobody's business. */
const LAUNCHERS = /[\\/](?:npm|npx|pnpm|yarn|corepack)[\\/](?:bin|dist|lib)[\\/][^\\/]+$|[\\/]node_modules[\\/](?:\.bin[\\/])?(?:npm|npx|tsx|pnpm|yarn|corepack)(?:[\\/](?:bin|dist)[\\/][^\\/]+)?$/;

export function isBystander(argv: readonly string[]): boolean {
  // Node's own thread for module hooks runs the preloads too, and runs no code of the user's tasks.
  const { isInternalThread } = workerThreads as { isInternalThread?: boolean };
  if (isInternalThread === true) return true;
  // Before Node 24 it does not say so; but only a worker that a program started has somebody to talk to.
  if (!workerThreads.isMainThread && workerThreads.parentPort === null) return true;
  return LAUNCHERS.test(argv[1] ?? '');
}
