// How the extension feels in a real VS Code: its activation, the way from a settled task to pixels, the size of the package.
// `node test/bench/vscode.mjs [--rounds <n>]`; fails where a target is missed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/install.mjs';

// Two folders below the root, as the sources are: they find their neighbours by that.
const outfile = join(root, 'test-output', 'bench', 'vscode-figures.mjs');
await build({
  absWorkingDir: root, entryPoints: ['test/bench/vscode-figures.ts'], bundle: true, platform: 'node', format: 'esm', outfile,
  packages: 'external', external: ['*/scripts/tools.mjs'], logLevel: 'warning',
});
process.exitCode = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
