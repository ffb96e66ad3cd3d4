/** Opens a `.lanes` trace. It may come from anywhere: nothing in it is believed, and nothing of it is written to disk. */
import type { Readable } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { FACT_FILE_EXTENSION } from '../model/facts';
import { Refusal } from './refusal';
import { parseRunRecord, RUN_RECORD, type RunRecord } from './run-record';
import type { Trace } from './trace';

/** Far above any run that can be looked at, far below what would fill the memory. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 8 * 2 ** 30;
/** Facts shrink to between a third and a twentieth; a text of zeros shrinks to a thousandth. */
const MAX_RATIO = 200;
const MAX_RECORD_BYTES = 1 << 20;

/** @throws Refusal where it is no trace, or a damaged one */
export async function openZip(file: string): Promise<Trace> {
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    throw new Refusal('no-trace', `${file} is no trace of Async Lanes, or it is cut short (${error instanceof Error ? error.message : String(error)}).`);
  });
  try {
    const entries = await listEntries(zip, file);
    const record = await readRecord(zip, entries, file);
    const facts = entries.filter((entry) => entry.fileName.endsWith(FACT_FILE_EXTENSION));
    return {
      record,
      files: facts.map((entry) => ({ name: entry.fileName, bytes: entry.uncompressedSize, open: () => openEntry(zip, entry, file) })),
      close: () => { zip.close(); },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile, file: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      entries.push(entry);
      bytes += entry.uncompressedSize;
      const tooDense = entry.uncompressedSize > MAX_RECORD_BYTES && entry.uncompressedSize > MAX_RATIO * entry.compressedSize;
      if (entries.length > MAX_ENTRIES || bytes > MAX_BYTES || tooDense) {
        throw new Refusal('trace-too-large', `${file} would unpack to more than a trace can hold; it is not opened.`);
      }
    }
  } catch (error) {
    throw error instanceof Refusal ? error : damaged(file, error);
  }
  return entries;
}

async function readRecord(zip: ZipFile, entries: readonly Entry[], file: string): Promise<RunRecord> {
  const entry = entries.find(({ fileName }) => fileName === RUN_RECORD);
  if (!entry || entry.uncompressedSize > MAX_RECORD_BYTES) throw new Refusal('no-trace', `${file} is a zip file but no trace of Async Lanes.`);
  const parts: Uint8Array[] = [];
  try {
    for await (const part of await openEntry(zip, entry, file)) parts.push(part as Uint8Array);
  } catch (error) {
    throw damaged(file, error);
  }
  try {
    return parseRunRecord(Buffer.concat(parts));
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(error.code, `${file} cannot be opened. ${error.message}`) : error;
  }
}

/** yauzl holds the stream to the size the entry says it has. */
async function openEntry(zip: ZipFile, entry: Entry, file: string): Promise<Readable> {
  try {
    return await zip.openReadStreamPromise(entry);
  } catch (error) {
    throw damaged(file, error);
  }
}

function damaged(file: string, error: unknown): Refusal {
  return new Refusal('damaged-trace', `${file} is damaged: ${error instanceof Error ? error.message : String(error)}.`);
}
