/** A run's state in a few words, for the title of its panel. */
import * as vscode from 'vscode';
import type { RunState } from '../model/run';

export function panelTitle(script: string, state: RunState): string {
  return `${script}: ${phaseWords(state)}`;
}

export function phaseWords({ phase, exitCode, signal }: Pick<RunState, 'phase' | 'exitCode' | 'signal'>): string {
  switch (phase) {
    case 'starting': return vscode.l10n.t('starting');
    case 'running': return vscode.l10n.t('running');
    case 'stopped': return vscode.l10n.t('stopped');
    case 'killed': return signal === undefined ? vscode.l10n.t('killed') : vscode.l10n.t('killed by {0}', signal);
    case 'crashed': return vscode.l10n.t('crashed, exit code {0}', exitCode ?? '?');
    case 'finished': return exitCode === undefined || exitCode === 0 ? vscode.l10n.t('finished') : vscode.l10n.t('finished, exit code {0}', exitCode);
  }
}
