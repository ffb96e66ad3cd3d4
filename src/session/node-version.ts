/** Node's version, as numbers to compare and as Node itself writes it. */
export interface NodeVersion {
  readonly major: number;
  readonly minor: number;
  /** With its `v`, e.g. `v22.1.0`. */
  readonly text: string;
}

export const OLDEST_NODE = 20;

/** @returns undefined where the text does not begin as `node --version` prints it. */
export function parseNodeVersion(text: string): NodeVersion | undefined {
  const match = /^v(\d{1,4})\.(\d{1,4})\.\S{1,40}/.exec(text);
  return match ? { major: Number(match[1]), minor: Number(match[2]), text: match[0] } : undefined;
}
