/** How a script is run: which arguments Node needs so that the file, JavaScript or TypeScript, runs as its author meant. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { readHead } from './file-head';
import type { NodeVersion } from './node-version';
import { fileTrouble, Refusal } from './refusal';
import { typescriptArguments } from './typescript';

/**
 * @param script as the user named it, relative to `cwd`
 * @returns the arguments for Node before the script's own, the script's absolute path last
 * @throws Refusal with a sentence where the file cannot be run
 */
export function scriptArguments(script: string, cwd: string, version: NodeVersion): string[] {
  const path = resolve(cwd, script);
  let real: string;
  try {
    if (statSync(path).isDirectory()) throw new Refusal('folder', `${script} is a folder: name a JavaScript or TypeScript file in it.`);
    accessSync(path, constants.R_OK);
    real = realpathSync(path);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('no-script', `Cannot run ${script}: ${fileTrouble(error)}.`);
  }
  // A link in node_modules/.bin has no extension, the file behind it has.
  switch (extname(real).toLowerCase()) {
    case '.js': case '.cjs': case '.mjs':
      return [path];
    case '.ts': case '.mts': case '.cts': case '.tsx': case '.jsx':
      return [...typescriptArguments(real, version), path];
    case '':
      if (hasNodeShebang(real)) return [path];
  }
  throw new Refusal('not-javascript', `${basename(script)} is neither JavaScript nor TypeScript: Async Lanes runs .js, .mjs, .cjs, .ts, .mts and .cts files.`);
}

function hasNodeShebang(path: string): boolean {
  const line = readHead(path, 128).toString('latin1').split('\n', 1)[0];
  return /^#!.*\bnode\b/.test(line);
}
