// What every peer's page offers the driver: how long loading takes up to its first picture, and its frames while the view moves.
import { makeTasks } from './workload.js';

const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });

/** @param show draws all tasks @param zoom shows the stretch from 0 to `end` ms */
export function offer(show, zoom) {
  let last = 0;
  window.peer = {
    /** @returns milliseconds until the frame after the one that holds the first picture */
    async load(lanes, count) {
      const tasks = makeTasks(lanes, count);
      last = tasks.last;
      const begun = performance.now();
      await show(tasks);
      await frame();
      await frame();
      return performance.now() - begun;
    },
    /** @param most frames @param limit milliseconds after which no more are waited for @returns their lengths, ms */
    async frames(most, limit) {
      const lengths = [];
      const begun = performance.now();
      let before = await frame();
      for (let i = 0; i < most && performance.now() - begun < limit; i++) {
        zoom(last * (i % 2 === 0 ? 0.97 : 1));
        const at = await frame();
        lengths.push(at - before);
        before = at;
      }
      return lengths;
    },
  };
}
