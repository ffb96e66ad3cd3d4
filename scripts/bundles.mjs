// The bundles that ship: extension host, command line, agent, launcher, inspection of sources, webview.
import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/**
 * VS Code's API, asked for once: every module of ours that imports it would else have a copy of its own made when the extension is
 * loaded, two fifths of what that takes.
 */
const vscodeOnce = {
  name: 'vscode-once',
  setup(build) {
    const namespace = 'vscode-once';
    build.onResolve({ filter: /^vscode$/ }, (asked) => (asked.namespace === namespace ? { path: 'vscode', external: true } : { path: 'vscode', namespace }));
    build.onLoad({ filter: /^vscode$/, namespace }, () => ({ contents: `const api = require('vscode');\nexport const { ${namesOfApi().join(', ')} } = api;` }));
  },
};

/** What our sources use of the API; types among it are nothing at run time. */
function namesOfApi() {
  const editor = join(root, 'src/editor');
  const files = [join(root, 'src/extension.ts'), ...readdirSync(editor).map((name) => join(editor, name))];
  return [...new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bvscode\.(\w+)/g)].map(([, name]) => name)))].sort();
}

/**
 * The controls of the page are made when they are first asked for, and of what is imported at its own time esbuild drops nothing:
 * the toolkit goes in as a bundle of the controls we have, a third of it.
 */
const toolkitShaken = {
  name: 'toolkit-shaken',
  setup({ onResolve, onLoad }) {
    const toolkit = '@vscode/webview-ui-toolkit';
    onResolve({ filter: new RegExp(`^${toolkit}$`) }, () => ({ path: toolkit, namespace: 'toolkit-shaken' }));
    onLoad({ filter: /./, namespace: 'toolkit-shaken' }, async () => {
      const user = join(root, 'webview/controls/toolkit.ts');
      const [, names] = readFileSync(user, 'utf8').match(new RegExp(`import ({.*}) from '${toolkit}'`));
      const { outputFiles: [{ text }] } = await build({
        stdin: { contents: `export ${names} from '${toolkit}';`, resolveDir: root }, bundle: true, format: 'esm', target: 'chrome120', write: false, legalComments: 'none',
      });
      return { contents: text, watchFiles: [user] };
    });
  },
};

const common = { absWorkingDir: root, bundle: true, minify: true, sourcemap: false, logLevel: 'warning', legalComments: 'none', target: 'node20' };
const node = { ...common, platform: 'node', format: 'cjs' };

/** Options of esbuild, one entry a bundle. */
export const bundles = (dist) => [
  { ...node, entryPoints: ['src/extension.ts'], outfile: join(dist, 'extension.js'), plugins: [vscodeOnce], logOverride: { 'import-is-undefined': 'error' } },
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
  { ...common, target: 'chrome120', platform: 'browser', format: 'iife', entryPoints: ['webview/main.ts'], outfile: join(dist, 'webview.js'), plugins: [toolkitShaken] },
];
