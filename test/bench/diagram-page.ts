/** Runs beside the shipped page in a browser: hands it synthetic runs as a host would, moves its view, and measures its frames. */
import { encodeFrame } from '../../src/model/frames';
import { MAX_TASKS_PER_DELTA, PROTOCOL_VERSION, type Delta } from '../../src/model/protocol';
import { createTaskColumns, TaskState, type Group } from '../../src/model/timeline';
import { Lane } from '../../webview/store/lane';
import { TickClock } from '../../webview/store/tick-clock';

/** Milliseconds. */
const MEAN_MS = 4;
/** A bar is about so many pixels wide when zoomed in. */
const NEAR_PIXELS = 40;
const SETTLE_FRAMES = 5;
/** As the host sends them. */
const GROUPS_PER_DELTA = 4096;

export type Zoom = 'out' | 'half' | 'in';
export interface Frames { readonly intervals: number[]; readonly work: number[] }

interface BrowserPage {
  requestAnimationFrame(callback: (at: number) => void): number;
  dispatchEvent(event: Event): boolean;
  readonly document: {
    createElement(name: 'script'): { textContent: string };
    readonly body: { append(element: object): void };
    querySelector(selector: string): { dispatchEvent(event: Event): boolean; clientWidth: number; getBoundingClientRect(): { left: number; top: number; width: number } } | null;
  };
  readonly WheelEvent: new (type: string, init: object) => Event;
  /** Milliseconds the page's own callbacks took in this frame. */
  frameWork: number;
  bench: Bench;
}
const page = globalThis as unknown as BrowserPage;

/** A pool in which each rail works without a pause; one task in the middle of the run fails. */
class Workload {
  private seed = 7;
  private made = 0;
  private readonly free: Float64Array;

  constructor(private readonly lanes: number, private readonly failing: number) { this.free = new Float64Array(lanes); }

  get now(): number { return this.free.reduce((a, b) => (a > b ? a : b), 0); }
  get length(): number { return this.made; }

  take(count: number): Delta['tasks'] {
    const tasks = createTaskColumns(count);
    tasks.length = count;
    for (let i = 0; i < count; i++) {
      this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
      const lane = this.made % this.lanes;
      this.made++;
      tasks.id[i] = tasks.ordinal[i] = this.made;
      tasks.group[i] = 1;
      tasks.lane[i] = lane + 1;
      tasks.queued[i] = NaN;
      tasks.start[i] = this.free[lane];
      tasks.end[i] = this.free[lane] += MEAN_MS * (0.25 + (1.5 * this.seed) / 2 ** 32);
      tasks.state[i] = this.made === this.failing ? TaskState.rejected : TaskState.fulfilled;
    }
    return tasks;
  }
}

class Bench {
  private workload = new Workload(1, 0);
  private lanes = 1;
  private seq = 0;

  /** @returns milliseconds from the first message to the first whole picture */
  async load(lanes: number, count: number): Promise<number> {
    this.workload = new Workload(lanes, count >> 1);
    this.lanes = lanes;
    this.seq = 0;
    let spent = 0;
    this.greet();
    while (this.workload.length < count) {
      const tasks = this.workload.take(Math.min(MAX_TASKS_PER_DELTA, count - this.workload.length));
      const begun = performance.now();
      this.deliver(tasks, false, this.workload.length >= count);
      spent += performance.now() - begun;
    }
    const begun = performance.now();
    // The frame that draws the tasks, and one for the screen.
    while (!page.document.querySelector('.group[data-detail]')) await frame();
    await frame();
    return spent + performance.now() - begun;
  }

  /** The page is made anew and filled, as when a hidden panel is shown again. @param script of the page @returns milliseconds from its script to the first whole picture */
  async comeBack(script: string, lanes: number, count: number): Promise<number> {
    this.workload = new Workload(lanes, count >> 1);
    this.lanes = lanes;
    const portions: Delta['tasks'][] = [];
    while (this.workload.length < count) portions.push(this.workload.take(Math.min(MAX_TASKS_PER_DELTA, count - this.workload.length)));
    await frame();
    const begun = performance.now();
    const element = page.document.createElement('script');
    element.textContent = script;
    page.document.body.append(element);
    this.greet();
    portions.forEach((tasks, i) => this.deliver(tasks, false, i === portions.length - 1));
    while (!page.document.querySelector('.group[data-detail]')) await frame();
    await frame();
    return performance.now() - begun;
  }

  /** A run of very many groups of two tasks each. @returns milliseconds spent in the page's hands until the first whole picture */
  async loadGroups(count: number): Promise<number> {
    this.workload = new Workload(2, 0);
    this.lanes = 2;
    this.seq = 0;
    let spent = 0;
    this.greet();
    for (let first = 1; first <= count; first += GROUPS_PER_DELTA) {
      const size = Math.min(GROUPS_PER_DELTA, count - first + 1);
      const tasks = this.workload.take(2 * size);
      const groups = Array.from({ length: size }, (_, i): Group => groupOf(first + i, 'all', 2, 2, tasks.start[2 * i], tasks.end[2 * i + 1], false));
      for (let row = 0; row < tasks.length; row++) tasks.group[row] = first + (row >> 1);
      const begun = performance.now();
      this.send(tasks, groups, false, first + size > count);
      spent += performance.now() - begun;
    }
    const begun = performance.now();
    while (!page.document.querySelector('.group[data-detail]')) await frame();
    await frame();
    return spent + performance.now() - begun;
  }

