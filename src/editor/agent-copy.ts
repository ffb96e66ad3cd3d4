/** The agent at a path that outlives an update of the extension: processes that were told of it load it whenever they start. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @param dist absolute path of the folder the bundles lie in
 * @param storage absolute path of a folder that stays; copies in it are never taken away, for a terminal may still name them
 * @returns absolute path of the copy
 */
export async function agentCopy(dist: string, storage: string): Promise<string> {
  const agent = join(dist, 'agent.cjs');
  const name = createHash('sha256').update(await readFile(agent)).digest('hex').slice(0, 16);
  const copy = join(storage, `agent-${name}.cjs`);
  if (await stat(copy).then(() => true, () => false)) return copy;
  await mkdir(storage, { recursive: true });
  // Whole or not at all: a Node that starts meanwhile must not load half of it.
  await copyFile(agent, `${copy}.new`);
  await rename(`${copy}.new`, copy);
  return copy;
}
