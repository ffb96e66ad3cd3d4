/** From places in running code to places in the source its author wrote. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { Site } from '../model/timeline';

/** Larger files are taken as they are: reading them would hold the run up. */
const MAX_FILE_BYTES = 16 << 20;

/** @returns a function that maps a place; each file and its map are read once, when first asked for. */
export function sourceMapper(): (site: Site) => Site {
  const maps = new Map<string, TraceMap | undefined>();
  return (site) => {
    const file = asPath(site.file);
    if (file === undefined) return site;
    let map = maps.get(file);
    if (!map && !maps.has(file)) {
      map = loadMap(file);
      maps.set(file, map);
    }
    const found = map && originalPositionFor(map, { line: site.line, column: Math.max(0, site.column - 1) });
    if (!found || found.source === null) return site.file === file ? site : { ...site, file };
    return { file: asPath(found.source) ?? found.source, line: found.line, column: found.column + 1, function: site.function };
  };
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

function readText(file: string): string {
  if (statSync(file).size > MAX_FILE_BYTES) throw new Error('too large');
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
