/** Which test runner a file of tests is for, and how the project's own copy of it runs that one file. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type TestRunner = 'vitest' | 'jest' | 'mocha' | 'node:test';

export interface TestCommand {
  readonly runner: TestRunner;
  /** Arguments for Node. */
  readonly args: readonly string[];
  /** Folder of the package the file belongs to. */
  readonly cwd: string;
}

const MAX_SOURCE = 2 << 20;

/**
 * What the file imports decides, else what the project has installed.
 * @param path absolute @returns undefined where neither tells
 */
export function testCommand(path: string): TestCommand | undefined {
  const cwd = packageFolder(path);
  const runner = importedRunner(path) ?? installedRunner(path);
  switch (runner) {
    case 'vitest': return withPackage('vitest', 'vitest.mjs', ['run', path]);
    case 'jest': return withPackage('jest', 'bin/jest.js', ['--runTestsByPath', path]);
    case 'mocha': return withPackage('mocha', 'bin/mocha.js', [path]);
    case 'node:test': return { runner, args: ['--test', path], cwd };
    case undefined: return undefined;
  }

  function withPackage(name: TestRunner, bin: string, args: readonly string[]): TestCommand | undefined {
    const folder = folderOf(name, path);
    return folder === undefined ? undefined : { runner: name, args: [join(folder, bin), ...args], cwd };
  }
}

function importedRunner(path: string): TestRunner | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').slice(0, MAX_SOURCE);
  } catch {
    return undefined;
  }
  const [, module] = /(?:from\s*|require\(\s*|import\s+)['"](vitest|@jest\/globals|mocha|node:test|bun:test)['"]/.exec(text) ?? [];
  if (module === 'vitest' || module === 'mocha' || module === 'node:test') return module;
  return module === '@jest/globals' ? 'jest' : undefined;
}

const installedRunner = (path: string): TestRunner | undefined => (['vitest', 'jest', 'mocha'] as const).find((name) => folderOf(name, path) !== undefined);

/** The folder of a package as the file would find it. */
function folderOf(name: string, path: string): string | undefined {
  try {
    return dirname(createRequire(path).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

function packageFolder(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(path);
  }
}