  /** Another group comes with every frame. */
  liveGroups(count: number): Promise<Frames> {
    let id = 1e6;
    return this.watch(count, () => {
      const tasks = this.workload.take(2);
      id++;
      tasks.group.fill(id);
      this.send(tasks, [groupOf(id, 'all', 2, 2, tasks.start[0], tasks.end[1], true)], true, true);
    });
  }

  /** Frames in which nothing happens. */
  calm(count: number): Promise<Frames> { return this.watch(count, () => undefined); }

  /** Moves the view to and fro and watches its frames. */
  async frames(zoom: Zoom, count: number): Promise<Frames> {
    const plot = this.plot();
    const perTask = (plot.clientWidth * MEAN_MS) / this.workload.now;
    this.wheel({ deltaY: 1e4, ctrlKey: true });
    await frame();
    const factor = zoom === 'out' ? 1 : zoom === 'half' ? 2 : Math.max(2, NEAR_PIXELS / perTask);
    this.wheel({ deltaY: -50 * Math.log2(factor), ctrlKey: true });
    for (let i = 0; i < SETTLE_FRAMES; i++) await frame();
    return this.watch(count, (i) => {
      if (zoom === 'out') this.wheel({ deltaY: i % 2 === 0 ? -2 : 2, ctrlKey: true });
      else this.wheel({ deltaX: i % 40 < 20 ? 12 : -12, shiftKey: true });
    });
  }

  /** New tasks come in with every frame while all is shown. @param rate tasks a second */
  async live(rate: number, count: number): Promise<Frames> {
    this.wheel({ deltaY: 1e4, ctrlKey: true });
    let last = performance.now();
    return this.watch(count, () => {
      const now = performance.now();
      const tasks = this.workload.take(Math.min(MAX_TASKS_PER_DELTA, Math.max(1, Math.round((rate * (now - last)) / 1000))));
      last = now;
      this.deliver(tasks, true, true);
    });
  }

  /** Nanoseconds to find the task at a random moment of a lane of a million. */
  hit(): number {
    const clock = new TickClock();
    const lane = new Lane(clock);
    const count = 1_000_000;
    const end = count * MEAN_MS;
    if (!clock.holds(0, end)) clock.widen(0, end);
    for (let i = 0; i < count; i++) lane.insert(i + 1, i * MEAN_MS, (i + 1) * MEAN_MS, 1);
    const tries = 200_000;
    let found = 0;
    const begun = performance.now();
    for (let i = 0; i < tries; i++) if (lane.at(((i * 7919) % count) * MEAN_MS + 1, end) >= 0) found++;
    const spent = performance.now() - begun;
    if (found !== tries) throw new Error(`hit ${found} of ${tries}`);
    return (spent / tries) * 1e6;
  }

  private async watch(count: number, move: (i: number) => void): Promise<Frames> {
    const frames: Frames = { intervals: [], work: [] };
    let last = await frame();
    for (let i = 0; i < count + SETTLE_FRAMES; i++) {
      const begun = performance.now();
      move(i);
      const moved = performance.now() - begun;
      page.frameWork = 0;
      const at = await frame();
      if (i >= SETTLE_FRAMES) {
        frames.intervals.push(at - last);
        frames.work.push(page.frameWork + moved);
      }
      last = at;
    }
    return frames;
  }

  private deliver(tasks: Delta['tasks'], running: boolean, caughtUp: boolean): void {
    const { now, length } = this.workload;
    this.send(tasks, [groupOf(1, 'pool', this.lanes, length, 0, now, running)], running, caughtUp);
  }

  private greet(): void {
    this.say(encodeFrame({
      type: 'hello', protocol: PROTOCOL_VERSION, locale: 'en', capabilities: { stop: false, runAgain: false, openSource: false, saveFile: false }, firstLane: 'bottom',
      run: { command: ['bench'], cwd: '/', node: 'v22.0.0', timeOrigin: 0, title: 'bench' },
    }));
  }

  private send(tasks: Delta['tasks'], groups: readonly Group[], running: boolean, caughtUp: boolean): void {
    const { now } = this.workload;
    this.say(encodeFrame({
      type: 'delta', seq: ++this.seq, now, caughtUp, groups, removed: [], labels: [], tasks,
      state: { phase: running ? 'running' : 'finished', elapsedMs: now, complete: true, dropped: 0, sampledMs: 0, notices: [] },
    }));
  }

  private say(data: ArrayBuffer): void { page.dispatchEvent(new MessageEvent('message', { data })); }

  private wheel(change: object): void {
    const plot = this.plot();
    const box = plot.getBoundingClientRect();
    plot.dispatchEvent(new page.WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: box.left + box.width / 2, clientY: box.top + 60, ...change }));
  }

  private plot(): NonNullable<ReturnType<BrowserPage['document']['querySelector']>> {
    const plot = page.document.querySelector('.plot');
    if (!plot) throw new Error('the page draws no group');
    return plot;
  }
}

const groupOf = (id: number, kind: Group['kind'], lanes: number, tasks: number, start: number, end: number, running: boolean): Group => ({
  id, thread: 1, kind, peak: lanes, lanes, start, end: running ? undefined : end, status: running ? 'pending' : 'fulfilled',
  taskCount: tasks, fulfilled: tasks - 1, rejected: 1, pending: 0, metrics: { makespanMs: end - start, busyMs: (end - start) * lanes, idleMs: 0, utilization: 1 },
});
const frame = (): Promise<number> => new Promise((resolve) => { page.requestAnimationFrame(resolve); });
page.bench = new Bench();
