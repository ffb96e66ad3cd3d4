/** From a source to its syntax tree. */
import { parse, type ParserPlugin } from '@babel/parser';
import type { File } from '@babel/types';

/** A source without any of these words has nothing to find in it, and need not be parsed. */
const WORTH_IT = /\bawait\b|promise|\basync|mergeMap|concurrency|fastq|piscina|workerpool|\blimit/i;

/** Characters a line, on average. */
const MINIFIED = 400;

/** @param name its extension tells the language @returns undefined where there is nothing to find, or it is no source at all */
export function parseSource(text: string, name: string): File | undefined {
  if (!WORTH_IT.test(text) || isMinified(text)) return undefined;
  try {
    return parse(text, {
      sourceType: 'unambiguous', plugins: pluginsFor(name), errorRecovery: true, attachComment: false,
      allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true, allowImportExportEverywhere: true,
      allowUndeclaredExports: true, allowSuperOutsideMethod: true,
    });
  } catch {
    // A file that is just being written: it is looked at again when it is saved.
    return undefined;
  }
}

/** What no person has written has no lines to show a place on. */
function isMinified(text: string): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.length / lines > MINIFIED;
}

function pluginsFor(name: string): ParserPlugin[] {
  const common: ParserPlugin[] = ['decorators', 'explicitResourceManagement'];
  if (/\.tsx$/i.test(name)) return [...common, 'typescript', 'jsx'];
  // `<T>x` is a type assertion there, and no element.
  if (/\.[cm]?ts$/i.test(name)) return [...common, 'typescript'];
  return [...common, 'jsx', 'flow'];
}
