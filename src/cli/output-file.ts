/** What the command line writes besides its own words. */
import { accessSync, constants, createWriteStream, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode, fileTrouble, Refusal } from '../session/refusal';

/**
 * Asked before a run begins, so that an hour's run does not end in "access is denied".
 * @throws Refusal with a sentence where a file could not be written there
 */
export function checkWritable(file: string): void {
  const path = resolve(file);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) throw new Refusal('not-writable', `Cannot write ${file}: it is a folder.`);
    accessSync(stat ? path : dirname(path), constants.W_OK);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('not-writable', `Cannot write ${file}: ${fileTrouble(error).replace(/^it /, 'its folder ')}.`);
  }
}

/** @throws Refusal with a sentence where the disk does not take it. */
export async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), createWriteStream(file));
  } catch (error) {
    throw new Refusal('not-written', `Could not write ${file}: ${fileTrouble(error)}.`);
  }
}

/** Onto stdout. A reader that has had enough (`| head`) is no error. */
export async function printPieces(pieces: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw new Refusal('not-written', `Could not print the report: ${fileTrouble(error)}.`);
  }
}
