/** Follows the fact files of a folder as they grow, in bounded steps. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { factFilesIn, type FactFileThere } from './fact-files';

/** Who takes the bytes of one file, in order, cut anywhere. */
export interface ByteSink {
  push(bytes: Uint8Array): void;
}

/** Bytes read in one step over all files: a few milliseconds' work, so that nobody waits long for the thread. */
export const MAX_BYTES_PER_POLL = 1 << 20;
const READ_BYTES = 1 << 18;

interface Followed { readonly path: string; readonly sink: ByteSink; offset: number }

export class FactTail {
  private readonly files = new Map<string, Followed>();

  /** @param open called once for each file, in the order in which their threads began, of those found at once */
  constructor(private readonly folder: string, private readonly open: (name: string) => ByteSink) {}

  /**
   * Reads on where the last poll ended. Files are opened for the reading only, so that any number may be followed.
   * @returns bytes read; `MAX_BYTES_PER_POLL` or more says that there may be more at once
   */
  poll(): number {
    this.findNew();
    let total = 0;
    for (const [name, file] of [...this.files]) {
      if (total >= MAX_BYTES_PER_POLL) break;
      const read = this.readOn(file, MAX_BYTES_PER_POLL - total);
      if (read === 0) continue;
      total += read;
      // To the end of the queue: a thread that writes faster than we read keeps nobody else waiting.
      this.files.delete(name);
      this.files.set(name, file);
    }
    return total;
  }

  private findNew(): void {
    for (const { name, path } of found(this.folder, (each) => !this.files.has(each))) this.files.set(name, { path, sink: this.open(name), offset: 0 });
  }

  private readOn(file: Followed, limit: number): number {
    const size = statSync(file.path, { throwIfNoEntry: false })?.size ?? 0;
    // What was cut off or taken away cannot be read on: what stands there now is something else.
    if (size < file.offset) file.offset = Infinity;
    if (size <= file.offset) return 0;
    const start = file.offset;
    const end = Math.min(size, start + limit);
    const descriptor = openSync(file.path, 'r');
    try {
      while (file.offset < end) {
        const bytes = new Uint8Array(Math.min(READ_BYTES, end - file.offset));
        const read = readSync(descriptor, bytes, 0, bytes.length, file.offset);
        if (read === 0) break;
        file.offset += read;
        file.sink.push(bytes.subarray(0, read));
      }
    } finally {
      closeSync(descriptor);
    }
    return file.offset - start;
  }
}

/** The folder may have been taken away under a running process: then there is nothing more to follow. */
function found(folder: string, isNew: (name: string) => boolean): readonly FactFileThere[] {
  try {
    return factFilesIn(folder, isNew);
  } catch {
    return [];
  }
}
