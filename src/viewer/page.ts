/** What the viewer's server hands out: the page, its script and its styles. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageHtml } from '../model/page';
import { fileTrouble, Refusal } from '../session/refusal';

export interface PageAddress {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly token: string;
  readonly title: string;
  readonly locale: string;
}

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** Content security policy, for the page itself. */
  readonly policy?: string;
}

export interface Page {
  /** @param path as it stands in the request */
  file(path: string, address: PageAddress): PageFile | undefined;
}

/** What the page's own policy, which is strict, cannot say of itself. */
const POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @throws Refusal where a file is missing: then the project has not been built */
export function loadPage(dist: string): Page {
  const script = read(dist, 'webview.js');
  const style = read(dist, 'webview.css');
  return {
    file: (path, address) => {
      switch (path) {
        case '/': return html(address);
        case '/webview.js': return { type: 'text/javascript; charset=utf-8', body: script };
        case '/webview.css': return { type: 'text/css; charset=utf-8', body: style };
        default: return undefined;
      }
    },
  };
}

function html({ host, token, title, locale }: PageAddress): PageFile {
  const body = pageHtml({
    scriptUri: `webview.js?token=${token}`, styleUri: `webview.css?token=${token}`, nonce: randomBytes(16).toString('base64'),
    cspSource: `http://${host}`, connect: `ws://${host}`, title, locale,
  });
  return { type: 'text/html; charset=utf-8', body: Buffer.from(body), policy: POLICY };
}

function read(dist: string, name: string): Buffer {
  try {
    return readFileSync(join(dist, name));
  } catch (error) {
    throw new Refusal('no-page', `Cannot show the viewer: ${name} cannot be read (${fileTrouble(error)}); npm run build makes it.`);
  }
}
