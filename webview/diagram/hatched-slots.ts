/** Up to which lane idle time is hatched at each pixel: the slots of the chunk that stands there, or all lanes of the group. */
import type { GroupTasks } from '../store/group-tasks';
import { spanEnd } from '../store/span';
import type { Slice } from './bars';
import type { Viewport } from './viewport';

/** @param ratio device pixels per CSS pixel @param width device pixels @returns the highest lane hatched at each device pixel, 0 for none */
export function hatchedSlots(group: GroupTasks, viewport: Viewport, { origin, now }: Slice, ratio: number, width: number): Uint32Array {
  const slots = new Uint32Array(width);
  const left = Math.round(viewport.left * ratio);
  const right = Math.min(width, Math.round(viewport.right * ratio));
  const inChunks = group.info?.kind === 'chunk';
  for (const span of group.frames) {
    if (span.slots === 0) continue;
    const from = Math.max(left, Math.floor(viewport.x(span.start - origin) * ratio));
    const to = Math.min(right, Math.ceil(viewport.x(spanEnd(span, now) - origin) * ratio));
    const upTo = inChunks && span.number > 0 ? span.slots : group.lanes.length;
    for (let x = from; x < to; x++) if (upTo > slots[x]) slots[x] = upTo;
  }
  return slots;
}
