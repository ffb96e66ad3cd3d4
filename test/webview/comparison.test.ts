/** Two runs on one axis, beside the table of what differs. */
import { describe, expect, it } from 'vitest';
import { ComparedRuns, figuresOf } from '../../src/formats/comparison';
import { encodeFrame } from '../../src/model/frames';
import type { RunState } from '../../src/model/run';
import { TaskState } from '../../src/model/timeline';
import type { RunSource } from '../../src/timeline/feed';
import { Backlog } from '../../src/timeline/backlog';
import { skipWithoutBrowser } from './browser';
import { LanesPage, type OpenOptions } from './harness';
import { ScriptedRun, SITE, TASK_SITE } from './scripted-run';
import { usePages } from './use-pages';

const END: RunState = { phase: 'finished', exitCode: 0, elapsedMs: 0, complete: true, dropped: 0, sampledMs: 0, notices: [] };

/** Ten tasks in chunks of five, or, with `pool`, on five rails at a line below; from 100 ms after the run's beginning. */
function recorded({ pool = false, slower = 1, failing = false, state = {} as Partial<RunState> } = {}): RunSource {
  const run = new ScriptedRun();
  const durations = [83, 40, 20, 50, 60, 47, 24, 30, 79, 60].map((ms) => ms * slower);
  const group = run.group(pool ? { kind: 'pool', combinator: undefined, site: { ...SITE, line: 24 }, declared: 5, library: 'p-limit' } : {});
  const free = [100, 100, 100, 100, 100];
  durations.forEach((ms, k) => {
    const second = k >= 5;
    const lane = pool ? free.indexOf(Math.min(...free)) : k % 5;
    const start = pool ? free[lane] : second ? 100 + 83 * slower : 100;
    free[lane] = start + ms;
    run.task(group, { ordinal: k + 1, lane: lane + 1, chunk: pool ? 0 : second ? 2 : 1, start, end: start + ms, state: failing && k === 3 ? TaskState.rejected : TaskState.fulfilled });
  });
  const again = run.group({ kind: 'sequential', combinator: undefined, site: { ...SITE, line: 40, function: 'save' }, taskSite: { ...TASK_SITE, line: 12, function: 'write' } });
  for (let k = 0; k < 3; k++) run.task(again, { ordinal: k + 1, start: 300 + k * 30, end: 328 + k * 30 });
  const elapsedMs = 420;
  return { info: { command: ['node', 'lookup.mjs'], cwd: '/work/app', node: 'v22.1.0', timeOrigin: 1795183154804, title: 'lookup.mjs' }, timeline: run.timeline, now: () => elapsedMs, state: () => ({ ...END, elapsedMs, ...state }), onDidChange: () => ({ dispose: () => undefined }) };
}

const compare = (first: RunSource, second: RunSource): ComparedRuns => new ComparedRuns(
  { title: 'with chunks', startedAt: 1795183154804, source: first }, { title: 'lookup.mjs', startedAt: 1795183754804, source: second });

function framesOf({ source }: ComparedRuns, locale = 'en'): ArrayBuffer[] {
  const hello = new ScriptedRun().hello({ locale, run: source.info, capabilities: { stop: false, runAgain: false } });
  return [hello, encodeFrame({ type: 'delta', seq: 1, now: source.now(), state: source.state(), caughtUp: true, ...new Backlog(source.timeline).take(source.now()) })];
}

