/** The fact files that lie in a folder. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { begunAt, FACT_FILE_EXTENSION } from '../model/facts';

export interface FactFileThere { readonly name: string; readonly path: string; readonly bytes: number }

/**
 * @param isWanted which of them are looked at, by name
 * @returns those that are there, in the order in which their threads began: of threads of one process, which share its clock, as the files came to be
 * @throws an error of the file system where the folder cannot be read
 */
export function factFilesIn(folder: string, isWanted: (name: string) => boolean = () => true): FactFileThere[] {
  const found: (FactFileThere & { readonly born: number })[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(FACT_FILE_EXTENSION) || !isWanted(name)) continue;
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) found.push({ name, path, bytes: stat.size, born: stat.birthtimeMs });
  }
  return found.sort((a, b) => begunAt(a.name) - begunAt(b.name) || a.born - b.born);
}
