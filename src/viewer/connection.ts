/** One view in a browser: a WebSocket on one side, a feed on the other. */
import type { WebSocket } from 'ws';
import type { Values } from '../model/demos';
import { encodeFrame, parseFromView } from '../model/frames';
import type { FromView, Lesson } from '../model/protocol';
import { ViewFeed, type RunSource } from '../timeline/feed';

/** What a view may ask of its host; what is not there is offered to nobody. */
export interface ViewerActions {
  readonly stop?: () => void;
  /** The lesson told beside the runs, as it stands; undefined where there is none. */
  readonly lesson?: () => Lesson | undefined;
  /** Runs the demo of the lesson. @param values as the page sent them */
  readonly runDemo?: (values: Values) => void;
}

export class ViewerConnection {
  private feed: ViewFeed;
  /** True once the view has asked for its run. */
  private asked = false;

  constructor(private readonly socket: WebSocket, run: RunSource, private readonly actions: ViewerActions, private readonly locale: string) {
    this.feed = this.feedOf(run);
    socket.on('message', (data, isBinary) => {
      const message = isBinary || !Buffer.isBuffer(data) ? undefined : parseFromView(parseJson(data.toString('utf8')));
      if (message) this.receive(message); else socket.close(1008, 'not a message of a view');
    });
    // An error is followed by a close, which ends the connection; unheard it would end the process.
    socket.on('error', () => { socket.terminate(); });
  }

  get isDrained(): boolean { return this.feed.isDrained; }

  /** Shows another run in place of the one before. */
  show(run: RunSource): void {
    this.feed.dispose();
    this.feed = this.feedOf(run);
    if (this.asked) this.feed.receive({ type: 'ready' });
  }

  tellLesson(): void {
    const lesson = this.actions.lesson?.();
    if (lesson && this.asked) this.send(encodeFrame(lesson));
  }

  dispose(): void {
    this.feed.dispose();
    this.socket.terminate();
  }

  private receive(message: FromView): void {
    if (message.type === 'ready') {
      this.asked = true;
      this.tellLesson();
    }
    if (this.feed.receive(message)) return;
    if (message.type === 'stop') this.actions.stop?.();
    else if (message.type === 'runDemo') this.actions.runDemo?.(message.values);
  }

  private feedOf(run: RunSource): ViewFeed {
    return new ViewFeed(run, { send: (frame) => { this.send(frame); } }, {
      locale: this.locale, capabilities: { stop: this.actions.stop !== undefined, runAgain: false, openSource: false, saveFile: false },
    });
  }

  private send(frame: ArrayBuffer): void { this.socket.send(new Uint8Array(frame)); }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