describe.skipIf(skipWithoutBrowser())('two runs beside each other', () => {
  const pages = usePages();
  let lanes: LanesPage;

  async function show(both: ComparedRuns, options: OpenOptions = {}, locale = 'en'): Promise<void> {
    lanes = await pages.open({ viewport: { width: 1200, height: 760 }, ...options });
    await lanes.send(encodeFrame(both.message(locale)));
    await lanes.show(...framesOf(both, locale));
  }
  const texts = (selector: string): Promise<string[]> => lanes.page.locator(selector).evaluateAll((all) => all.map((each) => (each.textContent ?? '').replace(/\s+/g, ' ').trim()));
  const ticks = (): Promise<string[]> => lanes.page.locator('.axis .ticks g').evaluateAll((all) => all.map((tick) => tick.getAttribute('data-time') ?? ''));

  it('stand on one axis, each from its own beginning, and are told apart in words', async () => {
    await show(compare(recorded(), recorded({ pool: true })));
    expect(await lanes.page.locator('[data-group]').evaluateAll((all) => all.map((each) => `${each.getAttribute('data-group')} ${each.querySelector('.run-badge')?.textContent} ${each.querySelector('h2')?.textContent}`)))
      .toEqual(['1 Run 1 Promise.all in chunks', '2 Run 2 Promise pool', '3 Run 1 One after another', '4 Run 2 One after another']);
    expect(await lanes.page.locator('.axis-title').textContent()).toBe('time since each run began');
    expect(await lanes.group(2).locator('.plot').getAttribute('aria-label')).toMatch(/^Diagram of Run 2 · Promise pool: 10 tasks/);
    expect(await lanes.page.locator('.overview canvas').getAttribute('aria-label')).toMatch(/^Run 1: .* 13 ended, .* Run 2: .* 13 ended, /);
    await lanes.picture('comparison 1');
  });

  it('share zoom and pan, and can be drawn from the beginning of each group', async () => {
    await show(compare(recorded(), recorded({ pool: true })));
    const before = await ticks();
    const pictures = (): Promise<string[]> => Promise.all([1, 2].map((group) => lanes.group(group).locator('.plot canvas').first().evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL())));
    const drawn = await pictures();
    await lanes.group(1).locator('.plot').focus();
    await lanes.page.keyboard.press('+');
    await lanes.settled();
    expect(await ticks()).not.toEqual(before);
    (await pictures()).forEach((picture, k) => { expect(picture).not.toBe(drawn[k]); });
    await lanes.page.getByText('Start of each run').waitFor();
    await lanes.page.getByText('Same start').click();
    await lanes.settled();
    expect(await lanes.page.locator('.axis-title').textContent()).toBe('time since each group’s first task');
    expect((await ticks())[0]).toBe('0');
  });

  it('have a table of differences, with the verdict as a word and a sign', async () => {
    await show(compare(recorded(), recorded({ pool: true, failing: true })));
    const part = '.comparison-part[data-groups="1 2"]';
    expect(await texts(`${part} .comparison-group`)).toEqual(['▾Promise.all in chunks → Promise pool (p-limit)main · lookup.mjs:24matched by its functions: the line is another']);
    expect(await texts(`${part} tr[data-measure="makespan"] > *`)).toEqual(['makespan', '162 ms', '139 ms', '−23.0 ms −14 % ▲ better']);
    expect(await texts(`${part} tr[data-measure="utilization"] > *`)).toEqual(['utilization', '61 %', '71 %', '+10 pp +17 % ▲ better']);
    expect(await texts(`${part} tr[data-measure="rejected"] > *`)).toEqual(['rejected', '0', '1', '+1 ▼ worse']);
    expect(await texts(`${part} tr[data-measure="tasks"] > *`)).toEqual(['tasks', '10', '10', '= same']);
    // The same as above the diagrams.
    expect(await lanes.group(1).locator('.figure-elapsed dd').innerText()).toBe('162 ms');
    expect(await lanes.group(2).locator('.figure-utilization dd').innerText()).toBe('71 %');
  });

  it('go from the table to a group, and open and close its measures, with the keyboard', async () => {
    await show(compare(recorded(), recorded()));
    await lanes.page.locator('.comparison-name').nth(1).focus();
    await lanes.page.keyboard.press('Enter');
    await expect.poll(() => lanes.group(3).locator('.plot').evaluate((plot) => plot === plot.ownerDocument.activeElement)).toBe(true);
    const toggle = lanes.page.locator('.comparison-toggle').first();
    await toggle.focus();
    await lanes.page.keyboard.press('Enter');
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    expect(await texts('.comparison-part[data-groups="1 2"] tr[data-measure] th')).toEqual(['makespan']);
    expect(await toggle.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  });

  it('tell the spread over all runs of the same, as a strip and in figures, and whether the two are usual', async () => {
    const both = compare(recorded(), recorded({ slower: 1.2 }));
    await show(both);
    expect(await lanes.page.locator('.strip-plot').count()).toBe(0);
    both.addRepeats('both', [0.8, 0.95, 1.1, 1.3].map((slower) => figuresOf(recorded({ slower }))));
    await lanes.send(encodeFrame(both.message('en')));
    const strip = lanes.page.locator('.comparison-part[data-groups="1 2"] tr[data-spread="both"]');
    expect(await strip.locator('.comparison-spread-words').innerText()).toBe('6 runs: 130 ms to 211 ms, median 170 ms, spread 81.0 ms (48 %)');
    expect(await strip.locator('.comparison-usual').innerText()).toContain('may be chance');
    expect(await strip.locator('circle').count()).toBe(4);
    expect(await strip.locator('.strip-first, .strip-second').count()).toBe(2);
    expect(await strip.locator('svg').getAttribute('aria-label')).toContain('6 runs: 130 ms');
    await lanes.picture('comparison 2 spread');
  });

  it('say of each run how it ended, and what is missing from it', async () => {
    await show(compare(recorded({ state: { phase: 'crashed', exitCode: 1, complete: false } }), recorded()));
    expect(await texts('.compared-run .notice')).toEqual(['Warning The recording is incomplete: the last moments before the end may be missing.']);
    expect((await texts('.compared-state'))[0]).toMatch(/^crashed with exit code 1 · 420 ms · /);
    expect(await lanes.page.locator('.page .notices').isHidden()).toBe(true);
  });

  it('speak Korean, fit into 300 pixels, and keep to high contrast', async () => {
    const both = compare(recorded(), recorded({ pool: true }));
    both.addRepeats('first', [0.8, 0.95].map((slower) => figuresOf(recorded({ slower }))));
    await show(both, { viewport: { width: 300, height: 900 }, theme: 'dark' }, 'ko');
    expect(await texts('.comparison-part tr[data-measure="makespan"] .comparison-verdict')).toEqual(['▲ 나아짐', '= 같음']);
    expect(await lanes.page.evaluate('document.documentElement.scrollWidth')).toBe(300);
    expect(await lanes.page.locator('.comparison').evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0);
    await lanes.picture('comparison 3 narrow');
    await lanes.page.setViewportSize({ width: 1100, height: 700 });
    await lanes.dress('high contrast');
    await lanes.picture('comparison 4 contrast');
  });

  it('are left at what is sound where a message is not', async () => {
    const both = compare(recorded(), recorded());
    const { runs, groups, ...rest } = both.message('en');
    lanes = await pages.open();
    const rubbish = { ...rest, runs, groups: [...groups, { first: { kind: 'nothing' } }, 'x', { second: { ...groups[0].second, makespanMs: 'long' } }] };
    await lanes.send(encodeFrame(rubbish as unknown as ReturnType<ComparedRuns['message']>));
    await lanes.show(...framesOf(both));
    expect(await lanes.page.locator('.comparison-part').count()).toBe(2);
  });
});
