import { describe, expect, it } from 'vitest';
import { IGNORED, TaskState, type Group } from '../../../src/model/timeline';
import { geometryFor } from '../../../webview/diagram/geometry';
import { overlayOf, type OverlayModel } from '../../../webview/diagram/overlay-model';
import { savingMark } from '../../../webview/diagram/saving-model';
import { Viewport } from '../../../webview/diagram/viewport';
import { GroupTasks } from '../../../webview/store/group-tasks';
import { TaskTable } from '../../../webview/store/task-table';
import { speakIn } from '../../../webview/words/speak';
import { makeGroup } from './group';

const speak = speakIn('en');
/** As wide as letters are high enough to be read. */
const measure = (text: string): number => text.length * 7;

function viewport(end: number, width = 1000): Viewport {
  const made = new Viewport();
  made.resize(44, 44 + width);
  made.setRange({ start: 0, end });
  return made;
}

/** `count` chunks of 100 ms, two tasks each. */
function chunked(count: number, info: Partial<Group> = {}): GroupTasks {
  const table = new TaskTable();
  const group = new GroupTasks(1, table);
  group.setInfo(makeGroup({ lanes: 2, ...info }));
  for (let chunk = 1; chunk <= count; chunk++) {
    for (const lane of [1, 2]) {
      const id = 2 * chunk + lane;
      table.setChunk(id, chunk);
      group.insert({ id, lane, chunk, start: (chunk - 1) * 100, end: (chunk - 1) * 100 + 50 * lane, state: 1 });
    }
  }
  return group;
}

const overlay = (group: GroupTasks, view: Viewport, now = 0): OverlayModel =>
  overlayOf({ group, geometry: geometryFor(2, 400, 1), viewport: view, origin: 0, now, hasCallout: true, outlinesAll: false, speak, measure });

describe('titles of chunks', () => {
  const titles = (count: number, view = viewport(count * 100)): string[] => overlay(chunked(count), view).frames.map((frame) => frame.title);

  it('are written in full where all of them fit', () => { expect(titles(3)).toEqual(['Chunk 1', 'Chunk 2', 'Chunk 3']); });

  it('are numbers where they do not, and the word stands once beside them', () => {
    expect(titles(20)).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 1)));
    expect(overlay(chunked(20), viewport(2000)).titleWord).toBe('chunk');
    expect(overlay(chunked(3), viewport(300)).titleWord).toBe('');
  });

  it('are every so many numbers where even those would touch', () => {
    const written = titles(100).filter(Boolean);
    expect(written.length).toBeGreaterThan(5);
    expect(written.length).toBeLessThanOrEqual(51);
  });

  it('stay in sight while a chunk is zoomed into', () => {
    const view = viewport(300);
    view.isFitted = false;
    view.show(120, 180);
    const [frame] = overlay(chunked(3), view).frames;
    expect(frame.title).toBe('Chunk 2');
    expect(frame.titleX).toBeGreaterThan(view.left);
    expect(frame.x0).toBeLessThan(view.left);
  });
});

describe('the outline', () => {
  it('marks the longest bar of every chunk that has ended', () => {
    const group = chunked(2);
    group.insert({ id: 90, lane: 1, chunk: 3, start: 200, end: NaN, state: 0 });
    expect(overlay(group, viewport(400), 250).bars.map((bar) => [bar.look, bar.key])).toEqual([['longest', 4], ['longest', 6]]);
  });

  it('stand as one frame that says how many they are where none is wide enough to be seen', () => {
    const { frames, bars, callouts } = overlay(chunked(500), viewport(50_000));
    expect(frames).toMatchObject([{ key: 0, title: '500 chunks', duration: '50.0 s' }]);
    expect([...bars, ...callouts]).toEqual([]);
  });

  it('outlines the longest bar of each of 20 chunks, of more in view those of the five with the most idle time', () => {
    const group = (count: number): GroupTasks => {
      const table = new TaskTable();
      const made = new GroupTasks(1, table);
      made.setInfo(makeGroup({ lanes: 2 }));
      for (let chunk = 1; chunk <= count; chunk++) {
        for (const lane of [1, 2]) {
          const id = 2 * chunk + lane - 2;
          table.setChunk(id, chunk);
          // The other bar of every third chunk is short.
          made.insert({ id, lane, chunk, start: chunk * 100, end: chunk * 100 + (lane === 2 ? 100 : chunk % 3 === 0 ? chunk : 90), state: 1 });
        }
      }
      return made;
    };
    expect(overlay(group(20), viewport(2100)).bars.length).toBe(20);
    expect(overlay(group(24), viewport(2500)).bars.map(({ key }) => key)).toEqual([3, 6, 9, 12, 15].map((chunk) => 2 * chunk));
    // Zoomed in to twenty of them, all are outlined again.
    expect(overlay(group(24), viewport(2050)).bars.length).toBe(20);
  });

  it('marks what decided a race: the first to settle, in any the first to fulfil', () => {
    const tasks = (kind: Group['kind']): OverlayModel => {
      const group = new GroupTasks(1, new TaskTable());
      group.setInfo(makeGroup({ kind, lanes: 2 }));
      group.insert({ id: 1, lane: 1, chunk: 0, start: 0, end: 30, state: 2 });
      group.insert({ id: 2, lane: 2, chunk: 0, start: 0, end: 60, state: 1 });
      return overlay(group, viewport(100));
    };
    expect(tasks('race').bars).toMatchObject([{ look: 'winner', key: 1 }]);
    expect(tasks('any').bars).toMatchObject([{ look: 'winner', key: 2 }]);
    expect(tasks('pool').bars).toEqual([]);
    expect(tasks('allSettled').bars).toMatchObject([{ look: 'longest', key: 2 }]);
  });
});

