import { defineConfig } from 'vitest/config';

const MINUTE = 60_000;

/** Groups run one after another in this order; within a group files share the cores only where `parallel` says so. */
const project = (name: string, order: number, testTimeout: number, parallel: boolean) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    // The corpus holds other people's packages, and fixtures may hold tests that are only to be looked at.
    exclude: ['**/node_modules/**', '**/fixtures/**'],
    testTimeout,
    hookTimeout: 5 * MINUTE,
    fileParallelism: parallel,
    sequence: { groupOrder: order },
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', 0, 20_000, true),
      // From here on tests start processes and look at the clock: two of them at once would fight over the cores.
      project('agent', 1, MINUTE, false),
      project('webview', 2, MINUTE, false),
      project('corpus', 3, 10 * MINUTE, false),
      project('e2e', 4, 3 * MINUTE, false),
    ],
  },
});
