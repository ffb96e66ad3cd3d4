/** Keys that go from task to task. */
import type { GroupView } from './group-view';
import { nextFailure } from './failures';
import type { Inspector } from './inspector';
import { isCommand, type KeyBinding } from './keyboard';
import { timesOf } from './plot-lookup';
import type { Scene } from './scene';
import { stepTask, type Step } from './stepping';
import type { Zooming } from './zooming';

const ARROWS: Readonly<Partial<Record<string, Step>>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last' };
const BRACKETS: Readonly<Partial<Record<string, Step>>> = { BracketLeft: 'left', BracketRight: 'right' };
const own = <T>(table: Readonly<Partial<Record<string, T>>>, name: string): T | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

/**
 * @param openTask shows the source of a group's tasks; undefined where the host cannot
 * @param openInside opens or closes the groups that ran inside a task
 */
export function taskKeys(inspector: Inspector, zooming: Zooming, scene: () => Scene, openTask: ((group: number) => void) | undefined, openInside: (task: number) => void): readonly KeyBinding[] {
  const focusIn = (view: GroupView) => inspector.selection.focusIn(view.group.id);
  const step = (view: GroupView, to: Step): void => inspector.bring(view, stepTask(view.shown, focusIn(view), to, view.geometry.order));
  const binding = (shown: string, word: KeyBinding['word'], act: (event: KeyboardEvent, view: GroupView) => (() => void) | undefined): KeyBinding =>
    ({ shown, word, action: (event, view) => (view && !isCommand(event) ? act(event, view) : undefined) });
  return [
    binding('← → ↑ ↓', 'keys.task', ({ key, shiftKey }, view) => {
      const to = shiftKey ? undefined : own(ARROWS, key);
      return to && (() => step(view, to));
    }),
    binding('[ ]', 'keys.lane', ({ code }, view) => {
      const to = own(BRACKETS, code);
      return to && (() => step(view, to));
    }),
    binding(', .', 'keys.failure', ({ code }, view) => {
      if (code !== 'Period' && code !== 'Comma') return undefined;
      return () => inspector.bring(view, nextFailure(view.shown, focusIn(view), code === 'Period' ? 1 : -1));
    }),
    binding('F', 'keys.fitTask', ({ code }, view) => {
      const focus = focusIn(view);
      const times = code === 'KeyF' && focus ? timesOf(view.shown, focus, scene()) : undefined;
      return times && (() => zooming.show(times.start, Math.max(times.end, times.start + 1 / scene().viewport.scaleExtent[1])));
    }),
    binding('Enter', 'keys.source', ({ key }, view) => (key === 'Enter' && openTask && focusIn(view) ? () => openTask(view.group.id) : undefined)),
    binding('O', 'keys.nest', ({ code, shiftKey }, view) => {
      const focus = focusIn(view);
      const id = focus && view.shown.lanes[focus.lane - 1]?.idOf(focus.index);
      return code === 'KeyO' && !shiftKey && id !== undefined ? () => openInside(id) : undefined;
    }),
    { word: 'keys.putAway', action: ({ key }) => (key === 'Escape' && inspector.card.isShown ? () => inspector.card.close() : undefined) },
    { shown: 'Esc', word: 'keys.putAway', action: ({ key }) => (key === 'Escape' && inspector.tooltip.isShown ? () => inspector.tooltip.hide() : undefined) },
  ];
}
