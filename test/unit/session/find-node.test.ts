import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findNode } from '../../../src/session/find-node';
import { tempFolders } from './temp-folder';

const folder = tempFolders();

/** An executable that answers every question with `answer`. */
function fakeNode(answer: string): string {
  const place = folder();
  const path = join(place, 'node');
  writeFileSync(path, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(path, 0o755);
  return path;
}

const find = (options: { explicit?: string; path?: string[] }) =>
  findNode({ explicit: options.explicit, cwd: '/', env: { PATH: (options.path ?? []).join(delimiter) } });

describe('finding Node', () => {
  it('takes the first on PATH, and its version as it says it', async () => {
    const place = folder();
    symlinkSync(process.execPath, join(place, 'node'));
    const found = await find({ path: [folder(), place] });
    expect(found.path).toBe(join(place, 'node'));
    expect(found.version.text).toBe(process.version);
  });

  it('takes the one that was asked for, PATH or not', async () => {
    expect((await find({ explicit: process.execPath })).path).toBe(process.execPath);
  });

  it('says where it looked when there is none', async () => {
    const empty = folder();
    await expect(find({ path: [empty] })).rejects.toThrow(`No Node found: looked for node on PATH (${empty}).`);
    await expect(find({ path: [] })).rejects.toThrow('nowhere: it is empty');
    await expect(find({ explicit: '/nowhere/node' })).rejects.toThrow('There is no Node to run at /nowhere/node.');
  });

  it('refuses a Node that is too old, with its version', async () => {
    await expect(find({ explicit: fakeNode('v18.19.0') })).rejects.toThrow(/Node v18\.19\.0 at .* is too old: Node 20 or newer/);
  });

  it('refuses a program that is no Node', async () => {
    await expect(find({ explicit: fakeNode('1.1.38') })).rejects.toThrow('is no Node');
    await expect(find({ explicit: '/bin/false' })).rejects.toThrow('is no Node');
  });
});