describe('the callout', () => {
  it('stands once, in the first chunk it fits into', () => {
    const { callouts } = overlay(chunked(2), viewport(200));
    expect(callouts).toMatchObject([{ key: 1, anchor: 'middle', lines: ['the longest promise’s time is the chunk’s time'] }]);
  });
  it('of a call that rejected says what ended it, and when: not its longest promise, nor what was swallowed before or came after', () => {
    const call = (status: Group['status']): OverlayModel => {
      const group = new GroupTasks(1, new TaskTable());
      group.setInfo(makeGroup({ kind: 'all', combinator: 'all', lanes: 4, status }));
      const rejected = TaskState.rejected;
      [[100, TaskState.fulfilled], [60, rejected], [20, rejected], [80, rejected | IGNORED]].forEach(([end, state], i) => group.insert({ id: i + 1, lane: i + 1, chunk: 0, start: 0, end, state }));
      return overlayOf({ group, geometry: geometryFor(4, 400, 1), viewport: viewport(100), origin: 0, now: 0, hasCallout: true, outlinesAll: false, speak, measure });
    };
    const [callout] = call('rejected').callouts;
    expect([callout.lines.join(' '), callout.x0, callout.x1]).toEqual(['the first rejection ended the call', 44, 644]);
    const [other] = call('fulfilled').callouts;
    expect([other.lines.join(' '), other.x1]).toEqual(['the longest promise’s time is the call’s time', 1044]);
  });
  it('of a chunk that rejected early says so, and how long it took; of one that rejected with its last task, its longest promise', () => {
    const { rejected, fulfilled } = TaskState;
    const chunk = (rows: readonly (readonly [end: number, state: number])[]): OverlayModel => {
      const table = new TaskTable();
      const group = new GroupTasks(1, table);
      group.setInfo(makeGroup({ combinator: 'all', lanes: 4, status: 'rejected' }));
      rows.forEach(([end, state], i) => {
        table.setChunk(i + 1, 1);
        group.insert({ id: i + 1, lane: i + 1, chunk: 1, start: 0, end, state });
      });
      return overlayOf({ group, geometry: geometryFor(4, 400, 1), viewport: viewport(100), origin: 0, now: 0, hasCallout: true, outlinesAll: false, speak, measure });
    };
    const early = chunk([[100, fulfilled | IGNORED], [60, rejected], [20, fulfilled], [80, rejected | IGNORED]]);
    expect(early.callouts[0]).toMatchObject({ lines: ['the first rejection ended the chunk'], x0: 44, x1: 644 });
    expect(early.frames).toMatchObject([{ duration: 'rejected after 60.0 ms', x1: 1044 }]);
    expect(early.bars).toEqual([]);
    const late = chunk([[100, rejected], [60, fulfilled], [20, fulfilled], [80, fulfilled]]);
    expect(late.callouts[0]).toMatchObject({ lines: ['the longest promise’s time is the chunk’s time'], x1: 1044 });
    expect(late.bars).toMatchObject([{ look: 'longest', key: 1 }]);
    // Whoever catches in a task has its call wait for all of them.
    expect(chunk([[100, fulfilled], [60, rejected], [20, fulfilled], [80, fulfilled]]).callouts[0].lines).toEqual(['the longest promise’s time is the chunk’s time']);
  });
  it('runs on to the right of a narrow chunk', () => { expect(overlay(chunked(20), viewport(2000)).callouts).toMatchObject([{ key: 1, anchor: 'start' }]); });
  it('stands below where it fits neither in a chunk nor beside it', () => {
    const { callouts } = overlay(chunked(2), viewport(200, 500));
    expect(callouts).toMatchObject([{ key: 1, anchor: 'start', lines: ['the longest promise’s time is the chunk’s time'] }]);
  });
  it('takes two lines in a narrow panel', () => {
    const { callouts } = overlay(chunked(2), viewport(200, 250));
    expect(callouts[0].lines.join(' ')).toBe('the longest promise’s time is the chunk’s time');
    expect(callouts[0].lines).toHaveLength(2);
  });
  it('waits for a chunk that has ended', () => {
    const group = new GroupTasks(1, new TaskTable());
    group.setInfo(makeGroup({ kind: 'all', lanes: 2 }));
    group.insert({ id: 1, lane: 1, chunk: 0, start: 0, end: NaN, state: 0 });
    expect(overlay(group, viewport(100), 50).callouts).toEqual([]);
  });
});

describe('the bracket of the time saved', () => {
  const chunk = makeGroup({ id: 1, makespanMs: 39_400 });
  const pool = makeGroup({ id: 2, kind: 'pool', makespanMs: 26_400 });
  const mark = (group: Group, other: Group, width = 1000): ReturnType<typeof savingMark> => savingMark(group, other, geometryFor(50, 500, 0), viewport(40_000, width), speak, measure);

  it('reaches from the end of the shorter to the end of the longer, in the shorter one’s plot', () => {
    const found = mark(pool, chunk);
    expect(found?.text).toBe('13.0 s less, −33 %');
    expect([found?.x0, found?.x1]).toEqual([44 + 660, 44 + 985]);
    expect(mark(chunk, pool)).toBeUndefined();
  });

  it('says it in two lines, or above the frame, where it is narrow', () => {
    expect(mark(pool, chunk, 420)).toMatchObject({ place: 'inside', lines: ['13.0 s less', '−33 %'] });
    expect(mark(pool, chunk, 150)).toMatchObject({ place: 'title', lines: ['13.0 s less, −33 %'] });
  });

  it('says that there is no difference where there is none', () => {
    expect(mark({ ...pool, metrics: { ...pool.metrics, makespanMs: 39_350 } }, chunk)?.text).toBe('no difference, ±0 %');
  });
});
