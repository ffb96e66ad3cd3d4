/** Words in the reader's language, with values filled in. */
import { en, type WordKey, type Words } from './en';
import { ko } from './ko';

export type Values = Readonly<Record<string, string | number>>;
export type Speak = (key: WordKey, values?: Values) => string;

const LANGUAGES: Readonly<Record<string, Words>> = { en, ko };

/** @param locale BCP 47 tag; a language that is not here gives English */
export function speakIn(locale: string): Speak {
  const language = locale.toLowerCase().split(/[-_]/)[0];
  const words = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : en;
  return (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
