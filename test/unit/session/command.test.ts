import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scriptArguments } from '../../../src/session/command';
import { parseNodeVersion, type NodeVersion } from '../../../src/session/node-version';
import { tempFolders } from './temp-folder';

const folder = tempFolders();

function version(text: string): NodeVersion {
  const parsed = parseNodeVersion(text);
  if (!parsed) throw new Error(text);
  return parsed;
}

const NODE_20 = version('v20.20.0');

/** A file of that name in a folder of its own, which may hold packages. */
function file(name: string, { text = '', packages = [] as string[] } = {}): string {
  const home = folder();
  for (const one of packages) {
    const place = join(home, 'node_modules', one);
    mkdirSync(place, { recursive: true });
    const exported = one === 'tsx' ? { '.': './loader.mjs' } : { './register': './register.js', './esm': './esm.mjs' };
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: one, exports: exported }));
    for (const target of Object.values(exported)) writeFileSync(join(place, target), '');
  }
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
}

const run = (path: string, node = NODE_20): string[] => scriptArguments(path, '/', node);

describe('how a script is run', () => {
  it.each(['a.js', 'a.cjs', 'a.mjs'])('%s as it is', (name) => {
    const path = file(name);
    expect(run(path)).toEqual([path]);
  });

  it('finds a file relative to the folder it is run in', () => {
    const path = file('a.mjs');
    expect(scriptArguments('a.mjs', join(path, '..'), NODE_20)).toEqual([path]);
  });

  it.each([
    ['v22.18.0', []], ['v23.6.0', []], ['v24.0.0', []], ['v26.1.0', []],
    ['v22.6.0', ['--experimental-strip-types', '--no-warnings']], ['v22.17.1', ['--experimental-strip-types', '--no-warnings']],
    ['v23.5.0', ['--experimental-strip-types', '--no-warnings']],
  ])('TypeScript on %s by Node itself', (node, flags) => {
    for (const name of ['a.ts', 'a.mts', 'a.cts']) {
      const path = file(name, { packages: ['tsx'] });
      expect(run(path, version(node))).toEqual([...flags, path]);
    }
  });

  it.each(['v20.20.0', 'v22.5.1'])("TypeScript on %s by the project's tsx", (node) => {
    const path = file('a.ts', { packages: ['tsx', 'ts-node'] });
    expect(run(path, version(node))).toEqual(['--import', pathToFileURL(join(path, '../node_modules/tsx/loader.mjs')).href, path]);
  });

  it("TypeScript by the project's ts-node where there is no tsx, as the module it is", () => {
    const path = file('a.cts', { packages: ['ts-node'] });
    expect(run(path)).toEqual(['--require', join(path, '../node_modules/ts-node/register.js'), path]);
    const module = file('a.ts', { packages: ['ts-node'] });
    writeFileSync(join(module, '../package.json'), '{"type":"module"}');
    expect(run(module)).toEqual(['--no-warnings', '--experimental-loader', pathToFileURL(join(module, '../node_modules/ts-node/esm.mjs')).href, module]);
  });

  it('says what to install where nothing runs TypeScript', () => {
    expect(() => run(file('a.ts'))).toThrow('Cannot run a.ts: Node v20.20.0 does not run TypeScript by itself; install tsx in the project (npm install --save-dev tsx) or use Node 22.18 or newer.');
    expect(() => run(file('a.tsx'), version('v24.0.0'))).toThrow('Node does not run JSX by itself; install tsx');
  });

  it('takes a program without an extension where its first line names Node, or where it links to a script', () => {
    const program = file('tool', { text: '#!/usr/bin/env node\nconsole.log(1)' });
    expect(run(program)).toEqual([program]);
    const link = join(folder(), 'linked');
    symlinkSync(file('a.mjs'), link);
    expect(run(link)).toEqual([link]);
    expect(() => run(file('tool', { text: '#!/bin/sh\n' }))).toThrow('tool is neither JavaScript nor TypeScript');
  });

  it('says in one sentence what is wrong with a file that cannot be run', () => {
    expect(() => run(file('a.json'))).toThrow('a.json is neither JavaScript nor TypeScript');
    expect(() => run('/nowhere/a.mjs')).toThrow('Cannot run /nowhere/a.mjs: it does not exist.');
    expect(() => run(folder())).toThrow('is a folder: name a JavaScript or TypeScript file in it');
  });

  it('gives arguments under which this Node runs the file', () => {
    const path = file('-dash first.cjs', { text: 'console.log("ran")' });
    chmodSync(path, 0o644);
    expect(execFileSync(process.execPath, run(path), { encoding: 'utf8' })).toBe('ran\n');
  });
});
