import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compilePattern, guessPattern, KNOWN_PATTERNS, poolOf } from '../../../src/formats/log-pattern';
import { LogRun, patternFor, previewLog, type LogSettings } from '../../../src/formats/log-run';
import { DayCounter, parseLogTime } from '../../../src/formats/log-time';
import { STATE_MASK, TaskState } from '../../../src/model/timeline';

const place = mkdtempSync(join(tmpdir(), 'async-lanes-log-'));
afterAll(() => { rmSync(place, { recursive: true, force: true }); });
let files = 0;
function file(text: string): string {
  const path = join(place, `${++files}.log`);
  writeFileSync(path, text);
  return path;
}

interface Lane { readonly pool: string | undefined; readonly lane: number; readonly start: number; readonly end: number; readonly state: number; readonly label: string | undefined }
async function read(text: string, settings?: LogSettings): Promise<{ tasks: Lane[]; notices: string[]; run: LogRun }> {
  const run = await LogRun.open(file(text), settings);
  const { timeline } = run;
  const { tasks } = timeline;
  return {
    run, notices: run.state().notices.map((notice) => notice.text),
    tasks: Array.from({ length: tasks.length }, (_, row) => ({
      pool: timeline.factsOf(tasks.group[row])?.name, lane: tasks.lane[row], start: Math.round(tasks.start[row] * 100) / 100, end: Math.round(tasks.end[row] * 100) / 100,
      state: tasks.state[row] & STATE_MASK, label: timeline.labelOf(row + 1),
    })).sort((a, b) => a.start - b.start || a.lane - b.lane),
  };
}

/** As D5's service writes them. */
const line = (clock: string, thread: string, message: string, level = 'INFO '): string => `[2024-11-09 23:34:${clock}] [${thread}] ${level} [corea…FutureUtil.lambda$supplyAsync$1:20] - ${message}`;

describe('a moment in a log', () => {
  it.each([
    ['2024-11-09 23:34:34:14131', Date.UTC(2024, 10, 9, 23, 34, 34, 141) + 0.31], ['2024-11-09T23:34:34.5Z', Date.UTC(2024, 10, 9, 23, 34, 34, 500)], ['2024-11-09 23:34:34,141', Date.UTC(2024, 10, 9, 23, 34, 34, 141)],
    ['2024-11-09T23:34:34+09:00', Date.UTC(2024, 10, 9, 14, 34, 34)], ['00:00:01.250', 1250], ['1731195274141', 1731195274141],
  ])('%s', (text, ms) => { expect(parseLogTime(text)).toBeCloseTo(ms, 2); });

  it.each(['', 'soon', '25:00:00', '2024-13-01 00:00:00', '2024-02-30 00:00:00', '12:61:00'])('%j is none', (text) => { expect(parseLogTime(text)).toBeUndefined(); });

  it('goes on after midnight, and takes a late line back before it', () => {
    const days = new DayCounter();
    expect([86_399_000, 500, 86_399_500, 1000].map((ms) => days.continuing(ms))).toEqual([86_399_000, 86_400_500, 86_399_500, 86_401_000]);
  });
});

describe('a pattern', () => {
  it('takes a line apart', () => {
    expect(compilePattern(KNOWN_PATTERNS[0]).read(line('34:14131', 'clientExecutor-10', 'Running'))).toEqual({
      time: '2024-11-09 23:34:34:14131', thread: 'clientExecutor-10', level: 'INFO', message: '[corea…FutureUtil.lambda$supplyAsync$1:20] - Running',
    });
  });

  it.each([['{time} {message}', '{thread} is missing'], ['{thread}', '{time} is missing'], ['{time}{thread}', 'something to tell them apart'], ['x'.repeat(501), 'longer than 500']])('%s is none', (text, sentence) => {
    expect(() => compilePattern(text)).toThrow(sentence);
  });

  it.each([
    ['2024-11-09 23:34:34.141 [main] INFO  a.B - hello', 1], ['23:34:34.141 [main] INFO a.B - hello', 2], ['23:34:34.141 INFO [main] hello', 3], ['2024-11-09T23:34:34Z main hello', 4],
  ])('is guessed: %s', (text, which) => {
    expect(guessPattern([text, 'at a.B.c(D.java:1)'], (time) => parseLogTime(time) !== undefined).text).toBe(KNOWN_PATTERNS[which]);
  });

  it('reads anything without an error, and gives back only pieces of it', () => {
    fc.assert(fc.property(fc.constantFrom(...KNOWN_PATTERNS), fc.string({ unit: fc.constantFrom('[', ']', ' ', '-', '1', 'a', ':') }), (pattern, text) => {
      for (const piece of Object.values(compilePattern(pattern).read(text) ?? {})) expect(`${text} ${text}`).toContain(piece as string);
    }));
  });

  it.each([['clientExecutor-10', 'clientExecutor'], ['pool-1-thread-3', 'pool-1'], ['http-nio-8080-exec-5', 'http-nio-8080-exec'], ['main', 'main'], ['ForkJoinPool.commonPool-worker-3', 'ForkJoinPool.commonPool-worker']])(
    'finds the pool of %s', (thread, pool) => { expect(poolOf(thread)).toBe(pool); });
});

