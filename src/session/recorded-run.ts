/** A run that was recorded: read once, then as a view sees a live one that is over. */
import { basename } from 'node:path';
import { Grouping, type ThreadIntake } from '../grouping/grouping';
import type { Notice } from '../model/run';
import { FinishedRun } from '../timeline/finished-run';
import { Timeline } from '../timeline/timeline';
import type { Ending } from './launch';
import { stateOf } from './outcome';
import { Refusal } from './refusal';
import type { RunRecord } from './run-record';
import { SourceMaps } from './source-maps';
import { openTrace, type FactFile, type Trace } from './trace';

export class RecordedRun extends FinishedRun {
  /**
   * @param path a `.lanes` file, or a folder with fact files
   * @throws Refusal with a sentence where there is no trace, or nothing of it can be read
   */
  static async open(path: string): Promise<RecordedRun> {
    const trace = await openTrace(path);
    try {
      return await read(trace, path);
    } finally {
      trace.close();
    }
  }

  /**
   * @param threads in the order in which their files were read; the first one's clock is the run's
   * @param damage what could not be read
   */
  static of(timeline: Timeline, threads: readonly ThreadIntake[], record: RunRecord | undefined, damage: readonly Notice[]): RecordedRun {
    const hello = threads[0]?.hello;
    const timeOrigin = hello?.timeOrigin ?? record?.startedAt ?? 0;
    const command = record?.command ?? ['node', ...hello?.argv.slice(1) ?? []];
    const state = stateOf({
      threads, ending: endingOf(threads, record), stopped: record?.stopped === true, groups: timeline.groupIds().length,
      elapsedMs: Math.max(lastMoment(timeline), (record?.endedAt ?? 0) - timeOrigin), notices: damage,
    });
    const info = { command, cwd: record?.cwd ?? hello?.cwd ?? '', node: hello?.node ?? '', timeOrigin, title: titleOf(command) };
    return new RecordedRun(timeline, info, { ...state, complete: state.complete && damage.length === 0 });
  }
}

/** What to call a command in titles: its script's base name, or its own. */
export function titleOf(command: readonly string[]): string {
  const [program = '', script] = command;
  return basename(script !== undefined && /^node(\.exe)?$/i.test(basename(program)) ? script : program);
}

async function read(trace: Trace, path: string): Promise<RecordedRun> {
  const timeline = new Timeline();
  const grouping = new Grouping(timeline, new SourceMaps());
  const threads: ThreadIntake[] = [];
  const damage: Notice[] = [];
  for (const file of await inOrderOfStart(trace.files)) {
    const thread = grouping.openThread();
    threads.push(thread);
    try {
      await readInto(file, thread, () => { grouping.update(); });
    } catch (error) {
      damage.push({ severity: 'error', code: 'damaged-facts', text: `${file.name} is damaged: ${messageOf(error)}; it is shown up to there.`, values: { file: file.name, reason: messageOf(error) } });
    }
  }
  grouping.update();
  if (threads.length > 0 && threads.every((thread) => !thread.hello)) {
    throw new Refusal('damaged-trace', `Nothing in ${path} can be read: ${threads[0].problem ?? 'what was recorded ends before it has begun'}.`);
  }
  return RecordedRun.of(timeline, threads, trace.record, damage);
}

async function readInto(file: FactFile, thread: ThreadIntake, update: () => void): Promise<void> {
  for await (const bytes of await file.open()) {
    thread.push(bytes as Uint8Array);
    // In portions, so that whoever else works on this thread gets a turn.
    update();
  }
}

/** Names tell nothing of what came first; hellos do. Our own process records too where its shell is traced: it is left out. */
async function inOrderOfStart(files: readonly FactFile[]): Promise<FactFile[]> {
  const begun: { file: FactFile; at: number }[] = [];
  for (const file of files) {
    const probe = new Grouping(new Timeline()).openThread();
    try {
      for await (const bytes of await file.open()) {
        probe.push(bytes as Uint8Array);
        if (probe.hello || probe.problem !== undefined) break;
      }
    } catch { /* Told when it is read for good. */ }
    if (probe.hello?.pid !== process.pid) begun.push({ file, at: probe.hello?.timeOrigin ?? Infinity });
  }
  return begun.sort((a, b) => a.at - b.at).map(({ file }) => file);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function endingOf(threads: readonly ThreadIntake[], record: RunRecord | undefined): Ending {
  if (record) return { exitCode: record.exitCode, signal: record.signal };
  return { exitCode: threads.find((thread) => thread.hello?.threadId === 0)?.end?.exitCode };
}

/** Milliseconds after `timeOrigin` of the last thing any task did. */
function lastMoment({ tasks }: Timeline): number {
  let last = 0;
  for (let row = 0; row < tasks.length; row++) last = Math.max(last, Number.isNaN(tasks.end[row]) ? tasks.start[row] : tasks.end[row]);
  return last;
}
