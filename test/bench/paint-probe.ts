/** Runs inside the panel's page: notes when the end of each task had been painted. Bundled alone, evaluated there. */
import { decodeFrame } from '../../src/model/frames';

/** One settled task: when it settled and when that was on the screen, both epoch milliseconds. */
export interface Painted { readonly settled: number; readonly painted: number }

interface Page {
  dispatchEvent(event: Event): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  requestAnimationFrame(callback: () => void): void;
  lanesPainted: Painted[];
}
const page = globalThis as unknown as Page;
page.lanesPainted = [];
const seen = new Set<number>();
/** Epoch milliseconds; what settled before it came to the page as something old. */
const since = performance.timeOrigin + performance.now() + 1000;
let timeOrigin: number | undefined;

page.addEventListener('message', ({ data }) => {
  if (!(data instanceof ArrayBuffer)) return;
  const message = decodeFrame(data);
  if (message.type === 'hello') {
    timeOrigin = message.run.timeOrigin;
    seen.clear();
    return;
  }
  if (message.type !== 'delta') return;
  const { tasks } = message;
  const settled: number[] = [];
  for (let row = 0; row < tasks.length; row++) {
    if (Number.isNaN(tasks.end[row]) || seen.has(tasks.id[row])) continue;
    seen.add(tasks.id[row]);
    if (timeOrigin !== undefined && timeOrigin + tasks.end[row] > since) settled.push(timeOrigin + tasks.end[row]);
  }
  if (settled.length === 0) return;
  // The page has asked for its frame in its own listener, before this one: it draws in the next frame, and the frame
  // after that begins once those pixels are out.
  page.requestAnimationFrame(() => page.requestAnimationFrame(() => {
    const painted = performance.timeOrigin + performance.now();
    for (const at of settled) page.lanesPainted.push({ settled: at, painted });
  }));
});
// The page has had its hello, with the clock in it, before the probe came. On a message it cannot read it asks for another one.
page.dispatchEvent(new MessageEvent('message', { data: new ArrayBuffer(1) }));
