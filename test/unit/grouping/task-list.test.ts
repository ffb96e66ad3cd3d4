import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskDraft } from '../../../src/grouping/drafts';
import { PromiseNode } from '../../../src/grouping/promises/promise-node';
import { TaskList } from '../../../src/grouping/task-list';

test('tasks are in one list at most, in the order in which they came in', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom('add', 'delete'), fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 9 })), { maxLength: 200 }), (steps) => {
    const tasks = Array.from({ length: 10 }, (_, id) => new TaskDraft(new PromiseNode(id), id));
    const lists = [new TaskList(), new TaskList()];
    const sets = [new Set<TaskDraft>(), new Set<TaskDraft>()];
    for (const [what, which, id] of steps) {
      const task = tasks[id];
      if (what === 'delete') expect(lists[which].delete(task)).toBe(sets[which].delete(task));
      else {
        lists[which].add(task);
        for (const set of sets) set.delete(task);
        sets[which].add(task);
      }
    }
    lists.forEach((list, which) => {
      expect([...list]).toEqual([...sets[which]]);
      expect(list.size).toBe(sets[which].size);
      expect(list.first).toBe([...sets[which]][0]);
    });
  }));
});

test('what is gone through may be taken out meanwhile', () => {
  const list = new TaskList();
  const tasks = Array.from({ length: 5 }, (_, id) => new TaskDraft(new PromiseNode(id), id));
  for (const task of tasks) list.add(task);
  const seen: TaskDraft[] = [];
  for (const task of list) { seen.push(task); list.delete(task); }
  expect(seen).toEqual(tasks);
  expect(list.size).toBe(0);
});
