/** A panel: a page, and the feed that serves it the run it shows. Another run can take its place. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Values } from '../model/demos';
import type { Comparison } from '../model/comparison';
import { encodeFrame, parseFromView } from '../model/frames';
import { pageHtml } from '../model/page';
import { assertUnreachable, type FromView, type Lesson, type Pointer, type Rest } from '../model/protocol';
import { ViewFeed, type RunSource } from '../timeline/feed';
import { inEditorWords } from './editor-words';
import { NAMESPACE, Setting } from './ids';
import type { Log } from './log';
import { saveFile } from './save-file';
import { openSite } from './source';
import { panelTitle } from './titles';

/** What a panel asks of whoever owns its runs; what is missing, its page does not offer. */
export interface PanelHost {
  stop?(): unknown;
  runAgain?(): unknown;
  /** Runs the demo of the panel's lesson. @param values as the page sent them */
  runDemo?(values: Values): unknown;
  /** The lesson told beside the runs, as it stands; undefined where there is none. */
  lesson?(): Lesson | undefined;
  /** What differs between the two runs that are shown at once. */
  comparison?(): Comparison;
}

export interface PanelOptions {
  /** Folder of the bundles: all that the page may load. */
  readonly dist: vscode.Uri;
  /** Kept by VS Code with the panel; names what ran when the panel is restored. */
  readonly key: string;
  readonly title: string;
  readonly log: Log;
  /** Its title is not the state of a run: it is the name of a file, or of two runs. */
  readonly keepsTitle?: boolean;
}

/** A panel keeps its page while it is hidden: it is there again at once. What that costs is bounded by the page, which rests. */
export const KEPT_WHILE_HIDDEN: vscode.WebviewPanelOptions = { retainContextWhenHidden: true };

/** The panel itself is VS Code's: it stays, to be restored, when the extension goes. */
export class RunPanel implements vscode.Disposable {
  private feed: ViewFeed | undefined;
  private source: RunSource | undefined;
  private watch: vscode.Disposable | undefined;
  private readonly subscriptions: vscode.Disposable[];
  /** True once the page has asked for its run at least once. */
  private asked = false;
  private isResting: boolean;
  /** A group to bring into sight as soon as the page has asked. */
  private wantedGroup: number | undefined;

  constructor(private readonly panel: vscode.WebviewPanel, private readonly host: PanelHost, private readonly options: PanelOptions) {
    const { webview } = panel;
    this.isResting = !panel.visible;
    webview.options = { enableScripts: true, localResourceRoots: [options.dist] };
    panel.iconPath = vscode.Uri.joinPath(options.dist, '..', 'media', 'icon.png');
    if (!options.keepsTitle) panel.title = options.title;
    this.subscriptions = [
      webview.onDidReceiveMessage((message: unknown) => options.log.guard(() => this.receive(message))),
      panel.onDidChangeViewState(() => { this.tellRest(); }),
    ];
    webview.html = pageHtml({
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(options.dist, 'webview.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(options.dist, 'webview.css')).toString(),
      nonce: randomBytes(16).toString('hex'), cspSource: webview.cspSource, locale: vscode.env.language, title: options.title, panel: options.key,
    });
  }

  get isActive(): boolean { return this.panel.active; }

  close(): void { this.panel.dispose(); }

  reveal(): void { this.panel.reveal(undefined, true); }

  /** Shows a run, in place of the one before. */
  show(source: RunSource): void {
    this.leave();
    this.source = source;
    this.feed = new ViewFeed(inEditorWords(source), { send: (frame) => { void this.panel.webview.postMessage(frame); } },
      { locale: vscode.env.language, capabilities: { stop: this.host.stop !== undefined, runAgain: this.host.runAgain !== undefined, openSource: true, saveFile: true }, firstLane: firstLane() });
    const name = (): void => {
      if (this.options.keepsTitle) return;
      const title = panelTitle(this.options.title, source.state());
      // Each assignment is a message to the window.
      if (this.panel.title !== title) this.panel.title = title;
    };
    this.feed.rest(this.isResting);
    this.watch = source.onDidChange(name);
    name();
    if (this.asked) this.feed.receive({ type: 'ready' });
  }

  /** Brings a group into sight; before the page has its run, as soon as it has. */
  showGroup(group: number): void {
    this.wantedGroup = group;
    if (this.asked) this.pointToGroup();
  }

  /** Tells the lesson as it stands, where there is one. */
  tellLesson(): void {
    const lesson = this.host.lesson?.();
    if (lesson && this.asked) void this.panel.webview.postMessage(encodeFrame(lesson));
  }

  /** Tells what differs between two runs, where two are shown. */
  tellComparison(): void {
    const comparison = this.host.comparison?.();
    if (comparison && this.asked) void this.panel.webview.postMessage(encodeFrame(comparison));
  }

  /** Shows the tasks of a line of source. @param line 1-based */
  showTasksOf(file: string, line: number): void { this.feed?.showPlace({ file, line }); }

  dispose(): void {
    this.leave();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private pointToGroup(): void {
    if (this.wantedGroup !== undefined) void this.panel.webview.postMessage({ type: 'showGroup', group: this.wantedGroup } satisfies Pointer);
    this.wantedGroup = undefined;
  }

  private tellRest(): void {
    const isResting = !this.panel.visible;
    if (isResting === this.isResting) return;
    this.isResting = isResting;
    this.feed?.rest(isResting);
    void this.panel.webview.postMessage({ type: 'rest', isResting } satisfies Rest);
  }

  private leave(): void {
    this.watch?.dispose();
    this.feed?.dispose();
  }

  private receive(message: unknown): unknown {
    const parsed = parseFromView(message);
    if (!parsed) return undefined;
    if (parsed.type === 'ready') {
      this.asked = true;
      this.tellLesson();
      this.tellComparison();
    }
    const isTaken = this.feed?.receive(parsed) === true;
    if (parsed.type === 'ready') this.pointToGroup();
    return isTaken ? undefined : this.act(parsed);
  }

  private act(message: FromView): unknown {
    switch (message.type) {
      case 'ready': case 'ack': return undefined;
      case 'stop': return this.host.stop?.();
      case 'runAgain': return this.host.runAgain?.();
      case 'runDemo': return this.host.runDemo?.(message.values);
      case 'openSource': {
        const facts = this.source?.timeline.factsOf(message.group);
        return openSite(message.what === 'task' ? facts?.taskSite : facts?.site);
      }
      case 'saveFile': return saveFile(message.name, message.data, this.source?.info.cwd);
      default: return assertUnreachable(message);
    }
  }
}

const firstLane = (): 'bottom' | 'top' => (vscode.workspace.getConfiguration(NAMESPACE).get<string>(Setting.firstLane) === 'top' ? 'top' : 'bottom');
