/**
 * Where recordings of runs lie: one folder a run, below the extension's storage, the oldest deleted. A folder's name is
 * `<start, epoch ms>-<key of what ran>-<random>`, so that a panel that knows the key finds its last run again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseSummary, type RunSummary } from '../formats/run-summary';
import { listeningProcesses } from '../session/listening';
import { idOf, parseTarget, type Target } from './target';

/** Runs that are kept, over everything that ran in a workspace. */
export const KEPT_RUNS = 20;
/** Bytes that all of them may take together; the last one is kept whatever it takes. */
const KEPT_BYTES = 2 * 1024 ** 3;
const NAME = /^(\d{13,15})-([0-9a-f]{16})-[0-9a-f]{4}$/;
const NOTE_FILE = 'note.json';
const MAX_NAME = 120;

/** What is written down of a run beside its recording. */
interface Note {
  readonly target: Target;
  /** The name the user gave it. */
  readonly name?: string;
  /** Missing until it has ended. */
  readonly summary?: RunSummary;
}

export interface StoredRun extends Note {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Names what ran in a panel's state: the same for every run of it, and no path to follow for whoever made it up. */
export const targetKey = (target: Target): string => createHash('sha256').update(idOf(target)).digest('hex').slice(0, 16);

export class RunFolders {
  /** @param root absolute path; made when first needed */
  constructor(private readonly root: string, private readonly keptBytes = KEPT_BYTES) {}

  /** Makes the folder of a new run, and deletes the oldest ones but those in use. @returns its absolute path */
  async create(target: Target, inUse: ReadonlySet<string>, now = Date.now()): Promise<string> {
    const folder = join(this.root, `${now}-${targetKey(target)}-${randomBytes(2).toString('hex')}`);
    await mkdir(folder, { recursive: true });
    await writeNote(folder, { target });
    const old = (await this.tooMany()).filter((path) => path !== folder && !inUse.has(path));
    // Another window may be at one of them.
    const written = await this.written(old.map((path) => ({ folder: path })));
    await Promise.all(old.filter((path) => !written.has(path)).map(remove));
    return folder;
  }

  /** All runs that are kept, the last one first. */
  async list(): Promise<StoredRun[]> {
    const found = await Promise.all((await this.names()).reverse().map((name) => this.read(name)));
    return found.filter((run) => run !== undefined);
  }

  /** Notes how a run has ended, or what it is to be called; a run that was deleted meanwhile stays so. */
  async note(folder: string, change: Partial<Pick<Note, 'name' | 'summary'>>): Promise<void> {
    const run = await this.read(basename(folder));
    if (!run) return;
    const { target, name, summary } = { ...run, ...change };
    await writeNote(folder, { target, name: name?.slice(0, MAX_NAME), summary });
  }

  /** Those that a process records into at this moment. @returns their folders' absolute paths */
  async written(runs: readonly Pick<StoredRun, 'folder'>[]): Promise<ReadonlySet<string>> {
    return new Set((await listeningProcesses(runs.map(({ folder }) => folder))).map(({ folder }) => folder));
  }

  async delete({ folder }: Pick<StoredRun, 'folder'>): Promise<void> { await remove(folder); }

  private async read(name: string): Promise<StoredRun | undefined> {
    const folder = join(this.root, name);
    const note = await readNote(folder);
    const [, startedAt, key] = NAME.exec(name) ?? [];
    // A folder whose name and note differ was tampered with.
    return note && targetKey(note.target) === key ? { ...note, folder, startedAt: Number(startedAt) } : undefined;
  }

  /** Absolute paths of those beyond what is kept. */
  private async tooMany(): Promise<string[]> {
    const latestFirst = (await this.names()).reverse().map((name) => join(this.root, name));
    let before = 0;
    const sums = (await Promise.all(latestFirst.map(bytesOf))).map((bytes) => before += bytes);
    // The first is about to begin, the second is the last that ran.
    return latestFirst.filter((_, i) => i >= KEPT_RUNS || (i > 1 && sums[i] > this.keptBytes));
  }

  /** Names of all run folders, oldest first. */
  private async names(): Promise<string[]> {
    const names = await readdir(this.root).catch(() => []);
    return names.filter((name) => NAME.test(name)).sort((a, b) => startOf(a) - startOf(b) || (a < b ? -1 : 1));
  }
}

const startOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** @param folder absolute path of a recording @returns bytes its files take; 0 where it was deleted meanwhile */
export async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then(({ size }) => size, () => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Whole or not at all. */
async function writeNote(folder: string, note: Note): Promise<void> {
  const file = join(folder, NOTE_FILE);
  await writeFile(`${file}.new`, JSON.stringify(note));
  await rename(`${file}.new`, file);
}

async function readNote(folder: string): Promise<Note | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, NOTE_FILE), 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { target, name, summary } = value as Readonly<Record<string, unknown>>;
    const parsed = parseTarget(target);
    return parsed && { target: parsed, name: typeof name === 'string' && name !== '' ? name : undefined, summary: parseSummary(summary) };
  } catch {
    return undefined;
  }
}
