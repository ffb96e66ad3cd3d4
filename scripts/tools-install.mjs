// Brings the tools of `tools.mjs` into the cache folder, each once. A tool is put together in a folder beside its place and
// moved there whole, so that one broken off half-way is never taken for one that is there.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { npm, run } from './install.mjs';
import {
  cacheFolder, CODE_SERVER_NODE, CODE_SERVER_VERSION, findCachedNode, findChromium, findCodeServer, findNodes, findProjectTools, findRedis, NODE_MAJORS, nodePackage, onPath, PROJECT_TOOLS,
} from './tools.mjs';

/** Installs what is missing. What this machine cannot have is told and left out: tests say for themselves what they lack. */
export function installTools() {
  mkdirSync(cacheFolder(), { recursive: true });
  sweepParts();
  const steps = [['system packages', installSystemPackages], ['Nodes', installNodes], ['VS Code', installCodeServer], ['tools of projects', installProjectTools]];
  for (const [what, install] of steps) {
    try {
      install();
    } catch (error) {
      console.error(`Could not install ${what}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

/** The browser, what code-server's native parts are built with, letters for screenshots in Korean, and the server that BullMQ's queues are in. */
function installSystemPackages() {
  const missing = [];
  if (!findChromium()) missing.push('chromium');
  if (!existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc')) missing.push('fonts-noto-cjk');
  if (!findRedis()) missing.push('redis-server');
  if (!findCodeServer()) {
    for (const tool of ['gcc', 'g++', 'make', 'python3']) if (!onPath(tool)) missing.push(tool);
    if (!existsSync('/usr/include/gssapi/gssapi.h') && !existsSync('/usr/include/gssapi.h')) missing.push('libkrb5-dev');
  }
  if (missing.length === 0 || process.platform !== 'linux') return;
  if (!onPath('apt-get') || process.getuid?.() !== 0) throw new Error(`these are for the system's own packager: ${missing.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-q'], { env });
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], { env });
}

function installNodes() {
  const present = new Set(findNodes().map(({ major }) => major));
  for (const major of NODE_MAJORS) {
    if (!present.has(major) || (major === CODE_SERVER_NODE && !findCachedNode(major))) installNode(major);
  }
}

function installNode(major) {
  const name = nodePackage();
  if (!name) throw new Error(`there is no package of Node for ${process.platform}-${process.arch}`);
  console.error(`Installing Node ${major} …`);
  // Windows and macOS packages may bring their binary by a script, so scripts are left on.
  assemble(`node-${major}`, (folder) => npm(['install', '--no-audit', '--no-fund', `${name}@${major}`], folder));
}

/** code-server's own set-up builds native parts with the Node that will run it, which npm here would not give it. */
function installCodeServer() {
  if (findCodeServer()) return;
  if (process.platform === 'win32') throw new Error('code-server has no build for Windows');
  const node = findCachedNode(CODE_SERVER_NODE);
  if (!node) throw new Error(`it needs Node ${CODE_SERVER_NODE}`);
  console.error(`Installing code-server ${CODE_SERVER_VERSION} (a few minutes) …`);
  assemble(`code-server-${CODE_SERVER_VERSION}`, (folder) => {
    npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', `code-server@${CODE_SERVER_VERSION}`], folder);
    const env = {
      ...process.env,
      PATH: dirname(node) + delimiter + process.env.PATH,
      npm_config_nodedir: dirname(dirname(node)),
      npm_config_user_agent: `npm/11 node/v${CODE_SERVER_NODE}`,
      npm_config_ignore_scripts: 'false',
    };
    // Names of the npm that runs this would lead its npm astray.
    for (const name of ['npm_execpath', 'npm_config_prefix', 'npm_config_local_prefix']) delete env[name];
    run('sh', ['./postinstall.sh'], { cwd: join(folder, 'node_modules', 'code-server'), env });
  });
}

function installProjectTools() {
  if (findProjectTools()) return;
  console.error('Installing test runners and package managers …');
  assemble('project-tools-4', (folder) => npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PROJECT_TOOLS], folder));
}

/** Runs `fill` on a fresh folder, with a package.json of its own, and moves it to its name in the cache. */
function assemble(name, fill) {
  const place = join(cacheFolder(), name);
  const part = `${place}.part-${process.pid}`;
  mkdirSync(part);
  writeFileSync(join(part, 'package.json'), JSON.stringify({ private: true }));
  fill(part);
  rmSync(place, { recursive: true, force: true });
  renameSync(part, place);
}

/** Removes what installs left behind that are no longer running. */
function sweepParts() {
  for (const name of readdirSync(cacheFolder())) {
    const pid = Number(/\.part-(\d+)$/.exec(name)?.[1]);
    if (pid && !isRunning(pid)) rmSync(join(cacheFolder(), name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
