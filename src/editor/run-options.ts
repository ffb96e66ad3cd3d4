/** What the user has set for one target, remembered in the workspace: arguments, folder, environment, and what it reads. */
import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { splitWords } from '../session/command-words';
import { cwdOf } from './script';
import { idOf, titleOf, type Target } from './target';

export interface RunOptions {
  readonly args: readonly string[];
  /** Absolute path; missing: the target's own. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the file it reads as its input; missing: the terminal. */
  readonly stdin?: string;
}

/** As the user typed it. */
interface Typed { readonly args: string; readonly cwd: string; readonly env: string; readonly stdin: string }

const NOTHING: Typed = { args: '', cwd: '', env: '', stdin: '' };

export class RunOptionsStore {
  constructor(private readonly memory: vscode.Memento) {}

  of(target: Target): RunOptions {
    const { args, cwd, env, stdin } = this.typed(target);
    const folder = resolve(cwdOf(target), cwd);
    return {
      args: splitWords(args), cwd: cwd === '' ? undefined : folder, stdin: stdin === '' ? undefined : resolve(folder, stdin),
      env: Object.fromEntries(splitWords(env).flatMap((pair) => (/^[\w.-]+=/.test(pair) ? [[pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]] : []))),
    };
  }

  /** Asks for the options, one after the other. @returns false where the user thought better of it */
  async ask(target: Target): Promise<boolean> {
    const before = this.typed(target);
    const title = titleOf(target);
    const args = await vscode.window.showInputBox({ title: vscode.l10n.t('{0}: arguments (1 of 4)', title), value: before.args, prompt: vscode.l10n.t('As in a terminal; quotes keep spaces together.'), ignoreFocusOut: true });
    if (args === undefined) return false;
    const cwd = await vscode.window.showInputBox({ title: vscode.l10n.t('{0}: folder to run in (2 of 4)', title), value: before.cwd, placeHolder: cwdOf(target), prompt: vscode.l10n.t('Empty: {0}', cwdOf(target)), ignoreFocusOut: true });
    if (cwd === undefined) return false;
    const env = await vscode.window.showInputBox({ title: vscode.l10n.t('{0}: environment variables (3 of 4)', title), value: before.env, placeHolder: 'NAME=value OTHER="two words"', prompt: vscode.l10n.t('Set on top of those of the terminal.'), ignoreFocusOut: true });
    if (env === undefined) return false;
    const stdin = await vscode.window.showInputBox({ title: vscode.l10n.t('{0}: file to read as input (4 of 4)', title), value: before.stdin, placeHolder: 'input.txt', prompt: vscode.l10n.t('From the folder it runs in. Empty: what is typed into the terminal.'), ignoreFocusOut: true });
    if (stdin === undefined) return false;
    const typed: Typed = { args: args.trim(), cwd: cwd.trim(), env: env.trim(), stdin: stdin.trim() };
    await this.memory.update(keyOf(target), Object.values(typed).every((each) => each === '') ? undefined : typed);
    return true;
  }

  private typed(target: Target): Typed {
    const kept = this.memory.get<unknown>(keyOf(target));
    if (typeof kept !== 'object' || kept === null) return NOTHING;
    const { args, cwd, env, stdin } = kept as Readonly<Record<string, unknown>>;
    return { args: textOf(args), cwd: textOf(cwd), env: textOf(env), stdin: textOf(stdin) };
  }
}

const keyOf = (target: Target): string => `options ${idOf(target)}`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
