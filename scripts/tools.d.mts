/** Types of `tools.mjs`, for the tests. */

/** Path of the cached Node of a major version. */
export function findCachedNode(major: number): string | undefined;
/** Every Node the tests can run scripts on, lowest version first: the one that runs this, and those in the cache. */
export function findNodes(): { readonly major: number; readonly path: string }[];
/** code-server's entry and the Node it has to run on. */
export function findCodeServer(): { readonly entry: string; readonly node: string } | undefined;
/** Path of a Chromium or Chrome. */
export function findChromium(): string | undefined;
/** Path of a program on PATH. */
export function onPath(name: string): string | undefined;
export const NODE_MAJORS: readonly number[];
/** Folder whose `node_modules` holds test runners, ts-node and package managers. */
export function findProjectTools(): string | undefined;
/** Folder of bun's own program. */
export function findBunFolder(): string | undefined;
export function findRedis(): string | undefined;
