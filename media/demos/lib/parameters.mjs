// The parameters of a demo: what stands at the top of its script, overridden by `--name value` on the command line.
//
//   count: { is: 1000, from: 1, to: 100_000, about: 'tasks in all' }              a whole number
//   scale: { is: 0.1, from: 0.01, to: 10, step: 0.01, about: '…' }                a number with fractions
//   core:  { is: 2, from: 0, to: 1000, atMost: 'max', about: '…' }                no more than another parameter
//   tasks: { is: 'uniform', of: ['uniform', 'figure'], about: '…' }               one of a few words

/**
 * What is wrong with a value, in a sentence; undefined where nothing is.
 * @param specs all parameters of the demo @param text as it was typed @param values those of the other parameters
 */
export function problemOf(specs, name, text, values = {}) {
  const spec = specs[name];
  if (spec.of) return spec.of.includes(text) ? undefined : { code: 'choice', words: { choices: spec.of.join(', ') } };
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) return { code: 'number', words: { from: spec.from, to: spec.to } };
  if (value < spec.from || value > spec.to) return { code: 'range', words: { from: spec.from, to: spec.to } };
  if ((spec.step ?? 1) === 1 && !Number.isInteger(value)) return { code: 'whole', words: { from: spec.from, to: spec.to } };
  if (spec.atMost && value > values[spec.atMost]) return { code: 'atMost', words: { other: spec.atMost, value: values[spec.atMost] } };
  return undefined;
}

/** The same as a sentence on the command line. */
const SENTENCES = {
  choice: ({ choices }) => `there is ${choices}`,
  number: ({ from, to }) => `it takes a number from ${from} to ${to}`,
  range: ({ from, to }) => `it goes from ${from} to ${to}`,
  whole: ({ from, to }) => `it takes a whole number from ${from} to ${to}`,
  atMost: ({ other, value }) => `it cannot be more than ${other}, which is ${value}`,
};

/**
 * Takes `--name value` for any of the parameters.
 * @param words the command line after the script's name
 * @returns the values, or, where something makes no sense, the sentence that says what
 */
export function valuesOf(words, specs) {
  const typed = Object.fromEntries(Object.entries(specs).map(([name, { is }]) => [name, String(is)]));
  for (let i = 0; i < words.length; i += 2) {
    const name = words[i].replace(/^--/, '');
    if (!words[i].startsWith('--') || !Object.hasOwn(specs, name)) return { refusal: `there is no parameter "${words[i]}"; there is ${Object.keys(specs).map((each) => `--${each}`).join(', ')}` };
    if (words[i + 1] === undefined) return { refusal: `--${name} needs a value after it` };
    typed[name] = words[i + 1];
  }
  const values = Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, specs[name].of ? text : Number(text)]));
  for (const [name, text] of Object.entries(typed)) {
    const problem = problemOf(specs, name, text, values);
    if (problem) return { refusal: `--${name} ${text}: ${SENTENCES[problem.code](problem.words)}` };
  }
  return { values };
}

/**
 * The parameters' values on this command line. Ends the process where it was asked for help, or for something that makes
 * no sense; with `--describe`, which the build uses, it prints the parameters as JSON.
 * @param about what the demo shows, in a line
 */
export function readParameters(about, specs) {
  const words = process.argv.slice(2);
  if (words[0] === '--describe') leave(0, JSON.stringify({ name: scriptName(), about, parameters: specs }));
  if (words.includes('--help') || words.includes('-h')) leave(0, `${about}\n\n${helpOn(specs)}`);
  const { values, refusal } = valuesOf(words, specs);
  if (refusal) leave(2, `${scriptName()}: ${refusal}`);
  return values;
}

export function helpOn(specs) {
  return Object.entries(specs).map(([name, { is, from, to, of, about }]) =>
    `  ${`--${name}`.padEnd(14)} ${about} (${of ? of.join(', ') : `${from} to ${to}`}; without it ${is})`).join('\n');
}

function leave(status, text) {
  (status === 0 ? console.log : console.error)(text);
  process.exit(status);
}

export const scriptName = () => process.argv[1].split(/[\\/]/).pop().replace(/\.mjs$/, '');
