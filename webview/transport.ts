/** The way to the host: one interface, a carrier for each place this page runs in. */
import type { FromView, Pointer, Rest } from '../src/model/protocol';

export interface CarrierEvents {
  /** One frame of `src/model/frames.ts`, not looked into yet; undefined where something else came. */
  onFrame(frame: ArrayBuffer | undefined): void;
  /** The host points at a group of the run. */
  onPointer(group: number): void;
  /** Nobody can see the page for now, or somebody can again. */
  onRest(isResting: boolean): void;
  /** Nothing more will come. */
  onLost(): void;
}

export interface Carrier {
  open(events: CarrierEvents): void;
  send(message: FromView): void;
  /** What `saveState` was given last, in this view or before a reload; undefined at first. It is as trustworthy as any input. */
  loadState(): unknown;
  saveState(state: unknown): void;
}

/** What VS Code puts into its webviews. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare global {
  interface Window { acquireVsCodeApi?: () => VsCodeApi }
}

export const pickCarrier = (): Carrier =>
  (window.acquireVsCodeApi ? vsCodeCarrier(window.acquireVsCodeApi()) : webSocketCarrier(window.location));

/** VS Code hands the state to the extension when it restores the panel: it has to name the panel from the start. */
function vsCodeCarrier(api: VsCodeApi): Carrier {
  const { panel } = document.documentElement.dataset;
  const load = (): unknown => {
    const state = api.getState();
    return typeof state === 'object' && state !== null && 'view' in state ? state.view : undefined;
  };
  const save = (view: unknown): void => api.setState({ panel, view });
  save(load());
  return {
    open(events) {
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (data instanceof ArrayBuffer) events.onFrame(data);
        else if (ArrayBuffer.isView(data)) events.onFrame(bytesOf(data));
        else if (isPointer(data)) events.onPointer(data.group);
        else if (isRest(data)) events.onRest(data.isResting);
        // Other messages are none of the host's: browser extensions and tools talk over this channel as well.
      });
    },
    send: (message) => api.postMessage(message),
    loadState: load,
    saveState: save,
  };
}

/** Address and token are those of the page itself: `ws(s)://<host>/live?token=<token>`. */
export function liveAddress(page: { readonly protocol: string; readonly host: string; readonly search: string }): string {
  const token = new URLSearchParams(page.search).get('token') ?? '';
  return `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/live?token=${encodeURIComponent(token)}`;
}

const STATE_KEY = 'async-lanes';

function webSocketCarrier(page: Location): Carrier {
  let socket: WebSocket | undefined;
  const waiting: string[] = [];
  return {
    open(events) {
      socket = new WebSocket(liveAddress(page));
      socket.binaryType = 'arraybuffer';
      socket.onopen = () => { for (const text of waiting.splice(0)) socket?.send(text); };
      socket.onmessage = ({ data }: MessageEvent<unknown>) => events.onFrame(data instanceof ArrayBuffer ? data : undefined);
      socket.onclose = () => events.onLost();
    },
    send(message) {
      const text = JSON.stringify(message);
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
      else if (socket?.readyState === WebSocket.CONNECTING) waiting.push(text);
    },
    loadState() {
      try {
        return JSON.parse(sessionStorage.getItem(STATE_KEY) ?? 'null') as unknown;
      } catch {
        return undefined; // blocked by the browser, or written by something else: begin anew
      }
    },
    saveState(state) {
      try {
        sessionStorage.setItem(STATE_KEY, JSON.stringify(state));
      } catch {
        // A browser that keeps nothing still shows everything.
      }
    },
  };
}

const isPointer = (data: unknown): data is Pointer =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'showGroup' && 'group' in data && typeof data.group === 'number';

const isRest = (data: unknown): data is Rest =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'rest' && 'isResting' in data && typeof data.isResting === 'boolean';

function bytesOf(view: ArrayBufferView): ArrayBuffer {
  const copy = new ArrayBuffer(view.byteLength);
  new Uint8Array(copy).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return copy;
}
