// Bundles the parts that ship: extension host, command line, agent, launcher, webview. `--watch` keeps at it.
import { build, context } from 'esbuild';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const watch = process.argv.includes('--watch');
const common = { absWorkingDir: root, bundle: true, minify: true, sourcemap: false, logLevel: 'warning', legalComments: 'none', target: 'node20' };
const node = { ...common, platform: 'node', format: 'cjs' };

/** One entry a bundle that ships. */
const bundles = [
  { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'] },
  {
    ...node, entryPoints: ['src/cli/main.ts'], outfile: 'dist/cli.js',
    // `open` is an ES module that asks where it lies.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: '#!/usr/bin/env node\nconst importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  },
  // Not minified: its frames may turn up in a user's stack, and its private names must stay apart.
  { ...node, minify: false, entryPoints: ['src/agent/main.ts'], outfile: 'dist/agent.cjs' },
  { ...node, entryPoints: ['src/session/launcher.ts'], outfile: 'dist/launcher.js' },
  { ...common, target: 'chrome120', platform: 'browser', format: 'iife', entryPoints: ['webview/main.ts'], outfile: 'dist/webview.js' },
];

await rm(join(root, 'dist'), { recursive: true, force: true });
await mkdir(join(root, 'dist'), { recursive: true });
await cp(join(root, 'media/webview.css'), join(root, 'dist/webview.css'));
if (watch) await Promise.all(bundles.map(async (options) => (await context(options)).watch()));
else await Promise.all(bundles.map((options) => build(options)));
