/** Finds a Chromium for tests: `CHROMIUM_PATH`, Playwright's own cache, `chromium`, then Google Chrome on PATH. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Set by CI: a missing browser is a failure there. */
const REQUIRE = 'ASYNC_LANES_REQUIRE_BROWSER';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Quiet, offline, and able to run as root in a container. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--font-render-hinting=none',
  // The clipboard is for pages of secure origins, as VS Code's webviews are.
  '--unsafely-treat-insecure-origin-as-secure=http://lanes.test'];

/** @returns the path of a browser; undefined where there is none */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : undefined;
  return [...fromPlaywright(env), ...fromPath(env)].find(isExecutable);
}

/** True where tests in a browser have to be skipped; says why in one line. @throws Error where they must not be */
export function skipWithoutBrowser(): boolean {
  if (findBrowser()) return false;
  const reason = `no browser found (looked at CHROMIUM_PATH, Playwright's cache and ${NAMES.join(', ')} on PATH)`;
  if (process.env[REQUIRE]) throw new Error(reason);
  console.log(`Tests of the page are skipped: ${reason}.`);
  return true;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: ARGUMENTS });
}

function fromPlaywright(env: NodeJS.ProcessEnv): string[] {
  const cache = env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : process.platform === 'win32' ? 'AppData/Local' : '.cache', 'ms-playwright');
  if (!existsSync(cache)) return [];
  const executables = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-mac/Chromium.app/Contents/MacOS/Chromium', 'chrome-win/chrome.exe', 'chrome-win64/chrome.exe'];
  return readdirSync(cache).filter((name) => /^chromium-\d+$/.test(name)).sort().reverse()
    .flatMap((name) => executables.map((executable) => join(cache, name, executable)));
}

const fromPath = (env: NodeJS.ProcessEnv): string[] =>
  NAMES.flatMap((name) => (env.PATH ?? '').split(delimiter).filter(Boolean).map((folder) => join(folder, process.platform === 'win32' ? `${name}.exe` : name)));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
