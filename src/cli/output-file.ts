/** Files the command line writes: looked at before a run begins, so that an hour's run does not end in "access is denied". */
import { accessSync, constants, createWriteStream, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileTrouble, Refusal } from '../session/refusal';

/** @throws Refusal with a sentence where a file could not be written there. */
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
export async function writePieces(file: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true }), createWriteStream(file));
  } catch (error) {
    throw new Refusal('not-written', `Could not write ${file}: ${fileTrouble(error)}.`);
  }
}
