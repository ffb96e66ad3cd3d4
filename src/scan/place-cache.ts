/** The places of sources by their content, kept in a file from one scan to the next. */
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { INSPECTION_VERSION } from '../inspect/inspect';
import { PLACE_KINDS, type Place } from '../inspect/place';

const MAX_CACHE_BYTES = 64 << 20;

export class PlaceCache {
  private readonly kept = new Map<string, readonly Place[]>();
  private readonly used = new Map<string, readonly Place[]>();

  /** @param file absolute path; a cache that cannot be read, or is of another version, is begun anew */
  static async open(file: string | undefined): Promise<PlaceCache> {
    const cache = new PlaceCache();
    if (file === undefined) return cache;
    try {
      const bytes = await readFile(file);
      if (bytes.length <= MAX_CACHE_BYTES) cache.load(JSON.parse(bytes.toString('utf8')));
    } catch { /* There is none yet. */ }
    return cache;
  }

  /** The same text is read otherwise under another extension. */
  static keyOf(text: string, name: string): string {
    return createHash('sha1').update(extname(name)).update('\0').update(text).digest('base64').slice(0, 20);
  }

  get(key: string): readonly Place[] | undefined {
    const places = this.kept.get(key) ?? this.used.get(key);
    if (places) this.used.set(key, places);
    return places;
  }

  set(key: string, places: readonly Place[]): void { this.used.set(key, places); }

  /** Keeps what this scan has used: contents that are gone are forgotten. */
  async save(file: string): Promise<void> {
    const text = JSON.stringify({ version: INSPECTION_VERSION, places: Object.fromEntries(this.used) });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  private load(value: unknown): void {
    if (!isRecord(value) || value['version'] !== INSPECTION_VERSION || !isRecord(value['places'])) return;
    for (const [key, places] of Object.entries(value['places'])) {
      if (Array.isArray(places) && places.every(isPlace)) this.kept.set(key, places);
    }
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function isPlace(value: unknown): value is Place {
  return isRecord(value) && PLACE_KINDS.some((kind) => kind === value['kind']) && typeof value['function'] === 'string'
    && [value['line'], value['column'], value['endLine']].every((number) => Number.isSafeInteger(number) && Number(number) > 0);
}
