/** Listens to the pointer over one group's plot. */
import type { GroupView } from './group-view';
import type { Inspector } from './inspector';
import { idleUnder, taskUnder } from './plot-lookup';
import type { Scene } from './scene';

export function attachPointer(view: GroupView, inspector: Inspector, scene: () => Scene): void {
  const { plot } = view;
  const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const box = plot.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  };
  plot.addEventListener('pointermove', (event) => {
    // While a button is held something is being dragged.
    const spot = event.buttons === 0 ? taskUnder(view, ...at(event), scene()) : undefined;
    const idle = spot || event.buttons !== 0 ? undefined : idleUnder(view, ...at(event), scene());
    if (spot) inspector.explainTask(view, spot, event.clientX, event.clientY);
    else inspector.explainIdle(view, idle, event.clientX, event.clientY);
    inspector.selection.pointAtIdle(view.group.id, idle);
  });
  plot.addEventListener('pointerleave', () => {
    inspector.tooltip.hide();
    inspector.selection.pointAtIdle(view.group.id, undefined);
  });
  plot.addEventListener('pointerdown', (event) => {
    const spot = taskUnder(view, ...at(event), scene());
    if (spot) inspector.goTo(view, spot);
  });
  plot.addEventListener('blur', () => {
    inspector.selection.blur(view.group.id);
    inspector.tooltip.hide();
  });
}
