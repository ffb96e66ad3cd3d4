/** One VS Code for the tests of a file, with the packed extension in it. Where there is none the tests are skipped, and say why. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { findChromium, findCodeServer } from '../../scripts/tools.mjs';
import { installExtension, startCodeServer, uninstallExtension, type CodeServer, type ServerOptions } from './code-server';
import { packedExtension, packedProbe } from './vsix';
import { BROWSER_ARGUMENTS, Workbench, type OpenOptions } from './workbench';

export interface VsCode {
  /** Opens a window; it is closed after the test. @param folder absolute path; none: a window without a folder */
  open(folder: string | undefined, options?: OpenOptions): Promise<Workbench>;
  /** Takes the extension away, as its user would. Windows that are open know it until they are reloaded. */
  uninstall(): Promise<void>;
  /** The server's folder of settings and storage. */
  readonly userData: string;
}

interface Running { readonly browser: Browser; readonly server: CodeServer; readonly extensionsDir: string }

export interface VsCodeOptions extends Omit<ServerOptions, 'extensionsDir'> {
  /** With the extension in `probe/` beside the one under test. */
  readonly probe?: boolean;
}

/** Call it once, at the top of a test file. */
export function useVsCode({ probe, ...options }: VsCodeOptions = {}): VsCode {
  const found = findCodeServer();
  const chromiumPath = findChromium();
  const missing = found ? chromiumPath ? undefined : 'no Chromium or Chrome was found' : 'no code-server was found';
  const windows: Workbench[] = [];
  let running: Running | undefined;
  const started = (): Running => {
    if (!running) throw new Error('VS Code has not been started');
    return running;
  };

  beforeAll(async () => {
    if (!found || !chromiumPath) {
      if (process.env.ASYNC_LANES_REQUIRE_VSCODE) throw new Error(`ASYNC_LANES_REQUIRE_VSCODE is set, but ${missing ?? ''}`);
      return;
    }
    const extensionsDir = await mkdtemp(join(tmpdir(), 'async-lanes-extensions-'));
    await installExtension(found, packedExtension(), extensionsDir);
    if (probe) await installExtension(found, await packedProbe(extensionsDir), extensionsDir);
    const [server, browser] = await Promise.all([
      startCodeServer(found, { ...options, extensionsDir }),
      chromium.launch({ executablePath: chromiumPath, args: BROWSER_ARGUMENTS }),
    ]);
    running = { browser, server, extensionsDir };
  });

  beforeEach((context) => {
    if (missing) context.skip(`${missing}; node scripts/tools.mjs install brings it`);
  });

  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail';
    for (const [index, window] of windows.splice(0).entries()) {
      if (failed) await window.picture(`failed ${task.name} ${index + 1}`).catch(() => { /* The window itself is what failed. */ });
      await window.close();
    }
  });

  afterAll(async () => {
    await running?.browser.close();
    await running?.server.dispose();
    if (running) await rm(running.extensionsDir, { recursive: true, force: true });
  });

  return {
    async open(folder, openOptions) {
      const { browser, server } = started();
      const window = await Workbench.open(browser, server.url(folder, openOptions?.file));
      windows.push(window);
      if (openOptions?.file !== undefined) {
        await window.shownFile(basename(openOptions.file));
        // Asked for the file again, a window that is reloaded would open that in place of what it had open.
        await window.rename(server.url(folder));
      }
      return window;
    },
    async uninstall() {
      if (found) await uninstallExtension(found, started().extensionsDir);
    },
    get userData() { return started().server.userData; },
  };
}
