/** Reading of values that come from outside: whatever is not of the kind asked for is as good as nothing, and texts are cut. */

const MAX_TEXT = 2000;

export type Fields = { readonly [key: string]: unknown };
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
export const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '');
/** @param most entries that are taken; without it all, and not copied */
export const list = (value: unknown, most?: number): readonly unknown[] => (!Array.isArray(value) ? [] : most === undefined ? value : value.slice(0, most));
