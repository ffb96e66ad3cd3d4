/** Files that running code came from, by the names that V8 has for them: paths, or URLs. */
import fs from 'node:fs';
import url from 'node:url';

// Taken now: a program may later put a file system of its own in their place.
const { readFileSync, statSync } = fs;
const { fileURLToPath } = url;

/** 1-based. */
export interface At { readonly line: number; readonly column: number }

const pathOf = (name: string): string => (name.startsWith('file:') ? fileURLToPath(name) : name);

/** Whether a file holds no more than so many bytes; undefined where there is none of that name: code from memory. */
export function isAtMost(name: string, bytes: number): boolean | undefined {
  try { return statSync(pathOf(name)).size <= bytes; } catch { return undefined; }
}

/** @returns a file's text; undefined where it is longer than so many bytes, may not be read or is none: to read a pipe may never end */
export function readSource(name: string, bytes: number): string | undefined {
  try {
    const path = pathOf(name);
    const stat = statSync(path);
    return stat.isFile() && stat.size <= bytes ? readFileSync(path, 'utf8') : undefined;
  } catch { return undefined; }
}

/** Where a part stands in a text, from its beginning on, so many times at most. */
export function placesIn(text: string, part: string, most: number): readonly At[] {
  const places: At[] = [];
  let line = 1;
  let start = 0;
  for (let at = text.indexOf(part); at >= 0 && places.length < most; at = text.indexOf(part, at + 1)) {
    for (let end = text.indexOf('\n', start); end >= 0 && end < at; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    places.push({ line, column: at - start + 1 });
  }
  return places;
}
