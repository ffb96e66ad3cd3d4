// Puts the bundles that ship into `dist/`. `--watch` keeps at it.
import { build, context } from 'esbuild';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundles } from './bundles.mjs';
import { describeDemos } from './demos.mjs';
import { root } from './install.mjs';

const watch = process.argv.includes('--watch');
await rm(join(root, 'dist'), { recursive: true, force: true });
await mkdir(join(root, 'dist'), { recursive: true });
await cp(join(root, 'media/webview.css'), join(root, 'dist/webview.css'));
describeDemos(join(root, 'dist'));
if (watch) await Promise.all(bundles(join(root, 'dist')).map(async (options) => (await context(options)).watch()));
else await Promise.all(bundles(join(root, 'dist')).map((options) => build(options)));
