import { expect, test } from 'vitest';
import { ChangeSet } from '../../../src/timeline/change-set';

test('a task marked many times is told once', () => {
  const changes = new ChangeSet();
  for (const id of [3, 1, 3, 3, 1]) changes.markTask(id);
  expect(changes.takeTasks(10)).toEqual([3, 1]);
  expect(changes.takeTasks(10)).toEqual([]);
});

test('tasks come in portions, oldest change first, and are marked again after they were taken', () => {
  const changes = new ChangeSet();
  for (const id of [5, 6, 7]) changes.markTask(id);
  expect(changes.takeTasks(2)).toEqual([5, 6]);
  for (const id of [5, 7]) changes.markTask(id);
  expect(changes.takeTasks(2)).toEqual([7, 5]);
  expect(changes.isEmpty).toBe(true);
});

test('ids far beyond those seen before are taken too', () => {
  const changes = new ChangeSet();
  for (const id of [1, 1023, 1024, 2_000_000]) changes.markTask(id);
  expect(changes.takeTasks(10)).toEqual([1, 1023, 1024, 2_000_000]);
});

test('a group that is gone is not told as touched', () => {
  const changes = new ChangeSet();
  changes.markGroup(1);
  changes.markGroup(2);
  changes.markGone(1);
  expect(changes.takeGroups()).toEqual([2]);
  expect(changes.takeGone()).toEqual([1]);
  expect(changes.isEmpty).toBe(true);
});

test('it is empty only when nothing of any kind is left to tell', () => {
  const changes = new ChangeSet();
  const marks = [() => changes.markTask(1), () => changes.markGroup(1), () => changes.markGone(1), () => changes.markLabel(1)];
  for (const mark of marks) {
    mark();
    expect(changes.isEmpty).toBe(false);
    changes.takeTasks(9); changes.takeGroups(); changes.takeGone(); changes.takeLabels();
    expect(changes.isEmpty).toBe(true);
  }
});
