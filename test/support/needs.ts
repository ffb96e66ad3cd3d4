/** What a test needs that not every machine has: where it is missing the test is skipped with the reason, or fails if it was asked for. */
import type { TestContext } from 'vitest';

const NEEDS = {
  BROWSER: 'no Chromium or Chrome found: set CHROMIUM_PATH, or run `node scripts/tools.mjs install`',
  VSCODE: 'no code-server found: run `node scripts/tools.mjs install`',
  NODES: 'this Node is not there: run `node scripts/tools.mjs install`',
  JVM: 'no JDK found: `java` on PATH has to run a source file (11 or newer)',
  REDIS: 'no redis-server found: run `node scripts/tools.mjs install`',
  TOOLS: 'no test runners and package managers found: run `node scripts/tools.mjs install`',
  CORPUS: 'the packages of the corpus are not installed and could not be fetched',
} as const;

/**
 * Gives back what was found. Where it is undefined the running test is skipped, with the reason printed; it fails instead
 * when ASYNC_LANES_REQUIRE_BROWSER=1 (or _VSCODE, _NODES, _JVM, _REDIS, _TOOLS, _CORPUS) says that this machine has to have it.
 *
 *     beforeEach((context) => { needed(context, 'BROWSER', chromium); });
 */
export function needed<T>(context: TestContext, need: keyof typeof NEEDS, found: T | undefined): T {
  if (found !== undefined) return found;
  const reason = NEEDS[need];
  if (process.env[`ASYNC_LANES_REQUIRE_${need}`] === '1') throw new Error(reason);
  return context.skip(reason);
}
