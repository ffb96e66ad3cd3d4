/** The viewer in a browser: one page and one WebSocket on 127.0.0.1, for those who know the token in the address. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RunSource } from '../timeline/feed';
import { ViewerConnection, type ViewerActions } from './connection';
import type { Page } from './page';

const HOST = '127.0.0.1';
/** A view sends nothing larger than an acknowledgement. */
const MAX_MESSAGE_BYTES = 1 << 12;

export interface ViewerOptions {
  readonly run: RunSource;
  readonly actions: ViewerActions;
  readonly page: Page;
  /** BCP 47 tag. */
  readonly locale: string;
}

export class Viewer {
  private readonly connections = new Set<ViewerConnection>();
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });

  private readonly token = randomBytes(24).toString('base64url');
  private readonly host: string;
  private readonly origin: string;
  private run: RunSource;

  private constructor(private readonly server: Server, private readonly options: ViewerOptions) {
    this.run = options.run;
    this.host = `${HOST}:${(server.address() as AddressInfo).port}`;
    this.origin = `http://${this.host}`;
    server.on('request', (request, response) => { this.answer(request, response); });
    server.on('upgrade', (request, socket, head) => { this.upgrade(request, socket, head); });
  }

  /** Serves on a free port. */
  static async start(options: ViewerOptions): Promise<Viewer> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, HOST, resolve);
    });
    return new Viewer(server, options);
  }

  /** The address to open; it holds the token. */
  get url(): string { return `${this.origin}/?token=${this.token}`; }

  /** Shows another run in place of the one before. */
  show(run: RunSource): void {
    this.run = run;
    for (const connection of this.connections) connection.show(run);
  }

  /** Tells the lesson as it stands, where there is one. */
  tellLesson(): void { for (const connection of this.connections) connection.tellLesson(); }

  /** Resolves once a view has connected, `timeoutMs` has passed, or the viewer has ended. */
  connected(timeoutMs: number): Promise<void> {
    return this.waitFor(() => this.connections.size > 0, timeoutMs);
  }

  /** Resolves once every connected view has confirmed all there is, `timeoutMs` has passed, or the viewer has ended. */
  drained(timeoutMs: number): Promise<void> {
    return this.waitFor(() => [...this.connections].every((connection) => connection.isDrained), timeoutMs);
  }

  async dispose(): Promise<void> {
    for (const connection of this.connections) connection.dispose();
    this.sockets.close();
    const closed = new Promise((resolve) => { this.server.close(resolve); });
    this.server.closeAllConnections();
    await closed;
  }

  private async waitFor(condition: () => boolean, timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (!condition() && this.server.listening && performance.now() < until) await new Promise((resolve) => { setTimeout(resolve, 20); });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    // Browsers ask for it unbidden and without the token; a refusal would stand in their consoles.
    if (request.url === '/favicon.ico') { response.writeHead(204).end(); return; }
    const path = this.pathFor(request);
    const file = path === undefined || request.method !== 'GET' ? undefined : this.options.page.file(path, {
      host: this.host, token: this.token, title: this.run.info.title, locale: this.options.locale,
    });
    if (!file) {
      response.writeHead(path === undefined ? 403 : 404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(path === undefined ? 'Not for you: the address needs its token.\n' : 'There is nothing here.\n');
      return;
    }
    response.writeHead(200, {
      'content-type': file.type, 'content-length': file.body.length, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin',
      ...(file.policy === undefined ? {} : { 'content-security-policy': file.policy }),
    });
    response.end(file.body);
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A page of another site may open a WebSocket to anywhere: its Origin gives it away.
    if (request.headers.origin !== this.origin || this.pathFor(request) !== '/live') {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new ViewerConnection(webSocket, this.run, this.options.actions, this.options.locale);
      this.connections.add(connection);
      webSocket.once('close', () => {
        this.connections.delete(connection);
        connection.dispose();
      });
    });
  }

  /**
   * The path asked for, undefined where the token is wrong. A name that somebody else has pointed at 127.0.0.1
   * (DNS rebinding) shows in the Host: it is not ours.
   */
  private pathFor(request: IncomingMessage): string | undefined {
    if (request.headers.host !== this.host) return undefined;
    const [path, query] = (request.url ?? '').split('?', 2);
    return sameSecret(new URLSearchParams(query).get('token') ?? '', this.token) ? path : undefined;
  }
}

/** Compares in a time that tells nothing of where they differ. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
