/** The process that runs under the launcher in somebody else's terminal, as its record tells of it. */
import type { Ending, TracedProcess } from './launch';
import { readRunRecord, type RunRecord } from './run-record';

const POLL_MS = 50;

/**
 * @param folder absolute path of the folder the launcher writes its record into
 * @param gone resolves when the launcher itself has ended, in whatever way
 */
export function followRecord(folder: string, gone: Promise<unknown>): TracedProcess {
  let record: RunRecord | undefined;
  const look = (): Ending | undefined => {
    record = readOrKeep(folder, record);
    return record?.endedAt === undefined ? undefined : { exitCode: record.exitCode, signal: record.signal };
  };
  const ended = new Promise<Ending>((resolve) => {
    const step = (): void => {
      const ending = look();
      if (ending) finish(ending);
    };
    const timer = setInterval(step, POLL_MS);
    const finish = (ending: Ending): void => {
      clearInterval(timer);
      resolve(ending);
    };
    const onGone = (): void => { finish(look() ?? {}); };
    gone.then(onGone, onGone);
    step();
  });
  return { get pid() { return record?.pid; }, ended };
}

function readOrKeep(folder: string, before: RunRecord | undefined): RunRecord | undefined {
  try {
    return readRunRecord(folder) ?? before;
  } catch {
    return before;
  }
}
