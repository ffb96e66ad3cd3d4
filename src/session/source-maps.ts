/** From places in running code to places in the source its author wrote. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decodedMappings, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { Site } from '../model/timeline';

/** Larger files are taken as they are: reading them would hold the run up. */
const MAX_FILE_BYTES = 16 << 20;

/** More empty lines than that are not gone back. */
const MAX_EMPTY_LINES = 16;

/** Where the first code stands that has a source, both 0-based: what a compiler writes before it is its own. */
interface Begin { readonly line: number; readonly column: number }

/** Each file and its map are read once, when first asked for. */
export class SourceMaps {
  /** By file, its lines, where a function's name was asked for; undefined where they cannot be read. */
  private readonly lines = new Map<string, readonly string[] | undefined>();
  private readonly maps = new Map<string, { readonly map: TraceMap; readonly begin: Begin } | undefined>();

  /**
   * @param begins whether the function begins there whose name comes with the place
   * @returns the place in the source, or where there is none the same place in the file, by its path
   */
  readonly mapSite = (place: Site, begins = false): Site => {
    const file = asPath(place.file);
    if (file === undefined) return place;
    const site = begins && this.isHandedOver(place) ? { ...place, function: '' } : place;
    const found = this.find(file, site);
    if (!found || found.source === null) return site.file === file ? site : { ...site, file };
    return { file: asPath(found.source) ?? found.source, line: found.line, column: found.column + 1, function: site.function };
  };

  /** Whether a compiler wrote that place for itself: helpers stand before all that has a source. What has none further down may be of a map that is out of date. */
  readonly isHelper = (site: Site): boolean => {
    const file = asPath(site.file);
    if (file === undefined || this.find(file, site)?.source !== null) return false;
    const begin = this.maps.get(file)?.begin;
    return begin !== undefined && (site.line - 1 < begin.line || (site.line - 1 === begin.line && site.column - 1 < begin.column));
  };

  /**
   * Whether a function that begins at a place has no name, as it is only handed over. V8 calls one that has none by what it could be meant for: by what it
   * is assigned to, `queue.onDone`, but in `pool(items, async (item) => …, { limit: 2 })` by the next name there is, `pool.limit`.
   */
  private isHandedOver(site: Site): boolean { return site.function.includes('.') && /[(,]$/.test(this.textBefore(site)); }

  /** What stands before a place, without the space between; only what is in the same line, or else in the one before that is not empty. */
  private textBefore({ file: name, line, column }: Site): string {
    const file = asPath(name);
    if (file === undefined) return '';
    if (!this.lines.has(file)) this.lines.set(file, readLines(file));
    const lines = this.lines.get(file) ?? [];
    let before = (lines.at(line - 1) ?? '').slice(0, column - 1).trimEnd();
    for (let at = line - 2; before === '' && at >= 0 && at > line - MAX_EMPTY_LINES; at--) before = lines[at].trimEnd();
    return before;
  }

  private find(file: string, { line, column }: Site): ReturnType<typeof originalPositionFor> | undefined {
    let known = this.maps.get(file);
    if (!known && !this.maps.has(file)) {
      const map = loadMap(file);
      this.maps.set(file, (known = map && { map, begin: beginOf(map) }));
    }
    return known && originalPositionFor(known.map, { line, column: Math.max(0, column - 1) });
  }
}

function beginOf(map: TraceMap): Begin {
  const lines = decodedMappings(map);
  for (let line = 0; line < lines.length; line++) {
    const first = lines[line].find((segment) => segment.length > 1);
    if (first) return { line, column: first[0] };
  }
  return { line: 0, column: 0 };
}

/** @returns undefined where the name is no file's: `node:internal/…`, `evalmachine.<anonymous>`, a data: URL. */
function asPath(name: string): string | undefined {
  if (name.startsWith('file:')) {
    try {
      return fileURLToPath(name);
    } catch {
      return undefined;
    }
  }
  return name.startsWith('/') || /^([A-Za-z]:)?[\\/]/.test(name) ? name : undefined;
}

/** @returns undefined where there is no map, or one that cannot be read: places then stay where they are. */
function loadMap(file: string): TraceMap | undefined {
  try {
    const url = mappingUrl(readText(file));
    if (url === undefined) return undefined;
    if (url.startsWith('data:')) return new TraceMap(decodeDataUrl(url), pathToFileURL(file).href);
    const path = url.startsWith('file:') ? fileURLToPath(url) : resolve(dirname(file), decodeURIComponent(url));
    return new TraceMap(readText(path), pathToFileURL(path).href);
  } catch {
    return undefined;
  }
}

function readLines(file: string): readonly string[] | undefined {
  try {
    return readText(file).split('\n');
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  const stats = statSync(file);
  // To read a pipe would be to wait for somebody to write into it.
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES) throw new Error('not to be read');
  return readFileSync(file, 'utf8');
}

/** The last such comment counts, as in every engine. */
function mappingUrl(code: string): string | undefined {
  const at = Math.max(code.lastIndexOf('//# sourceMappingURL='), code.lastIndexOf('//@ sourceMappingURL='));
  return at < 0 ? undefined : /^\S+/.exec(code.slice(at + 21))?.[0];
}

function decodeDataUrl(url: string): string {
  const comma = url.indexOf(',');
  const body = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(';base64') ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
}
