/** Drives one window of VS Code by what a user sees and does. Nothing sleeps: everything waits for what it needs to see. */
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const PICTURES = join(import.meta.dirname, '..', '..', 'test-output', 'e2e');
/** A page of ours that is in sight: those of hidden panels are kept. */
export const PANEL = 'iframe.webview.ready >> visible=true';
/** VS Code starts in 4–7 s on two idle cores; a busy machine needs more. */
const PATIENCE_MS = 60_000;

/** A browser that stays off the network and off the GPU, and starts as root too. */
export const BROWSER_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

export interface OpenOptions {
  /** Absolute path of a file to open at once. */
  readonly file?: string;
}

export class Workbench {
  private constructor(readonly page: Page) {}

  static async open(browser: Browser, url: string): Promise<Workbench> {
    const page = await browser.newPage({ viewport: { width: 1600, height: 950 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(url);
    const workbench = new Workbench(page);
    await workbench.ready();
    // Contributed by the extension: from here on the palette knows its commands.
    await page.locator('.activitybar').getByRole('tab', { name: 'Async Lanes' }).waitFor();
    return workbench;
  }

  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.editor').waitFor();
    await this.page.locator('.part.statusbar .statusbar-item').first().waitFor();
  }

  async close(): Promise<void> { await this.page.context().close(); }

  /** Gives the page another address without loading that: it is what a reload goes by. */
  async rename(url: string): Promise<void> {
    await this.page.evaluate((address) => { (globalThis as unknown as { readonly history: { replaceState(state: unknown, title: string, url: string): void } }).history.replaceState(undefined, '', address); }, url);
  }

  /** The way a user does it: VS Code writes down first what is open. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.run('Developer: Reload Window');
    await loaded;
    await this.ready();
  }

  /** Opens a file of the folder by its name, in the focused group. */
  async openFile(name: string): Promise<void> {
    await this.pick(name, name);
    await this.shownFile(name);
  }

  /** Waits until a file is shown in the focused group. */
  async shownFile(name: string): Promise<void> {
    await this.editorTab(name).waitFor();
    await this.page.locator('.editor-group-container.active .monaco-editor .view-line').first().waitFor();
  }

  /** Opens a file that has an editor of its own. By its whole path it is found however new it is. */
  async openFileAs(folder: string, name: string): Promise<void> {
    await this.pick(join(folder, name), name);
    await this.editorTab(name).waitFor();
  }

  /** Runs a command of the palette by its title. */
  async run(title: string): Promise<void> { await this.pick(`>${title}`, title); }

  /** The rows the palette offers for a search. */
  async offered(search: string): Promise<string[]> {
    await this.type(`>${search}`);
    await this.page.locator('.quick-input-widget .monaco-list-row').first().waitFor();
    const rows = await this.page.locator('.quick-input-widget .monaco-list-row .label-name').allInnerTexts();
    await this.page.keyboard.press('Escape');
    return rows.map((row) => row.replaceAll('\u00a0', ' ').trim());
  }

  /** The box VS Code asks its questions in. */
  quickInput(): Locator { return this.page.locator('.quick-input-widget input.input'); }

  /** Answers a question that offers a list. */
  async choose(row: string): Promise<void> {
    await this.quickInput().fill(row);
    await this.page.locator('.quick-input-widget .monaco-list-row', { hasText: row }).first().click();
  }

  editorTab(title: string | RegExp): Locator { return this.page.locator('.tabs-container .tab', { hasText: title }); }

  /** Brings a tab to the front. @param exact the whole title, where it is the beginning of another's */
  async focusTab(title: string, exact = false): Promise<void> {
    await this.editorTab(exact ? new RegExp(`^${title.replaceAll('.', '\\.')}$`) : title).click();
  }

  /** Waits until the panel in front tells of this phase of its run. */
  async phase(phase: string): Promise<void> { await this.panel().locator(`.top-bar[data-phase=${phase}]`).waitFor(); }

  /** What the panel in front shows. */
  panel(): FrameLocator {
    return this.page.frameLocator(PANEL).frameLocator('#active-frame');
  }

  /** A view of the side bar, by its title. */
  section(title: string): Locator { return this.page.locator('.pane-header', { hasText: title }); }

  /** A button in the title of a view of the side bar, or of its welcome; those of the title show while the view is pointed at. */
  viewButton(view: string, name: string): Locator { return this.page.locator('.pane', { has: this.section(view) }).getByRole('button', { name }); }

  /** A row of a view of the side bar. */
  viewRow(view: string, text: string | RegExp): Locator {
    return this.page.locator('.pane', { has: this.section(view) }).locator('.monaco-list-row', { hasText: text }).first();
  }

  /** Opens what a row of a view stands for. A row that is laid out anew under the pointer takes no click: it is asked until its tab is there. */
  async openRow(view: string, text: string | RegExp, title: string | RegExp): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await this.viewRow(view, text).click();
      const tab = this.editorTab(title);
      if (attempt === 10) { await tab.waitFor(); return; }
      if (await tab.waitFor({ timeout: 5_000 }).then(() => true, () => false)) return;
    }
  }

