/** Command lines and environments as people write them down. */

/** Splits at spaces outside quotes. */
export const splitWords = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) => word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) => double?.replace(/\\(.)/g, '$1') ?? single ?? ''));

/** Lines of `NAME=value`, quotes around the value allowed. */
export function parseEnvFile(content: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of content.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)?$/.exec(line) ?? [];
    if (name === undefined) continue;
    const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(value.trim());
    variables[name] = quoted ? (quoted[1] === '"' ? quoted[2].replace(/\\n/g, '\n') : quoted[2]) : value.replace(/\s+#.*$/, '').trim();
  }
  return variables;
}
