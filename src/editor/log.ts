/** Where errors go: whole into the log channel, and as one sentence to the user. */
import * as vscode from 'vscode';
import { Refusal } from '../session/refusal';
import { remediesOf, type Action } from './remedies';

export class Log implements vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel('Async Lanes', { log: true });
  private readonly told = new Set<string>();

  show(): void { this.channel.show(true); }

  info(message: string): void { this.channel.info(message); }

  /**
   * A refusal is told each time: the user has just asked. Anything else is an error of ours: logged each time,
   * told once, with a button that opens the log.
   */
  tell(error: unknown): void {
    if (error instanceof Refusal) {
      this.channel.warn(error.message);
      void offer(vscode.window.showWarningMessage, error.message, remediesOf(error.code));
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.channel.error(error instanceof Error ? error : message);
    // Node names files in quotes: the same error at another file is the same.
    const kind = message.replace(/'[^']*'/g, "''");
    if (this.told.has(kind)) return;
    this.told.add(kind);
    void offer(vscode.window.showErrorMessage, vscode.l10n.t('Async Lanes ran into an error: {0}', message), [
      { title: vscode.l10n.t('Show Log'), run: () => { this.show(); } },
    ]);
  }

  /** Tells something that changes what a run means, once. @param code names the buttons that help, as with a `Refusal` */
  remark(message: string, code: string): void {
    this.channel.warn(message);
    if (this.told.has(message)) return;
    this.told.add(message);
    void offer(vscode.window.showWarningMessage, message, remediesOf(code));
  }

  /** Does what an event asks for; what it throws is told. */
  readonly guard = async (work: () => unknown): Promise<void> => {
    try { await work(); } catch (error) { this.tell(error); }
  };

  dispose(): void { this.channel.dispose(); }
}

type Show = (message: string, ...buttons: string[]) => Thenable<string | undefined>;

/** Shows a message with a button for each action, and does what is chosen. */
async function offer(show: Show, message: string, actions: readonly Action[]): Promise<void> {
  const chosen = await show(message, ...actions.map((action) => action.title));
  await actions.find((action) => action.title === chosen)?.run();
}
