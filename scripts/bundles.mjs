// The bundles that ship: extension host, command line, agent, launcher, inspection of sources, webview.
import { join } from 'node:path';
import { root } from './install.mjs';

const common = { absWorkingDir: root, bundle: true, minify: true, sourcemap: false, logLevel: 'warning', legalComments: 'none', target: 'node20' };
const node = { ...common, platform: 'node', format: 'cjs' };

/** Options of esbuild, one entry a bundle. */
export const bundles = (dist) => [
  { ...node, entryPoints: ['src/extension.ts'], outfile: join(dist, 'extension.js'), external: ['vscode'] },
  {
    ...node, entryPoints: ['src/cli/main.ts'], outfile: join(dist, 'cli.js'),
    // `open` is an ES module that asks where it lies.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: '#!/usr/bin/env node\nconst importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  },
  // Not minified: its frames may turn up in a user's stack, and its private names must stay apart.
  { ...node, minify: false, entryPoints: ['src/agent/main.ts'], outfile: join(dist, 'agent.cjs') },
  { ...node, entryPoints: ['src/session/launcher.ts'], outfile: join(dist, 'launcher.js') },
  { ...node, entryPoints: ['src/scan/worker.ts'], outfile: join(dist, 'scan-worker.js') },
  { ...common, target: 'chrome120', platform: 'browser', format: 'iife', entryPoints: ['webview/main.ts'], outfile: join(dist, 'webview.js') },
];
