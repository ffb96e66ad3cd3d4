/** Which arguments make a Node of a given version run TypeScript: its own type stripping, else what the project has installed. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NodeVersion } from './node-version';
import { Refusal } from './refusal';

/**
 * @param file absolute path of a .ts, .mts, .cts, .tsx or .jsx file
 * @throws Refusal saying what to install where nothing there can run it
 */
export function typescriptArguments(file: string, version: NodeVersion): string[] {
  // Node strips types but does not know JSX.
  const stripping = /x$/i.test(file) ? undefined : strippingArguments(version);
  return stripping ?? tsxArguments(file) ?? tsNodeArguments(file) ?? refuse(file, version);
}

/** Node has stripped types without a flag since 22.18 and 23.6, with one since 22.6. */
function strippingArguments({ major, minor }: NodeVersion): string[] | undefined {
  if (major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return [];
  if (major === 23 || (major === 22 && minor >= 6)) return ['--experimental-strip-types', '--no-warnings'];
  return undefined;
}

function tsxArguments(file: string): string[] | undefined {
  const loader = resolveFrom(file, 'tsx');
  return loader === undefined ? undefined : ['--import', pathToFileURL(loader).href];
}

function tsNodeArguments(file: string): string[] | undefined {
  if (isModule(file)) {
    const loader = resolveFrom(file, 'ts-node/esm');
    return loader === undefined ? undefined : ['--no-warnings', '--experimental-loader', pathToFileURL(loader).href];
  }
  const hook = resolveFrom(file, 'ts-node/register');
  return hook === undefined ? undefined : ['--require', hook];
}

function refuse(file: string, version: NodeVersion): never {
  const why = /x$/i.test(file) ? 'Node does not run JSX by itself' : `Node ${version.text} does not run TypeScript by itself`;
  throw new Refusal('no-typescript', `Cannot run ${basename(file)}: ${why}; install tsx in the project (npm install --save-dev tsx)`
    + `${/x$/i.test(file) ? '.' : ' or use Node 22.18 or newer.'}`);
}

function resolveFrom(file: string, request: string): string | undefined {
  try {
    return createRequire(file).resolve(request);
  } catch {
    return undefined;
  }
}

/** Whether Node would take the file for an ES module: by its extension, else by `type` of the package it lies in. */
function isModule(file: string): boolean {
  const extension = extname(file).toLowerCase();
  if (extension === '.mts' || extension === '.cts') return extension === '.mts';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return typeof manifest === 'object' && manifest !== null && 'type' in manifest && manifest.type === 'module';
    } catch {
      if (folder === dirname(folder)) return false;
    }
  }
}
