/** A real VS Code without a desktop: starts code-server, installs extensions into it, takes it down again. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { findCodeServer } from '../../scripts/tools.mjs';

const START_TIMEOUT_MS = 60_000;

/** code-server's entry script, and the Node that has to run it. */
type CodeServerFound = NonNullable<ReturnType<typeof findCodeServer>>;

/** Installs a packed extension into `extensionsDir`, the way a user's VS Code does. */
export const installExtension = (found: CodeServerFound, vsix: string, extensionsDir: string): Promise<void> =>
  manageExtensions(found, extensionsDir, '--install-extension', vsix);

export const uninstallExtension = (found: CodeServerFound, extensionsDir: string): Promise<void> =>
  manageExtensions(found, extensionsDir, '--uninstall-extension', 'async-lanes.async-lanes');

async function manageExtensions(found: CodeServerFound, extensionsDir: string, ...what: string[]): Promise<void> {
  const userData = await mkdtemp(join(tmpdir(), 'async-lanes-install-'));
  try {
    await promisify(execFile)(found.node, [found.entry, '--user-data-dir', userData, '--extensions-dir', extensionsDir, ...what],
      { timeout: START_TIMEOUT_MS, env: cleanEnvironment() });
  } finally {
    await rm(userData, { recursive: true, force: true });
  }
}

export interface ServerOptions {
  readonly extensionsDir: string;
  /** Language tag of the display language; English without it. */
  readonly locale?: string;
  /** User settings beside those that keep the start page and trust away. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Set beside the test's own environment, for the server and all that it starts. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface CodeServer {
  /** Address of its workbench on a folder, or on no folder; with a file opened in it. */
  url(folder: string | undefined, file?: string): string;
  /** Absolute path of the folder of its settings and storage. */
  readonly userData: string;
  dispose(): Promise<void>;
}

export async function startCodeServer(found: CodeServerFound, options: ServerOptions): Promise<CodeServer> {
  const userData = await mkdtemp(join(tmpdir(), 'async-lanes-user-'));
  await mkdir(join(userData, 'User'), { recursive: true });
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify({
    'workbench.startupEditor': 'none', 'security.workspace.trust.enabled': false, 'window.restoreWindows': 'none',
    'workbench.tips.enabled': false, 'chat.disableAIFeatures': true, 'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'files.autoSave': 'off',
    // The terminal's text as elements that a test can read.
    'terminal.integrated.gpuAcceleration': 'off', ...options.settings,
  }));
  if (options.locale) await pretendLanguagePack(userData, options.locale);
  const port = await freePort();
  const child = spawn(found.node, [found.entry, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry',
    '--disable-update-check', '--disable-getting-started-override', '--user-data-dir', userData,
    '--extensions-dir', options.extensionsDir, ...options.locale ? ['--locale', options.locale] : []],
  { stdio: ['ignore', 'pipe', 'pipe'], env: { ...cleanEnvironment(), ...options.env } });
  let output = '';
  const keep = (data: Buffer): void => { output = (output + data.toString()).slice(-20_000); };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((resolve) => child.once('exit', () => { resolve(); }));
  const dispose = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(force);
    }
    await rm(userData, { recursive: true, force: true, maxRetries: 5 });
  };
  const address = `http://127.0.0.1:${port}`;
  try {
    await answers(address, () => child.exitCode !== null);
  } catch (error) {
    await dispose();
    throw new Error(`code-server did not start: ${String(error)}\n${output}`, { cause: error });
  }
  return {
    url: (folder, file) => `${address}/?${new URLSearchParams({
      ...folder === undefined ? { ew: 'true' } : { folder },
      ...file === undefined ? {} : { payload: JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${port}${file.split('/').map(encodeURIComponent).join('/')}`]]) },
    })}`,
    userData, dispose,
  };
}

/** VS Code shows a language only where a pack is installed for it; an empty one lets extensions speak it. */
async function pretendLanguagePack(userData: string, locale: string): Promise<void> {
  const contents = join(userData, 'language-pack.json');
  await writeFile(contents, JSON.stringify({ version: '1.0.0', contents: {} }));
  await writeFile(join(userData, 'languagepacks.json'), JSON.stringify({
    [locale]: {
      hash: 'empty', label: locale, translations: { vscode: contents },
      extensions: [{ extensionIdentifier: { id: `empty.${locale}` }, version: '1.0.0' }],
    },
  }));
}

async function answers(address: string, gone: () => boolean): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (gone()) throw new Error('its process ended');
    if (Date.now() > until) throw new Error(`no answer at ${address} within ${START_TIMEOUT_MS / 1000} s`);
    try {
      const response = await fetch(`${address}/healthz`);
      if (response.ok) return;
    } catch { /* not listening yet */ }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** @returns a port that was free a moment ago on 127.0.0.1. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port); else reject(new Error('no port'));
      });
    });
  });
}

/** Without what a surrounding VS Code or test runner tells its children. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env)
    .filter(([name]) => !/^(VSCODE_|VITEST|npm_|NODE_OPTIONS$|NODE_ENV$|PORT$|CODE_SERVER_|ASYNC_LANES_)/.test(name)));
}
