/**
 * Where recordings of runs lie: one folder a run, below the extension's storage, the oldest deleted. A folder's name is
 * `<start, epoch ms>-<key of the script>`, so that a panel that knows the key finds its script's last run again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** Runs that are kept, over all scripts of a workspace. */
export const KEPT_RUNS = 20;
const NAME = /^(\d{13,15})-([0-9a-f]{16})-[0-9a-f]{4}$/;
const SCRIPT_FILE = 'script.json';

export interface StoredRun {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Absolute path of the script that ran. */
  readonly script: string;
}

/** Names a script in a panel's state: the same for every run of it, and no path to follow for whoever made it up. */
export const scriptKey = (script: string): string => createHash('sha256').update(script).digest('hex').slice(0, 16);

export class RunFolders {
  /** @param root absolute path; made when first needed */
  constructor(private readonly root: string) {}

  /** Makes the folder of a new run, and deletes the oldest ones but those in use. @returns its absolute path */
  async create(script: string, inUse: ReadonlySet<string>, now = Date.now()): Promise<string> {
    const folder = join(this.root, `${now}-${scriptKey(script)}-${randomBytes(2).toString('hex')}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, SCRIPT_FILE), JSON.stringify({ script }));
    const names = await this.names();
    const old = names.slice(0, Math.max(0, names.length - KEPT_RUNS)).map((name) => join(this.root, name));
    await Promise.all(old.filter((path) => path !== folder && !inUse.has(path))
      .map((path) => rm(path, { recursive: true, force: true })));
    return folder;
  }

  /** All runs that are kept, the last one first. */
  async list(): Promise<StoredRun[]> {
    const found: StoredRun[] = [];
    for (const name of (await this.names()).reverse()) {
      const folder = join(this.root, name);
      const script = await scriptOf(folder);
      // A folder whose name and note differ was tampered with.
      if (script !== undefined && scriptKey(script) === NAME.exec(name)?.[2]) found.push({ folder, script });
    }
    return found;
  }

  /** Names of all run folders, oldest first. */
  private async names(): Promise<string[]> {
    const names = await readdir(this.root).catch(() => []);
    return names.filter((name) => NAME.test(name)).sort((a, b) => startOf(a) - startOf(b) || (a < b ? -1 : 1));
  }
}

const startOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);

async function scriptOf(folder: string): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, SCRIPT_FILE), 'utf8'));
    const script = typeof value === 'object' && value !== null && 'script' in value ? value.script : undefined;
    return typeof script === 'string' && isAbsolute(script) ? script : undefined;
  } catch {
    return undefined;
  }
}
