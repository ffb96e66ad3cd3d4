/** A run as a panel of VS Code tells of it: in the user's language, and with the terminal for where the script's own words are. */
import * as vscode from 'vscode';
import type { Notice, RunState } from '../model/run';
import type { RunSource } from '../timeline/feed';

/** The same run, its notices told for VS Code. */
export const inEditorWords = (source: RunSource): RunSource => ({
  get info() { return source.info; },
  timeline: source.timeline,
  state: () => translated(source.state()),
  now: () => source.now(),
  onDidChange: (listener) => source.onDidChange(listener),
});

function translated(state: RunState): RunState {
  const notices = state.notices.map((notice) => wordedFor(notice, state));
  if (state.phase === 'crashed' && notices.every(({ code }) => code !== 'crashed-early')) {
    notices.push({ severity: 'error', code: 'crashed', text: vscode.l10n.t('The script ended with an uncaught error; the terminal shows it.') });
  }
  return { ...state, notices };
}

/** Those that name what only VS Code has are said here; all others by the page. */
function wordedFor(notice: Notice, state: RunState): Notice {
  const text = textOf(notice, state);
  return text === undefined ? notice : { severity: notice.severity, code: notice.code, text };
}

function textOf({ code }: Notice, { exitCode }: RunState): string | undefined {
  switch (code) {
    case 'crashed-early':
      return vscode.l10n.t('The script ended with an uncaught error before any work ran at the same time; the terminal shows it.');
    case 'nothing-found':
      return vscode.l10n.t('The script ran no asynchronous work at the same time: there is nothing to draw.');
    case 'no-hello':
      return exitCode !== undefined && exitCode !== 0
        ? vscode.l10n.t('Nothing was recorded: it ended with exit code {0} before the script had begun; the terminal shows why.', exitCode)
        : vscode.l10n.t('Nothing was recorded: the script did not load the agent. The terminal shows what it did instead.');
    case 'waiting':
      return vscode.l10n.t('No Node process has started here yet. The first one that is started in the terminal, or with the copied options, shows as soon as it runs.');
    default:
      return undefined;
  }
}
