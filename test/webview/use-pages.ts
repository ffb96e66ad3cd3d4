/** One Chromium for the tests of a `describe`, and pages in it. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from './browser';
import { LanesPage, type OpenOptions } from './harness';

export interface Pages {
  readonly browser: Browser;
  /** A page opened in a test is closed after it, one opened before all tests after all of them. None may have had anything to complain of. */
  open(options?: OpenOptions): Promise<LanesPage>;
}

/** Call it once, first thing in a `describe` that is skipped where there is no browser. */
export function usePages(): Pages {
  let browser: Browser | undefined;
  let isInTest = false;
  const lasting: LanesPage[] = [];
  const ofTest: LanesPage[] = [];
  const launched = (): Browser => {
    if (!browser) throw new Error('the browser has not been started');
    return browser;
  };
  beforeAll(async () => { browser = await launchBrowser(); });
  beforeEach(() => { isInTest = true; });
  afterEach(async () => {
    isInTest = false;
    const pages = ofTest.splice(0);
    const complaints = [...lasting, ...pages].flatMap((page) => page.complaints);
    for (const page of pages) await page.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => { await browser?.close(); });
  return {
    get browser() { return launched(); },
    async open(options) {
      const page = await LanesPage.open(launched(), options);
      (isInTest ? ofTest : lasting).push(page);
      return page;
    },
  };
}
