/** Inspects the sources of some folders, file by file. */
import { readFile, stat } from 'node:fs/promises';
import { inspect } from '../inspect/inspect';
import { PlaceCache } from './place-cache';
import type { FilePlaces, ScanCounts } from './protocol';
import { sourcesIn } from './walk';

/** A larger file was made by a program. */
export const MAX_SOURCE_BYTES = 2 << 20;

export interface ScanOptions {
  /** Absolute paths. */
  readonly folders: readonly string[];
  /** Absolute path of the file that keeps places from one scan to the next. */
  readonly cacheFile?: string;
  readonly signal: AbortSignal;
  readonly onFile: (file: FilePlaces) => void;
}

export async function scan({ folders, cacheFile, signal, onFile }: ScanOptions): Promise<ScanCounts> {
  const cache = await PlaceCache.open(cacheFile);
  const counts = { files: 0, cached: 0, tooLarge: 0 };
  for (const folder of folders) {
    for await (const file of sourcesIn(folder, signal)) {
      if (signal.aborted) return counts;
      const text = await sourceOf(file);
      if (text === undefined) {
        counts.tooLarge++;
        continue;
      }
      counts.files++;
      const key = PlaceCache.keyOf(text, file);
      const known = cache.get(key);
      if (known) counts.cached++;
      const places = known ?? inspect(text, file);
      cache.set(key, places);
      if (places.length > 0) onFile({ file, places });
    }
  }
  if (cacheFile !== undefined) await cache.save(cacheFile).catch(() => { /* The next scan takes as long as this one. */ });
  return counts;
}

/** @returns undefined where it is too large, or cannot be read */
async function sourceOf(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > MAX_SOURCE_BYTES ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
