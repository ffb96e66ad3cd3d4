/** Listens to the pointer over one group's plot. */
import { bandFacts } from '../bands/bands';
import type { GroupView } from './group-view';
import type { Inspector } from './inspector';
import { idleUnder, taskUnder } from './plot-lookup';
import type { Scene } from './scene';
import { originOf } from './time-range';
import type { CardFacts } from './card-facts';

/** @param openTask shows the source of a group's tasks; undefined where the host cannot */
export function attachPointer(view: GroupView, inspector: Inspector, scene: () => Scene, openTask: ((group: number) => void) | undefined): void {
  const { plot } = view;
  const at = ({ clientX, clientY }: MouseEvent): [number, number] => {
    const box = plot.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  };
  plot.addEventListener('pointermove', (event) => {
    // While a button is held something is being dragged.
    const spot = event.buttons === 0 ? taskUnder(view, ...at(event), scene()) : undefined;
    const idle = spot || event.buttons !== 0 ? undefined : idleUnder(view, ...at(event), scene());
    const band = event.buttons === 0 ? bandUnder(view, ...at(event), scene()) : undefined;
    if (band) inspector.tooltip.show(band, event.clientX, event.clientY);
    else if (spot) inspector.explainTask(view, spot, event.clientX, event.clientY);
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
  plot.addEventListener('click', (event) => {
    const spot = taskUnder(view, ...at(event), scene());
    if (spot && event.detail === 1) inspector.pin(view, spot, event.clientX, event.clientY);
  });
  plot.addEventListener('dblclick', (event) => {
    if (openTask && taskUnder(view, ...at(event), scene())) openTask(view.group.id);
  });
  plot.addEventListener('blur', () => {
    inspector.selection.blur(view.group.id);
    inspector.tooltip.hide();
  });
}

/** Pixels beside a short band that count as its own. */
const REACH = 3;

/** A band is asked for at its cap; over the lanes the pointer asks for tasks. */
function bandUnder({ group, geometry }: GroupView, x: number, y: number, { viewport, align, activity, speak }: Scene): CardFacts | undefined {
  if (!group.info || y < geometry.frameTop || y >= geometry.rowsTop || x < viewport.left || x > viewport.right) return undefined;
  return bandFacts(activity, group.info, viewport.time(x), REACH / viewport.scale, originOf(group.info, align), speak);
}
