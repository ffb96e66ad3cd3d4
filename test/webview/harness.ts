/** Opens the shipped page in a real Chromium with a scripted host behind it. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { FromView } from '../../src/model/protocol';
import { pageHtml } from '../../src/model/page';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const pictures = join(root, 'test-output/webview');
const ADDRESS = 'http://lanes.test/';
export const POLICY = { nonce: 'MDEyMzQ1Njc4OWFiY2RlZg==', cspSource: "'self'" } as const;

/** What `pages/fake-host.js` puts into the page. */
interface FakeHost {
  readonly host: {
    readonly sent: FromView[];
    receive(base64: string): void;
    pixel(group: number, x: number, y: number): [number, number, number, number];
    color(name: string): string;
    dress(theme: Readonly<Record<string, string>>): void;
  };
}
declare const globalThis: FakeHost;

let bundle: Promise<string> | undefined;

/** The page's script as it ships, built once. */
export function webviewScript(): Promise<string> {
  bundle ??= build({
    absWorkingDir: root, entryPoints: ['webview/main.ts'], bundle: true, minify: true, write: false, format: 'iife', target: 'chrome120', logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0].text);
  return bundle;
}

export const styleSheet = (): string => readFileSync(join(root, 'media/webview.css'), 'utf8');

/** A few of the colours VS Code writes as properties of the root, and the class it puts on the body. */
const THEMES = {
  'light': { body: 'vscode-light', '--vscode-editor-background': '#ffffff', '--vscode-foreground': '#3b3b3b', '--vscode-editor-foreground': '#3b3b3b', '--vscode-descriptionForeground': '#3b3b3b' },
  'dark': { body: 'vscode-dark', '--vscode-editor-background': '#1f1f1f', '--vscode-foreground': '#cccccc', '--vscode-editor-foreground': '#cccccc', '--vscode-descriptionForeground': '#9d9d9d', '--vscode-panel-border': '#2b2b2b', '--vscode-textLink-foreground': '#4daafc', '--vscode-focusBorder': '#0078d4' },
  'high contrast': { body: 'vscode-high-contrast', '--vscode-editor-background': '#000000', '--vscode-foreground': '#ffffff', '--vscode-editor-foreground': '#ffffff', '--vscode-descriptionForeground': '#ffffff', '--vscode-panel-border': '#6fc3df', '--vscode-textLink-foreground': '#21a6ff', '--vscode-focusBorder': '#f38518', '--vscode-button-background': '#000000', '--vscode-button-foreground': '#ffffff', '--vscode-button-border': '#6fc3df', '--vscode-contrastBorder': '#6fc3df', '--vscode-settings-checkboxBackground': '#000000', '--vscode-settings-checkboxForeground': '#ffffff', '--vscode-settings-checkboxBorder': '#6fc3df', '--vscode-checkbox-background': '#000000', '--vscode-checkbox-foreground': '#ffffff', '--vscode-checkbox-border': '#6fc3df' },
  'high contrast light': { body: 'vscode-high-contrast vscode-high-contrast-light', '--vscode-editor-background': '#ffffff', '--vscode-foreground': '#292929', '--vscode-editor-foreground': '#292929', '--vscode-descriptionForeground': '#292929', '--vscode-panel-border': '#0f4a85', '--vscode-textLink-foreground': '#0f4a85', '--vscode-focusBorder': '#006bbd', '--vscode-contrastBorder': '#0f4a85' },
} as const;
export type Theme = keyof typeof THEMES;

export interface OpenOptions extends BrowserContextOptions {
  /** Without one the page dresses itself, as in a plain browser. */
  readonly theme?: Theme;
  /** How its host knows the page again. */
  readonly panel?: string;
  /** Script that runs before the page's own. */
  readonly before?: string;
}

export class LanesPage {
  /** Everything the browser complained about, blocked styles included. */
  readonly complaints: string[] = [];
  private constructor(readonly page: Page) {}

  static async open(browser: Browser, { theme, panel, before, ...options }: OpenOptions = {}): Promise<LanesPage> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 720 }, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const lanes = new LanesPage(page);
    page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') lanes.complaints.push(message.text()); });
    page.on('pageerror', (error) => lanes.complaints.push(error.message));
    const script = await webviewScript();
    const html = pageHtml({ scriptUri: 'webview.js', styleUri: 'webview.css', title: 'Async Lanes', locale: 'en', panel, ...POLICY });
    await page.route(`${ADDRESS}**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/webview.js') return route.fulfill({ contentType: 'text/javascript', body: script });
      if (path === '/webview.css') return route.fulfill({ contentType: 'text/css', body: styleSheet() });
      return route.fulfill({ contentType: 'text/html', body: path === '/' ? html : '' });
    });
    await page.addInitScript({ path: join(here, 'pages/fake-host.js') });
    if (theme) await page.addInitScript(`window.host.dress(${JSON.stringify(THEMES[theme])})`);
    if (before) await page.addInitScript(before);
    await page.goto(ADDRESS);
    return lanes;
  }

  async close(): Promise<void> { await this.page.context().close(); }

  async send(...frames: readonly ArrayBuffer[]): Promise<void> {
    for (const frame of frames) await this.page.evaluate((base64) => globalThis.host.receive(base64), Buffer.from(frame).toString('base64'));
  }

  sent(): Promise<FromView[]> { return this.page.evaluate(() => globalThis.host.sent); }

  /** Waits until the picture and its words are up to date with all that was sent. */
  async settled(): Promise<void> {
    await this.page.evaluate(() => new Promise<void>((done) => { (globalThis as unknown as { requestAnimationFrame(then: () => void): void }).requestAnimationFrame(() => done()); }));
    await this.page.locator('.page[data-settled="true"]').waitFor();
  }

  group(id: number): Locator { return this.page.locator(`[data-group="${id}"]`); }

  /** Sends frames and waits for their picture. */
  async show(...frames: readonly ArrayBuffer[]): Promise<void> {
    await this.send(...frames);
    await this.settled();
  }

  /** Colour of a pixel of a group's canvas, as `#rrggbb`; empty where nothing is drawn. */
  async pixel(group: number, x: number, y: number): Promise<string> {
    const [r, g, b, a] = await this.page.evaluate(([id, px, py]) => globalThis.host.pixel(id, px, py), [group, x, y] as const);
    return a === 0 ? '' : `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  }

  /** Changes the theme under the page, as VS Code does. */
  async dress(theme: Theme): Promise<void> {
    await this.page.evaluate((colors) => globalThis.host.dress(colors), THEMES[theme]);
    await this.settled();
  }

  color(name: string): Promise<string> { return this.page.evaluate((wanted) => globalThis.host.color(wanted), name); }

  /** Attributes of an SVG element as numbers. */
  async box(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
    const read = async (name: string): Promise<number> => Number(await locator.getAttribute(name));
    return { x: await read('x'), y: await read('y'), width: await read('width'), height: await read('height') };
  }

  async picture(name: string): Promise<void> {
    mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}
