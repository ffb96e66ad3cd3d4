/** Pinning and hiding lanes: by keys for the lane of the task the keyboard is at, by a click on a lane's number for that. */
import type { Choices } from '../choices';
import type { PopupMenu } from '../controls/menu';
import type { Speak } from '../words/speak';
import { laneAt } from './geometry';
import type { GroupView } from './group-view';
import { isCommand, type KeyBinding } from './keyboard';
import type { Scene } from './scene';
import type { Selection } from './selection';

export function laneKeys(choices: Choices, selection: Selection): readonly KeyBinding[] {
  const binding = (shown: string, word: KeyBinding['word'], code: string, shift: boolean, act: (group: number, lane: number) => void): KeyBinding => ({
    shown, word,
    action(event, view) {
      const focus = view && selection.focusIn(view.group.id);
      return focus && event.code === code && event.shiftKey === shift && !isCommand(event) ? () => act(view.group.id, focus.lane) : undefined;
    },
  });
  return [
    binding('L', 'keys.pinLane', 'KeyL', false, (group, lane) => choices.toggleLane('pinned', group, lane)),
    binding('H', 'keys.hideLane', 'KeyH', false, (group, lane) => choices.toggleLane('hidden', group, lane)),
    binding('Shift H', 'keys.showLanes', 'KeyH', true, (group) => choices.showLanes(group)),
  ];
}

/** Opens the menu of a lane where its number is clicked. */
export function attachLaneMenu(view: GroupView, choices: Choices, menu: PopupMenu, scene: () => Scene, speak: Speak): void {
  view.plot.addEventListener('click', (event) => {
    const box = view.plot.getBoundingClientRect();
    const lane = event.clientX - box.left < scene().viewport.left ? laneAt(view.geometry, event.clientY - box.top) : 0;
    if (lane === 0 || view.prediction) return;
    const { id } = view.group;
    const isPinned = choices.lanesOf('pinned', id).has(lane);
    menu.openAt(event.clientX, event.clientY, speak('lanes.of', { lane }), [
      { label: speak(isPinned ? 'lanes.unpin' : 'lanes.pin'), hint: speak('lanes.pin.hint'), onChoose: () => choices.toggleLane('pinned', id, lane) },
      { label: speak('lanes.hide'), hint: speak('lanes.hide.hint'), onChoose: () => choices.toggleLane('hidden', id, lane) },
      ...(choices.lanesOf('hidden', id).size > 0 ? [{ label: speak('lanes.showAll'), hint: speak('lanes.showAll'), onChoose: () => choices.showLanes(id) }] : []),
    ], view.plot);
  });
}
