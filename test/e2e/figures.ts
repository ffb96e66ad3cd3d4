/** The figures beside the diagrams, as the panel shows them and as a report says they should be. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import type { ReportGroup } from '../../src/model/report';
import { formatCount, formatMs, formatShare } from '../../webview/format';

export type Figures = Readonly<Record<string, string>>;

/** The figures of every group, in the order the panel shows them; those it hides are left out. */
export function panelFigures(panel: FrameLocator): Promise<Figures[]> {
  return panel.locator('.figures').evaluateAll((lists) => lists.map((list) => Object.fromEntries(
    [...list.querySelectorAll('.figure')].filter((figure) => !(figure as unknown as { hidden: boolean }).hidden)
      .map((figure) => [figure.className.replace('figure figure-', ''), figure.querySelector('dd')?.textContent ?? '']))));
}

/** What the panel has to show of a group that is over. */
export function shownFigures({ metrics, taskCount, rejected, lanes, declared, chunks }: ReportGroup): Figures {
  return {
    elapsed: formatMs(metrics.makespanMs), tasks: formatCount(taskCount),
    ...rejected > 0 ? { rejected: formatCount(rejected) } : {},
    lanes: formatCount(lanes),
    ...declared !== null && declared !== lanes ? { limit: formatCount(declared) } : {},
    ...chunks !== null ? { chunks: formatCount(chunks) } : {},
    busy: formatMs(metrics.busyMs), idle: formatMs(metrics.idleMs),
    // The report has rounded it: rounding 0.695 again would say 70 % of what is 69.48 %.
    utilization: formatShare(metrics.busyMs / (metrics.busyMs + metrics.idleMs)),
  };
}

/** Absolute path of the newest recording below a server's folder of storage. */
export function lastRecording(userData: string): string {
  const storage = join(userData, 'User', 'workspaceStorage');
  const runs = readdirSync(storage).flatMap((id) => {
    const folder = join(storage, id, 'async-lanes.async-lanes', 'runs');
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
  const last = runs.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1);
  if (last === undefined) throw new Error(`nothing was recorded below ${storage}`);
  return last;
}
