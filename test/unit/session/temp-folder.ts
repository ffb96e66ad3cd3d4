import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** @returns a function that makes a folder which is gone after the test */
export function tempFolders(): () => string {
  const made: string[] = [];
  afterEach(() => { for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true }); });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
    made.push(folder);
    return folder;
  };
}
