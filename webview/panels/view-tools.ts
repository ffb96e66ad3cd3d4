/** How bars are coloured and lanes sorted, the way to the search, and what can be taken away. */
import type { Choices } from '../choices';
import { makeSelect } from '../controls/select';
import { makeSign } from '../controls/toolkit';
import { LANE_SORTS, type LaneSort } from '../diagram/lane-order';
import { COLOR_BY, type ColorBy } from '../diagram/shading';
import { element, setHidden } from '../dom';
import type { Speak } from '../words/speak';

export class ViewTools {
  readonly element = element('div', 'view-tools');
  private readonly color;
  private readonly sort;

  constructor(speak: Speak, private readonly choices: Choices, onOutline: () => void, onSearch: () => void, ...menus: readonly HTMLElement[]) {
    this.color = makeSelect<ColorBy>({
      label: speak('color.label'), hint: speak('color.hint'), choices: COLOR_BY.map((value) => ({ value, label: speak(`color.${value}`) })), onChoose: (colorBy) => choices.set({ colorBy }),
    });
    this.sort = makeSelect<LaneSort>({
      label: speak('lanes.label'), hint: speak('lanes.hint'), choices: LANE_SORTS.map((value) => ({ value, label: speak(`lanes.${value}`) })), onChoose: (sort) => choices.set({ sort }),
    });
    this.element.append(makeSign({ icon: 'outline', hint: speak('outline.toggle'), onPress: onOutline }), this.color.element, this.sort.element,
      makeSign({ icon: 'turn', hint: speak('lanes.turn'), onPress: () => choices.set({ firstLane: choices.firstLane === 'top' ? 'bottom' : 'top' }) }),
      makeSign({ icon: 'search', hint: speak('search.open'), onPress: onSearch }), ...menus);
  }

  update(groups: number): void {
    setHidden(this.element, groups === 0);
    const { colorBy = 'outcome', sort = 'number' } = this.choices.now;
    this.color.show(colorBy);
    this.sort.show(sort);
  }
}
