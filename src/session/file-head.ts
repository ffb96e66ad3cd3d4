/** The first bytes of a file, for telling what it is without reading it whole. */
import { closeSync, openSync, readSync } from 'node:fs';

/** @param most bytes @returns as many as there are, up to `most` @throws what the file system says where it cannot be read */
export function readHead(path: string, most: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(most);
    return head.subarray(0, readSync(file, head, 0, most, 0));
  } finally {
    closeSync(file);
  }
}
