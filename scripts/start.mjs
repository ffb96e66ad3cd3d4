// `npm start`: brings what is missing, runs the experiment of chunks against rails under the agent, and shows it in the browser.
// `npm start -- --scale 1` takes the document's own times.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './install.mjs';

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Async Lanes needs Node 20 or newer; this is ${process.version}.`);
  process.exit(2);
}
try {
  ensureInstalled();
  ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const demo = spawn(process.execPath, [join(root, 'dist/cli.js'), 'demo', 'chunk-vs-rail', '--open', ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends Ctrl-C to the demo as well, and it is the one to end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => demo.kill('SIGTERM'));
demo.on('exit', (code) => { process.exitCode = code ?? 1; });
