import { describe, expect, it } from 'vitest';
import { nextFailure } from '../../../webview/diagram/failures';
import { ZoomHistory, type View } from '../../../webview/diagram/zoom-history';
import { GroupTasks, type TaskSpot } from '../../../webview/store/group-tasks';
import { TaskTable } from '../../../webview/store/task-table';
import { makeGroup } from './group';

const view = (start: number): View => ({ start, end: start + 10, isFitted: false });
const SECOND = 1000;

describe('the history of what was looked at', () => {
  it('goes back gesture by gesture, to all there is in the end, and forth again', () => {
    const history = new ZoomHistory();
    history.note(view(1), SECOND);
    history.note(view(2), SECOND + 50);
    history.note(view(3), 3 * SECOND);
    expect(history.back()).toEqual(view(2));
    expect(history.back()?.isFitted).toBe(true);
    expect(history.back()).toBeUndefined();
    expect(history.forth()).toEqual(view(2));
    expect(history.forth()).toEqual(view(3));
    expect(history.forth()).toBeUndefined();
  });

  it('forgets what was taken back once the hand goes another way', () => {
    const history = new ZoomHistory();
    history.note(view(1), SECOND);
    history.note(view(2), 2 * SECOND);
    history.back();
    history.note(view(5), 2 * SECOND + 1);
    expect(history.forth()).toBeUndefined();
    expect(history.back()).toEqual(view(1));
  });
});

describe('going from failure to failure', () => {
  const group = new GroupTasks(1, new TaskTable());
  group.setInfo(makeGroup({ kind: 'pool', lanes: 3, rejected: 3 }));
  [[1, 1, 0, 1], [2, 2, 0, 2], [3, 1, 5, 2], [4, 3, 5, 2], [5, 2, 9, 1]].forEach(([id, lane, start, state]) => group.insert({ id, lane, chunk: 0, start, end: start + 4, state }));

  it('takes them by start and lane, and begins anew behind the last', () => {
    let at: TaskSpot | undefined;
    const walk = (direction: 1 | -1): TaskSpot | undefined => (at = nextFailure(group, at, direction));
    expect([walk(1), walk(1), walk(1), walk(1)]).toEqual([{ lane: 2, index: 0 }, { lane: 1, index: 1 }, { lane: 3, index: 0 }, { lane: 2, index: 0 }]);
    expect(walk(-1)).toEqual({ lane: 3, index: 0 });
    expect(walk(-1)).toEqual({ lane: 1, index: 1 });
  });

  it('goes nowhere where nothing failed', () => {
    const sound = new GroupTasks(1, new TaskTable());
    sound.setInfo(makeGroup());
    sound.insert({ id: 1, lane: 1, chunk: 0, start: 0, end: 1, state: 1 });
    expect(nextFailure(sound, undefined, 1)).toBeUndefined();
  });
});
