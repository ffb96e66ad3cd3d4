/** Types of `install.mjs`, for the tests. */

/** Absolute path of the project. */
export const root: string;
/** True where all that the folder's lock file asks for lies in its node_modules in the version it names. */
export function isInstalled(folder: string): boolean;
/** Runs npm to its end. @throws Error where it fails */
export function npm(args: readonly string[], cwd: string): void;
