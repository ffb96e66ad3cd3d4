/**
 * Below a group: requests its process had in libuv's thread pool, in work up to the pool's threads and queued beyond them.
 * Node does not tell which request a thread of the pool works on, so the split is inferred, and says so.
 */
import type { Group } from '../../src/model/timeline';
import { makeBrush, type Brush } from '../diagram/brush';
import { GUTTER } from '../diagram/geometry';
import type { Scene } from '../diagram/scene';
import { originOf } from '../diagram/time-range';
import { element, setHidden } from '../dom';
import { formatCount } from '../format';
import type { Stretches, ThreadActivity } from '../store/thread-activity';

const HEIGHT = 40;
const TOP = 14;
const BOTTOM = 38;

export class RequestsStrip {
  readonly element = element('div', 'requests');
  private readonly canvas = element('canvas');
  private drawn = '';

  constructor() {
    this.canvas.setAttribute('role', 'img');
    this.element.append(this.canvas);
    setHidden(this.element, true);
  }

  /** Pixels it takes. @param group whose process is asked */
  heightFor(activity: ThreadActivity, group: Group | undefined): number {
    const has = group !== undefined && activity.requests(group.thread) !== undefined;
    setHidden(this.element, !has);
    return has ? HEIGHT : 0;
  }

  draw(group: Group, scene: Scene): void {
    const pool = this.element.hidden ? undefined : scene.activity.requests(group.thread);
    const { viewport, align, palette, speak, now } = scene;
    const origin = originOf(group, align);
    const state = `${scene.activity.version} ${viewport.version} ${origin} ${devicePixelRatio} ${palette.background}`;
    if (!pool || state === this.drawn) return;
    this.drawn = state;
    const width = viewport.right + GUTTER;
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(HEIGHT * devicePixelRatio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${HEIGHT}px`;
    const brush = makeBrush(this.canvas, palette, devicePixelRatio);
    if (!brush) return;
    brush.context.scale(devicePixelRatio, devicePixelRatio);
    const loads = Array.from({ length: Math.max(0, Math.floor(viewport.width)) }, (_, i) => {
      const from = viewport.time(viewport.left + i) + origin;
      return from > now ? 0 : pool.threads.reduce((sum, thread) => sum + mostIn(thread, from, viewport.time(viewport.left + i + 1) + origin), 0);
    });
    const most = loads.reduce((a, b) => Math.max(a, b), 0);
    drawLoads(brush, loads, Math.max(pool.limit, most), pool.limit, viewport.left);
    const values = { working: formatCount(Math.min(most, pool.limit)), threads: formatCount(pool.limit), queued: formatCount(Math.max(0, most - pool.limit)) };
    write(brush, speak('requests.label', values), viewport.left);
    this.canvas.setAttribute('aria-label', speak('requests.label', values));
  }
}

/** The most requests at once in a stretch. */
export function mostIn(requests: Stretches, from: number, to: number): number {
  let i = requests.firstEndingAfter(from);
  let most = i > 0 ? requests.count[i - 1] : 0;
  for (; i < requests.length && requests.start[i] < to; i++) {
    if (requests.most[i] > most) most = requests.most[i];
    if (requests.end[i] <= to && requests.count[i] > most) most = requests.count[i];
  }
  return most;
}

function drawLoads({ context, palette, hatching }: Brush, loads: readonly number[], scale: number, limit: number, left: number): void {
  const y = (load: number): number => BOTTOM - (scale > 0 ? (load / scale) * (BOTTOM - TOP) : 0);
  const ink = palette.outlined ? palette.bars.fulfilled.line : palette.bars.fulfilled.fill;
  loads.forEach((load, i) => {
    if (load === 0) return;
    context.fillStyle = ink;
    context.fillRect(left + i, y(Math.min(load, limit)), 1, BOTTOM - y(Math.min(load, limit)));
    if (load <= limit) return;
    context.fillStyle = hatching.idle;
    context.fillRect(left + i, y(load), 1, y(limit) - y(load));
  });
  context.strokeStyle = palette.label;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(left, Math.round(y(limit)) + 0.5);
  context.lineTo(left + loads.length, Math.round(y(limit)) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

function write({ context, palette }: Brush, text: string, left: number): void {
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';
  context.fillStyle = palette.label;
  context.fillText(text, left, 6);
}
