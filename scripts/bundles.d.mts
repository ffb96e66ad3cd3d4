/** Types of `bundles.mjs`, for the tests. */
import type { BuildOptions } from 'esbuild';

/** Options of esbuild, one entry a bundle. @param dist absolute path of the folder they go to */
export function bundles(dist: string): (BuildOptions & { outfile: string })[];
