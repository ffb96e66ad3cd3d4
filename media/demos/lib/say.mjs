// What a demo says, in the language of the terminal, or of the VS Code it was started from: English, or Korean.
import { labelsKo, sentencesKo } from './ko.mjs';
import { scriptName } from './parameters.mjs';

const isKorean = /^ko\b/i.test(process.env.ASYNC_LANES_LANGUAGE ?? new Intl.DateTimeFormat().resolvedOptions().locale);

/** A sentence: say`${count} tasks in ${seconds} s`. */
export function say(strings, ...values) {
  const words = isKorean ? sentencesKo[strings.join('{}')] : undefined;
  return words === undefined ? String.raw({ raw: strings }, ...values) : words.replace(/\{(\d)\}/g, (_, i) => String(values[i]));
}

/** What a parameter, a figure, a table or a column is called. @param name the name it goes by @param english what it is called in English */
export const labelOf = (name, english) => (isKorean ? labelsKo[`${scriptName()}.${name}`] : undefined) ?? english;

/** Pads for a terminal, where a Korean letter is two columns wide. */
export const padEnd = (text, width) => text + ' '.repeat(Math.max(0, width - widthOf(text)));
export const padStart = (text, width) => ' '.repeat(Math.max(0, width - widthOf(text))) + text;
export const widthOf = (text) => text.length + (text.match(/[\u1100-\u115f\u3000-\u9fff\uac00-\ud7a3\uff00-\uff60]/g) ?? []).length;
