/** *Open Teaching Demo…*: which one. */
import * as vscode from 'vscode';
import { loadDemos } from '../session/demos';
import { aboutDemo } from './demo-words';
import type { Runs } from './runs';

/** Opens the lesson of a demo, or asks which one. @throws Refusal where there are none */
export async function openDemo(runs: Runs, dist: string, name?: string): Promise<void> {
  const demos = loadDemos(dist);
  const chosen = demos.find((demo) => demo.name === name)?.name
    ?? (await vscode.window.showQuickPick(demos.map((demo) => ({ label: demo.name, detail: aboutDemo(demo) })), { title: vscode.l10n.t('Open a teaching demo'), matchOnDetail: true }))?.label;
  if (chosen !== undefined) runs.openDemo(chosen);
}
