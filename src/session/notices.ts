/** What the user should know of a run, as sentences. */
import { isOver, type Notice, type RunPhase } from '../model/run';
import type { Standing } from './outcome';

/** Ways that the end of a thread's process went untold, though nobody is known to have killed it. */
const BROKEN_OFF = 'it was killed, or the disk was full, or its folder or file was taken away';

export function noticesOf(phase: RunPhase, { threads, ending, groups }: Standing): Notice[] {
  const notices: Notice[] = [];
  const damaged = threads.filter((thread) => thread.problem !== undefined);
  for (const thread of damaged.slice(0, 3)) {
    notices.push({ severity: 'error', code: 'damaged-facts', text: `What one thread recorded is damaged: ${thread.problem ?? ''}; it is shown up to there.`, values: { reason: thread.problem ?? '' } });
  }
  const dropped = threads.reduce((sum, thread) => sum + thread.dropped, 0);
  if (dropped > 0) {
    notices.push({ severity: 'warning', code: 'dropped', text: `${dropped} facts could not be recorded: tasks may be missing or look unfinished.`, values: { dropped } });
  }
  const sampledMs = threads.reduce((sum, thread) => sum + thread.sampledMs, 0);
  if (sampledMs > 0) {
    notices.push({ severity: 'info', code: 'sampled', text: `For ${Math.round(sampledMs)} ms the script made promises too fast to watch each of them: what began then is missing.`, values: { sampledMs } });
  }
  const unplaced = threads.reduce((sum, thread) => sum + thread.unplaced, 0);
  if (unplaced > 0) {
    notices.push({ severity: 'info', code: 'unplaced', text: `Promises came too fast to look where the script made ${unplaced} of them: as many tasks may be missing.`, values: { unplaced } });
  }
  const brokenOff = threads.filter(({ hello, end, problem }) => hello?.threadId === 0 && !end && problem === undefined).length;
  if ((phase === 'finished' || phase === 'crashed') && brokenOff > 0) {
    notices.push({ severity: 'warning', code: 'broken-off', text: `The recording of ${brokenOff === 1 ? 'a process' : `${brokenOff} processes`} breaks off before the end: ${BROKEN_OFF}. What came then is missing.`, values: { processes: brokenOff } });
  }
  if (isOver(phase)) notices.push(...atEnd(phase, threads.some((thread) => thread.hello), groups, ending?.exitCode));
  return notices;
}

function atEnd(phase: RunPhase, heard: boolean, groups: number, exitCode: number | undefined): Notice[] {
  if (!heard) {
    return [{ severity: 'warning', code: 'no-hello', text: exitCode !== undefined && exitCode !== 0
      ? `Nothing was recorded: it ended with status ${exitCode} before any Node process had begun; its own output says why.`
      : 'Nothing was recorded: no Node process loaded the agent. A command that clears NODE_OPTIONS keeps it out.', values: exitCode !== undefined && exitCode !== 0 ? { status: exitCode } : {} }];
  }
  if (phase === 'crashed' && groups === 0) {
    return [{ severity: 'error', code: 'crashed-early', text: 'The script ended with an uncaught error before any work ran at the same time; its own output says where.', values: {} }];
  }
  if (phase === 'finished' && groups === 0) {
    return [{ severity: 'info', code: 'nothing-found', text: 'The script ran no asynchronous work at the same time: there is nothing to draw.', values: {} }];
  }
  return [];
}