  /** What stands behind the ends of lines in the first editor: no text of the page, but content of its style. */
  async lineEnds(): Promise<string[]> {
    const spans = this.page.locator('.editor-group-container').first().locator('.view-lines .view-line span');
    const contents = await spans.evaluateAll((all) => all.map((span) =>
      (globalThis as unknown as { getComputedStyle(element: unknown, part: string): { readonly content: string } }).getComputedStyle(span, '::after').content));
    return contents.map((content) => content.replace(/^"|"$/g, '').replaceAll('\u00a0', ' ')).filter((content) => content.includes('·'));
  }

  /** Chooses from the context menu of a row. A menu that has just opened takes no click: it is asked until it closes. */
  async fromMenu(row: Locator, item: string): Promise<void> {
    await row.click({ button: 'right' });
    const menu = this.page.locator('.monaco-menu');
    for (let attempt = 1; ; attempt++) {
      await menu.getByText(item).click();
      const isClosed = await menu.waitFor({ state: 'hidden', timeout: 2_000 }).then(() => true, () => false);
      if (isClosed || attempt === 10) return;
    }
  }

  codeLens(text: string | RegExp): Locator { return this.page.locator('.codelens-decoration a', { hasText: text }); }

  message(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** Closes an editor that VS Code has opened over all others. */
  async closeModal(): Promise<void> {
    const modal = this.page.locator('.monaco-modal-editor-block');
    await modal.locator('.codicon-close').last().click();
    await modal.waitFor({ state: 'hidden' });
  }

  async terminalText(): Promise<string> {
    return (await this.page.locator('.terminal-wrapper.active .xterm-rows').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
  }

  async typeIntoTerminal(text: string): Promise<void> {
    await this.page.locator('.terminal-wrapper.active .xterm').click();
    await this.page.keyboard.type(text);
  }

  async picture(name: string): Promise<void> {
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name.replace(/[^\w.-]+/g, '-')}.png`) });
  }

  private async pick(search: string, row: string): Promise<void> {
    await this.untilOpen(async (timeout) => {
      await this.typeOnce(search);
      await this.page.locator('.quick-input-widget .monaco-list-row', { hasText: row }).first().click({ timeout });
    });
  }

  private async type(search: string): Promise<void> { await this.untilOpen(() => this.typeOnce(search)); }

  private async typeOnce(search: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickInput().fill(search, { timeout: 5_000 });
  }

  /** A page that takes the focus while it loads closes the box again: then it is opened anew. @param step is given how long to wait for a row, in milliseconds */
  private async untilOpen(step: (timeout: number) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await step(attempt < 5 ? 15_000 : PATIENCE_MS);
        return;
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }
}
