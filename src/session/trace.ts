/** A recorded run on disk: a `.lanes` file, or the folder some processes recorded into. */
import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { FACT_FILE_EXTENSION } from '../model/facts';
import { factFilesIn } from './fact-files';
import { fileTrouble, Refusal } from './refusal';
import { readRunRecord, type RunRecord } from './run-record';
import { openZip } from './trace-zip';

export interface FactFile {
  readonly name: string;
  readonly bytes: number;
  open(): Promise<Readable>;
}

export interface Trace {
  /** Missing where the processes were started by hand. */
  readonly record: RunRecord | undefined;
  /** As they came to be, where that is known. */
  readonly files: readonly FactFile[];
  close(): void;
}

/** @throws Refusal with a sentence where there is no trace, or a damaged one */
export async function openTrace(path: string): Promise<Trace> {
  try {
    if (!statSync(path).isDirectory()) return await openZip(path);
    return openFolder(path);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('no-trace', `Cannot open ${path}: ${fileTrouble(error)}.`);
  }
}

function openFolder(folder: string): Trace {
  const found = factFilesIn(folder);
  if (found.length === 0) throw new Refusal('no-trace', `Nothing was recorded into ${folder}: it holds no ${FACT_FILE_EXTENSION} file.`);
  return {
    record: readRunRecord(folder),
    files: found.map(({ name, path, bytes }) => ({ name, bytes, open: () => Promise.resolve(createReadStream(path)) })),
    close: () => { /* Nothing is held open. */ },
  };
}
