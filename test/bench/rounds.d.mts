/** Types of `rounds.mjs`, for the parts written in TypeScript. */

/** Of a sorted list. */
export function median(sorted: readonly number[]): number;
/** Prints rows of cells under a head, columns aligned. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void;
