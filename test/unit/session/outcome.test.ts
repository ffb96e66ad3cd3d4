import { describe, expect, it } from 'vitest';
import type { ThreadIntake } from '../../../src/grouping/grouping';
import type { RunState } from '../../../src/model/run';
import { stateOf, type Standing } from '../../../src/session/outcome';

const HELLO = { version: 1, pid: 1, ppid: 0, threadId: 0, timeOrigin: 0, node: 'v22.1.0', backend: 'v8', argv: [], cwd: '/', requests: false } as const;

interface Said { threadId?: number; silent?: boolean; exitCode?: number; crashed?: boolean; alive?: boolean; dropped?: number; sampledMs?: number; unplaced?: number; problem?: string }
const thread = ({ threadId = 0, silent = false, exitCode = 0, crashed = false, alive = false, dropped = 0, sampledMs = 0, unplaced = 0, problem }: Said = {}): ThreadIntake => ({
  push: () => { /* not asked here */ },
  hello: silent ? undefined : { ...HELLO, threadId }, end: alive ? undefined : { exitCode, crashed }, dropped, sampledMs, unplaced, problem,
});

const stand = (threads: Said[], standing: Partial<Standing> = {}): RunState =>
  stateOf({ threads: threads.map(thread), ending: { exitCode: 0 }, stopped: false, groups: 1, elapsedMs: 5, notices: [], ...standing });

const codes = (state: RunState): string[] => state.notices.map(({ code }) => code);

describe('how a run stands', () => {
  it.each<[string, Said[], Partial<Standing>, RunState['phase']]>([
    ['before a word from the process', [], { ending: undefined }, 'starting'],
    ['before the hello is whole', [{ silent: true, alive: true }], { ending: undefined }, 'starting'],
    ['while it lasts', [{ alive: true }], { ending: undefined }, 'running'],
    ['at its end', [{}], {}, 'finished'],
    ['at its end with a status of its own', [{ exitCode: 3 }], { ending: { exitCode: 3 } }, 'finished'],
    ['after an uncaught error', [{ exitCode: 1, crashed: true }], { ending: { exitCode: 1 } }, 'crashed'],
    ['after a crash of a child that was coped with', [{}, { crashed: true }], {}, 'finished'],
    ['after a crash of a worker that was coped with', [{}, { threadId: 1, crashed: true }], { ending: { exitCode: 2 } }, 'finished'],
    ["after somebody's signal", [{ alive: true }], { ending: { signal: 'SIGKILL' } }, 'killed'],
    ['when nobody saw its end', [{ alive: true }], { ending: {} }, 'killed'],
    ["after the user's Stop", [{ alive: true }], { ending: { signal: 'SIGTERM' }, stopped: true }, 'stopped'],
  ])('%s', (_, threads, standing, phase) => {
    expect(stand(threads, standing).phase).toBe(phase);
  });

  it.each<[string, Said[], Partial<Standing>, boolean]>([
    ['every process has said that it ends', [{}, {}], {}, true],
    ['a worker was ended without a word', [{}, { threadId: 1, alive: true }], {}, true],
    ['a process of the tree was killed', [{}, { alive: true }], {}, false],
    ['a signal ended it', [{}], { ending: { signal: 'SIGTERM' } }, false],
    ['nothing was heard', [], {}, false],
    ['a file is damaged', [{ problem: 'not a fact file' }], {}, false],
  ])('whether it is complete: %s', (_, threads, standing, complete) => {
    expect(stand(threads, standing).complete).toBe(complete);
  });

  it('adds up what the threads dropped and where they stepped back, and says so', () => {
    const state = stand([{ dropped: 2, sampledMs: 10 }, { dropped: 3, sampledMs: 5 }]);
    expect(state).toMatchObject({ dropped: 5, sampledMs: 15 });
    expect(codes(state)).toEqual(['dropped', 'sampled']);
  });

  it('says how many promises nobody could place', () => {
    expect(stand([{ unplaced: 2 }, { unplaced: 3 }]).notices).toMatchObject([{ code: 'unplaced', values: { unplaced: 5 } }]);
  });

  it.each<[string, Said[], Partial<Standing>, string[]]>([
    ['the agent never said hello', [], {}, ['no-hello']],
    ['the script was over before any work', [{ exitCode: 1, crashed: true }], { ending: { exitCode: 1 }, groups: 0 }, ['crashed-early']],
    ['there was nothing to find', [{}], { groups: 0 }, ['nothing-found']],
    ['a file is damaged', [{ problem: 'no hello' }], {}, ['damaged-facts']],
    ['a process that nobody killed never said that it ends', [{}, { alive: true }], {}, ['broken-off']],
    ['a worker never said that it ends', [{}, { threadId: 1, alive: true }], {}, []],
    ['all is well', [{}], {}, []],
    ['it still lasts', [{ alive: true }], { ending: undefined, groups: 0 }, []],
  ])('says when %s', (_, threads, standing, expected) => {
    expect(codes(stand(threads, standing))).toEqual(expected);
  });
});
