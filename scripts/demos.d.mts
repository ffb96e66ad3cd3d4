/** Types of `demos.mjs`, for the tests. */
export const DEMOS: readonly string[];
export function describeDemos(dist: string): void;
