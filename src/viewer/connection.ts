/** One view in a browser: a WebSocket on one side, a feed on the other. */
import type { WebSocket } from 'ws';
import { parseFromView } from '../model/frames';
import { ViewFeed, type RunSource } from '../timeline/feed';

/** What a view may ask of its host; what is not there is offered to nobody. */
export interface ViewerActions {
  readonly stop?: () => void;
}

export class ViewerConnection {
  private readonly feed: ViewFeed;

  constructor(private readonly socket: WebSocket, run: RunSource, actions: ViewerActions, locale: string) {
    this.feed = new ViewFeed(run, { send: (frame) => { socket.send(new Uint8Array(frame)); } }, {
      locale, capabilities: { stop: actions.stop !== undefined, runAgain: false, openSource: false, saveFile: false },
    });
    socket.on('message', (data, isBinary) => {
      const message = isBinary || !Buffer.isBuffer(data) ? undefined : parseFromView(parseJson(data.toString('utf8')));
      if (!message) socket.close(1008, 'not a message of a view');
      else if (!this.feed.receive(message) && message.type === 'stop') actions.stop?.();
    });
    // An error is followed by a close, which ends the connection; unheard it would end the process.
    socket.on('error', () => { socket.terminate(); });
  }

  get isDrained(): boolean { return this.feed.isDrained; }

  dispose(): void {
    this.feed.dispose();
    this.socket.terminate();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
