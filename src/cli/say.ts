/** The command line's own words: to stderr only, stdout belongs to the script. */
export function say(text: string): void {
  process.stderr.write(`async-lanes: ${text.trimEnd()}\n`);
}
