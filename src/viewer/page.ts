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

/** Of an empty `<style>`, which FAST (webview-ui-toolkit) inserts. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

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
  const nonce = randomBytes(16).toString('base64');
  const source = `http://${host}`;
  const connect = `ws://${host}`;
  const body = Buffer.from(pageHtml({
    scriptUri: `webview.js?token=${token}`, styleUri: `webview.css?token=${token}`, nonce, cspSource: source, connect, title, locale,
  }));
  // The page says the same of itself; what only a header can say is that nobody may put it into a frame.
  const policy = [
    "default-src 'none'", `script-src 'nonce-${nonce}'`, `style-src ${source} ${EMPTY_STYLE}`, `img-src ${source} data:`, `font-src ${source}`,
    `connect-src ${connect}`, 'worker-src blob:', "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].join('; ');
  return { type: 'text/html; charset=utf-8', body, policy };
}

function read(dist: string, name: string): Buffer {
  try {
    return readFileSync(join(dist, name));
  } catch (error) {
    throw new Refusal('no-page', `Cannot show the viewer: ${name} cannot be read (${fileTrouble(error)}); npm run build makes it.`);
  }
}
