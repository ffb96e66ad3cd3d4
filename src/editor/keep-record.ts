/** How a run ended, written down by the host: a launcher cannot know that the user asked for the end. */
import type { LiveRun } from '../session/run';
import { writeRunRecord } from '../session/run-record';

export function keepRecord(folder: string, source: LiveRun): void {
  try {
    writeRunRecord(folder, source.record());
  } catch { /* The folder was taken away meanwhile: then there is nothing to reopen either. */ }
}
