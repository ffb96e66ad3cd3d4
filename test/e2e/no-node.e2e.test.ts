import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { useWorkspaces } from './workspace';

// VS Code asks the login shell for PATH: this one knows of no Node.
const bin = mkdtempSync(join(tmpdir(), 'async-lanes-shell-'));
const shell = join(bin, 'sh');
writeFileSync(shell, '#!/bin/sh\nPATH=/nowhere/bin\nexport PATH\nwhile [ $# -gt 1 ]; do shift; done\nexec /bin/sh -c "$1"\n', { mode: 0o755 });
afterAll(() => { rmSync(bin, { recursive: true, force: true }); });

const code = useVsCode({ env: { PATH: '/nowhere/bin', SHELL: shell } });
const workspace = useWorkspaces();

it('says where it has looked for Node when there is none, and offers the setting', async () => {
  const window = await code.open(workspace({ 'a.mjs': 'console.log(1);' }));
  await window.openFile('a.mjs');
  await window.run('Async Lanes: Visualize Pool Run');
  const message = window.message('No Node was found to run the script.');
  await message.waitFor();
  expect(await message.innerText()).toContain('/nowhere/bin');
  await message.getByText('Choose Node in Settings').waitFor();
  await window.picture('no-node 1');
});
