/** The HTML both carriers of the view share: VS Code's webview and the page in a browser. */

export interface PageOptions {
  /** Addresses of `dist/webview.js` and `dist/webview.css` as the page is to load them. */
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Random and new for each page; at least 16 characters of base64. */
  readonly nonce: string;
  /** Where styles and images come from: `webview.cspSource`, or `'self'`. */
  readonly cspSource: string;
  /** What the page may connect to, e.g. `'self' ws:`; undefined: nothing. */
  readonly connect?: string;
  readonly title: string;
  /** BCP 47 tag. */
  readonly locale: string;
  /** Name the page keeps in its state, by which its host knows it again after a reload; letters and digits. */
  readonly panel?: string;
}

/** Hash of the empty style element that the controls' library inserts; an allowance for nothing else. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** @throws Error where a value could widen the policy it stands in */
export function pageHtml({ scriptUri, styleUri, nonce, cspSource, connect, title, locale, panel = '' }: PageOptions): string {
  if (!/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(nonce)) throw new Error('the nonce of a page is at least 16 characters of base64');
  for (const source of [cspSource, connect ?? '']) if (/[;,<>"\s]/.test(source.replaceAll(' ', ''))) throw new Error('not a source of a content security policy');
  const policy = [
    "default-src 'none'", `img-src ${cspSource}`, `style-src ${cspSource} ${EMPTY_STYLE}`, `script-src 'nonce-${nonce}'`,
    ...(connect ? [`connect-src ${connect}`] : []),
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${/^[A-Za-z0-9-]{2,35}$/.test(locale) ? locale : 'en'}" data-panel="${escapeHtml(panel)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${escapeHtml(styleUri)}">
</head>
<body>
<div id="app"></div>
<script nonce="${nonce}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
