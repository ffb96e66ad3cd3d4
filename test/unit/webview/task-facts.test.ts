import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../src/model/frames';
import { ABORTED, IGNORED, TaskState, TIMED_OUT } from '../../../src/model/timeline';
import { taskFacts } from '../../../webview/diagram/task-facts';
import { parseDelta, parseHello } from '../../../webview/store/parse';
import { RunStore } from '../../../webview/store/run-store';
import { speakIn } from '../../../webview/words/speak';
import { ScriptedRun } from '../../webview/scripted-run';

interface Bar { readonly lane: number; readonly queued?: number; readonly start: number; readonly end: number; readonly state?: number }

/** The card of the task at `index` on lane 1, its rows by their names. */
function card(bars: readonly Bar[], index: number, kind: 'pool' | 'all' = 'pool'): Record<string, string> {
  const run = new ScriptedRun();
  const group = run.group({ kind });
  bars.forEach(({ lane, queued = NaN, start, end, state = TaskState.fulfilled }, at) => run.timeline.addTask({ group, ordinal: at + 1, lane, chunk: 0, queued, start, end, state }));
  const store = new RunStore();
  for (const frame of [run.hello(), run.delta()]) {
    const message = decodeFrame(frame);
    if (message.type === 'hello') store.reset(parseHello(message)); else if (message.type === 'delta') store.apply(parseDelta(message).delta, 0);
  }
  const tasks = store.groups.get(group);
  const facts = tasks && taskFacts(store, tasks, { lane: 1, index }, { align: 'wall', now: 0, until: Infinity, speak: speakIn('en') });
  return Object.fromEntries(facts?.rows ?? []);
}

describe('the card of a task', () => {
  it('says whose end freed the slot it waited for, and that this is judged by the times', () => {
    const bars = [{ lane: 1, start: 0, end: 10 }, { lane: 2, start: 0, end: 15 }, { lane: 1, queued: 0, start: 10.2, end: 20 }];
    expect(card(bars, 1)['slot freed by']).toBe('task 1, judging by the times');
  });

  it('says nothing of that where the task did not wait, or not for its neighbour', () => {
    expect(card([{ lane: 1, start: 0, end: 10 }, { lane: 1, start: 10, end: 20 }], 1)).not.toHaveProperty('slot freed by');
    expect(card([{ lane: 1, start: 0, end: 10 }, { lane: 1, queued: 0, start: 60, end: 70 }], 1)).not.toHaveProperty('slot freed by');
    expect(card([{ lane: 1, queued: 0, start: 10, end: 20 }], 0)).not.toHaveProperty('slot freed by');
  });

  it('tells what was called off and what took too long from other failures', () => {
    const outcome = (state: number): string => card([{ lane: 1, start: 0, end: 10, state }], 0).outcome;
    expect([ABORTED, TIMED_OUT, 0, TIMED_OUT | IGNORED].map((cut) => outcome(TaskState.rejected | cut))).toEqual(['aborted', 'timed out', 'rejected', 'timed out, result ignored']);
  });
});
