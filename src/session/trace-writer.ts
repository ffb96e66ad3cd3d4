/** Writes a trace: a zip of what a run left in its folder, `run.json` first, then the fact files as they are. */
import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { factFilesIn } from './fact-files';
import { fileTrouble, Refusal } from './refusal';
import { RUN_RECORD, type RunRecord } from './run-record';

/**
 * @param folder absolute path of the folder the fact files lie in
 * @throws Refusal with a sentence where the disk does not take it
 */
export async function writeTrace(file: string, folder: string, record: RunRecord): Promise<void> {
  const zip = new ZipFile();
  const content = new PassThrough();
  zip.outputStream.pipe(content);
  zip.addBuffer(Buffer.from(JSON.stringify(record)), RUN_RECORD);
  for (const { name, path } of factFilesIn(folder)) {
    // Its size is not told ahead: a process that is still there may yet write.
    zip.addReadStreamLazy(name, (done) => {
      done(undefined, createReadStream(path).on('error', (error) => { content.destroy(error); }));
    });
  }
  zip.end();
  try {
    await pipeline(content, createWriteStream(file));
  } catch (error) {
    throw new Refusal('not-written', `Could not write ${file}: ${fileTrouble(error)}.`);
  }
}
