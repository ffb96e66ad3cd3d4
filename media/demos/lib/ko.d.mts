/** Types of `ko.mjs`, for the page and the tests. */
export const labelsKo: Readonly<Record<string, string>>;
export const sentencesKo: Readonly<Record<string, string>>;
