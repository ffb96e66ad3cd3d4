/** How the shared time axis is shown: alignment and zoom. */
import { makeChoice, makeSign, type Choice } from '../controls/toolkit';
import { element, setHidden } from '../dom';
import type { Align } from '../diagram/time-range';
import type { Zooming } from '../diagram/zooming';
import type { Speak } from '../words/speak';

export class Tools {
  readonly element = element('div', 'tools');
  private readonly choice: Choice<Align>;

  constructor(private readonly speak: Speak, zooming: Zooming, onAlign: (align: Align) => void) {
    this.choice = makeChoice<Align>({
      label: speak('tools.label'), onChoose: onAlign,
      choices: [
        { value: 'same', label: speak('tools.sameStart'), hint: speak('tools.sameStart.hint') },
        { value: 'wall', label: speak('tools.wallClock'), hint: speak('tools.wallClock.hint') },
      ],
    });
    const zoom = element('span', 'zoom',
      makeSign({ icon: 'less', hint: speak('tools.zoomOut'), onPress: () => zooming.zoomBy(-1) }),
      makeSign({ icon: 'more', hint: speak('tools.zoomIn'), onPress: () => zooming.zoomBy(1) }),
      makeSign({ icon: 'fit', hint: speak('tools.fit'), onPress: () => zooming.fit() }));
    zoom.title = speak('tools.keys');
    this.element.append(this.choice.element, zoom);
  }

  /** @param isAlone no other group to be lined up with @param areTwoRuns the groups are of two runs, each with a beginning of its own */
  update(align: Align, groups: number, isAlone: boolean, areTwoRuns: boolean): void {
    if (areTwoRuns) this.choice.rename('wall', this.speak('tools.eachRun'), this.speak('tools.eachRun.hint'));
    setHidden(this.element, groups === 0);
    setHidden(this.choice.element, isAlone);
    this.choice.show(align);
  }
}
