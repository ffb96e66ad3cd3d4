import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { testCommand } from '../../../src/session/test-runner';
import { tempFolders } from './temp-folder';

const makeFolder = tempFolders();

function project(installed: readonly string[], source: string): { readonly folder: string; readonly file: string } {
  const folder = makeFolder();
  const file = join(folder, 'src', 'a.test.mjs');
  mkdirSync(dirname(file));
  writeFileSync(file, source);
  writeFileSync(join(folder, 'package.json'), '{}');
  for (const name of installed) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ name }));
  }
  return { folder, file };
}

it.each([
  ['vitest', "import { it } from 'vitest';", ['jest', 'vitest'], ['node_modules/vitest/vitest.mjs', 'run', 'src/a.test.mjs']],
  ['jest', 'test("x", () => {});', ['jest'], ['node_modules/jest/bin/jest.js', '--runTestsByPath', 'src/a.test.mjs']],
  ['mocha', 'describe("x", () => {});', ['mocha'], ['node_modules/mocha/bin/mocha.js', 'src/a.test.mjs']],
  ['node:test', "const { test } = require('node:test');", ['mocha'], ['--test', 'src/a.test.mjs']],
])('runs tests of %s with the project’s own copy', (runner, source, installed, args) => {
  const { folder, file } = project(installed, source);
  const command = testCommand(file);
  expect({ ...command, args: command?.args.map((word) => word.replace(`${folder}/`, '')) }).toEqual({ runner, args, cwd: folder });
});

it('knows no runner where none is imported or installed', () => {
  expect(testCommand(project([], 'test("x", () => {});').file)).toBeUndefined();
  expect(testCommand(project([], "import { it } from 'vitest';").file)).toBeUndefined();
});
