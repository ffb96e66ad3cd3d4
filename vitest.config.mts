import { defineConfig } from 'vitest/config';

const MINUTE = 60_000;

/** Groups run one after another in this order; within a group files share the cores only where `parallel` says so. */
const project = (name: string, order: number, testTimeout: number, parallel: boolean, folder = name, retry = 1) => ({
  test: {
    name,
    include: [`test/${folder}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 5 * MINUTE,
    fileParallelism: parallel,
    retry,
    sequence: { groupOrder: order },
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', 0, 20_000, true, 'unit', 0),
      // From here on tests start processes and look at the clock: two of them at once would fight over the cores. What a busy
      // machine made fail is tried once more, what VS Code made fail twice, and `scripts/test.mjs` says of each that needed it.
      project('agent', 1, MINUTE, false),
      project('webview', 2, MINUTE, false),
      project('corpus', 3, 10 * MINUTE, false, 'scoring'),
      project('e2e', 4, 3 * MINUTE, false, 'e2e', 2),
    ],
  },
});
