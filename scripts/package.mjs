// Builds, and packs async-lanes-<version>.vsix. Needs no network and no git.
import { createVSIX } from '@vscode/vsce';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Unpacked in a second, downloaded in one on a slow line. */
const MAX_BYTES = 900_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const vsix = join(root, `${name}-${version}.vsix`);

execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
await createVSIX({ cwd: root, packagePath: vsix, allowMissingRepository: true, skipLicense: true, rewriteRelativeLinks: false });
const { size } = statSync(vsix);
console.log(`${vsix}: ${Math.round(size / 1000)} kB`);
if (size > MAX_BYTES) {
  console.error(`The package is larger than ${MAX_BYTES / 1000} kB: look at what .vscodeignore lets in (npx vsce ls --tree).`);
  process.exitCode = 1;
}
