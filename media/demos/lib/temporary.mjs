// A folder for a demo's files that is gone when the demo is, however it ends.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './say.mjs';

/**
 * @param bytes how much is going to be written, @param files into how many files
 * @returns the absolute path; ends the process with a sentence where the disk has no room for it
 */
export function temporaryFolder(bytes, files) {
  const { bsize, bavail, files: inodes, ffree } = statfsSync(tmpdir());
  // A file takes whole blocks; a tenth is left to others.
  const needed = Math.max(bytes, files * bsize) * 1.1;
  if (needed > bsize * bavail) refuse(say`it needs ${megabytes(needed)} in ${tmpdir()}, where ${megabytes(bsize * bavail)} are free; take fewer files, or point TMPDIR to another disk`);
  if (inodes > 0 && files * 1.1 > ffree) refuse(say`it needs ${files} files in ${tmpdir()}, where there is room for ${ffree}; take fewer files, or point TMPDIR to another disk`);

  const folder = mkdtempSync(join(tmpdir(), 'async-lanes-demo-'));
  process.on('exit', () => remove(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(128 + constants.signals[signal]));
  return folder;
}

/** Removes a folder into which threads of libuv may still be writing what was queued before the end: what they make meanwhile has to go as well. */
function remove(folder) {
  for (let attempt = 0; attempt < 100 && existsSync(folder); attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function refuse(sentence) {
  console.error(say`The files were not made: ${sentence}.`);
  process.exit(2);
}

const megabytes = (bytes) => `${Math.ceil(bytes / 1e6)} MB`;