describe('a log', () => {
  it('has a group for each pool, a lane for each thread, and a task from each beginning to its end', async () => {
    const { tasks, notices, run } = await read([
      line('34:10000', 'apiExecutor-1', 'Begin a'), line('34:20000', 'clientExecutor-1', 'Begin b'), line('34:25000', 'clientExecutor-7', 'Begin c'),
      line('34:30000', 'clientExecutor-1', 'End b'), line('34:40000', 'clientExecutor-1', 'Begin d'), line('34:50000', 'clientExecutor-7', 'it broke', 'ERROR'),
      line('34:60000', 'clientExecutor-7', 'End c'), line('34:70000', 'clientExecutor-1', 'End d'), line('34:90000', 'apiExecutor-1', 'End a'),
    ].join('\n'), { begin: 'Begin', end: 'End' });
    const done = TaskState.fulfilled;
    expect(tasks.map(({ pool, lane, start, end, state }) => [pool, lane, start, end, state])).toEqual([
      ['apiExecutor', 1, 0, 800, done], ['clientExecutor', 1, 100, 200, done], ['clientExecutor', 2, 150, 500, TaskState.rejected], ['clientExecutor', 1, 300, 600, done],
    ]);
    expect(tasks[1].label).toBe('clientExecutor-1: [corea…FutureUtil.lambda$supplyAsync$1:20] - Begin b');
    expect(notices).toEqual([]);
    expect(run.info).toMatchObject({ timeOrigin: Date.UTC(2024, 10, 9, 23, 34, 34, 100), title: expect.stringMatching(/\.log$/) as string });
    expect(run.state()).toMatchObject({ phase: 'finished', elapsedMs: 800 });
  });

  it('is told apart by silence where no messages are named', async () => {
    const { tasks } = await read([line('30:0', 'a-1', 'x'), line('30:4', 'a-1', 'y'), line('30:5', 'a-2', 'z'), line('33:0', 'a-1', 'x')].join('\r\n'), { gapMs: 500 });
    expect(tasks.map(({ lane, start, end }) => [lane, start, end])).toEqual([[1, 0, 400], [2, 500, 500], [1, 3000, 3000]]);
  });

  it('counts lines of another form, and ends that nothing began, and reads on', async () => {
    const { tasks, notices, run } = await read(['Banner', line('30:0', 'a-1', 'End'), line('30:1', 'a-1', 'Begin'), '\tat a.B.c(D.java:1)', line('99:9', 'a-1', 'Begin'), line('30:2', 'a-1', 'End'), ''].join('\n'), { begin: 'Begin', end: 'End' });
    expect(tasks).toHaveLength(1);
    expect(notices).toEqual([expect.stringMatching(/^3 of 6 lines were left out/) as string, expect.stringMatching(/^1 lines end a task that none began/) as string]);
    // For whoever says it in another language.
    expect(run.state().notices.map(({ values }) => values)).toEqual([{ wrong: 3, lines: 6, pattern: KNOWN_PATTERNS[0] }, { unpaired: 1 }]);
  });

  it('a beginning ends what its thread had begun, and what is open ends with the last line of its thread', async () => {
    const { tasks } = await read([line('30:0', 'a-1', 'Begin'), line('30:1', 'a-1', 'on'), line('30:3', 'a-1', 'Begin'), line('30:4', 'a-1', 'on')].join('\n'), { begin: 'Begin' });
    expect(tasks.map(({ start, end }) => [start, end])).toEqual([[0, 100], [300, 400]]);
  });

  it('that is none is refused, with what it should look like', async () => {
    await expect(read('no log\nat all')).rejects.toThrow(/is no trace of Async Lanes, and none of its 2 lines reads like a log line \[\{time\}\]/);
    await expect(read('\0'.repeat(300_000))).rejects.toThrow('none of its 1 lines');
    await expect(LogRun.open(join(place, 'gone.log'))).rejects.toThrow('it does not exist');
    await expect(read(line('30:0', 'a-1', 'x'), { pattern: '{nothing}' })).rejects.toThrow('{thread} is missing');
  });

  it('can be previewed', () => {
    const path = file(`Banner\n${line('30:0', 'a-1', 'x')}\n`);
    expect(patternFor(path)).toBe(KNOWN_PATTERNS[0]);
    expect(previewLog(path, KNOWN_PATTERNS[0])).toMatchObject({ lines: 2, fitting: 1, first: { thread: 'a-1' } });
  });
});
