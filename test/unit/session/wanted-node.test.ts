import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedNode, isWanted, shellNode, wantedNode } from '../../../src/session/wanted-node';
import { tempFolders } from './temp-folder';

const makeFolder = tempFolders();

describe('the version a folder asks for', () => {
  it.each([
    ['.nvmrc', '# ours\nv20.11\n', 'v20.11'],
    ['.node-version', '22.1.0', '22.1.0'],
    ['.tool-versions', 'python 3.12\nnodejs 20.9.0\n', '20.9.0'],
    ['package.json', '{"volta":{"node":"20.1.0"}}', '20.1.0'],
  ])('is that of %s, from inner folders too', (name, text, version) => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(join(folder, name), text);
    expect(wantedNode(join(folder, 'a/b'))).toEqual({ version, file: join(folder, name) });
  });

  it('is the nearest one, whatever else lies there', () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, '.nvmrc'), '18');
    writeFileSync(join(folder, 'a/package.json'), 'no JSON');
    writeFileSync(join(folder, 'a/.tool-versions'), 'nodejs 22.0.0');
    expect(wantedNode(join(folder, 'a'))?.version).toBe('22.0.0');
  });
});

it('asks for none where the one on PATH is meant', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, '.nvmrc'), 'system');
  expect(wantedNode(folder)).toBeUndefined();
});

describe.skipIf(process.platform === 'win32')('the Node that fits it', () => {
  const home = (): string => {
    const folder = makeFolder();
    for (const version of ['v20.9.0', 'v20.11.1', 'v22.1.0']) mkdirSync(join(folder, '.nvm/versions/node', version, 'bin'), { recursive: true });
    mkdirSync(join(folder, '.asdf/installs/nodejs/21.0.0/bin'), { recursive: true });
    return folder;
  };
  it.each([['20', 'v20.11.1'], ['v20.9', 'v20.9.0'], ['21.0.0', '21.0.0'], ['node', 'v22.1.0'], ['lts/*', 'v22.1.0'], ['18', undefined], ['lts/iron', 'v20.11.1'], ['lts-jod', 'v22.1.0'], ['lts/argon', undefined]])(
    '%s: %s', (version, found) => {
      const path = installedNode({ version, file: '' }, {}, home());
      expect(path?.split('/').at(-3)).toBe(found);
    });

  it('may be the one on PATH', () => {
    expect(isWanted('20', 'v20.11.1')).toBe(true);
    expect(isWanted('v20.9', 'v20.11.1')).toBe(false);
    expect(isWanted('lts/jod', 'v22.1.0')).toBe(true);
  });

  it('is what a login shell finds where nothing else does', async () => {
    const folder = makeFolder();
    const shell = join(folder, 'shell');
    writeFileSync(shell, '#!/bin/sh\necho Welcome!\neval "echo async-lanes-node:/opt/node/bin/node"\n', { mode: 0o755 });
    expect(await shellNode({ SHELL: shell }, folder)).toBe('/opt/node/bin/node');
    expect(await shellNode({ SHELL: join(folder, 'none') }, folder)).toBeUndefined();
  });
});
