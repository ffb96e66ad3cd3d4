/** The packed extension under test: made anew where anything that goes into it has changed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

export const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = ['src', 'webview', 'media', 'l10n', 'package.json', 'package.nls.json', 'package.nls.ko.json', '.vscodeignore', 'scripts/build.mjs', 'scripts/bundles.mjs'];

/** @returns absolute path of the .vsix */
export function packedExtension(): string {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly name: string; readonly version: string };
  const vsix = join(ROOT, `${name}-${version}.vsix`);
  const isFresh = existsSync(vsix) && SOURCES.every((source) => newest(join(ROOT, source)) <= statSync(vsix).mtimeMs);
  if (!isFresh) execFileSync(process.execPath, [join(ROOT, 'scripts', 'package.mjs')], { cwd: ROOT, stdio: 'pipe' });
  return vsix;
}

/** The extension that asks of the host what a window does not show. @param folder absolute path of where to put it @returns absolute path of its .vsix */
export async function packedProbe(folder: string): Promise<string> {
  const vsix = join(folder, 'probe.vsix');
  await createVSIX({ cwd: join(ROOT, 'test', 'e2e', 'probe'), packagePath: vsix, allowMissingRepository: true, skipLicense: true, dependencies: false });
  return vsix;
}

/** Epoch milliseconds of the last change to a file, or to anything in a folder. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
