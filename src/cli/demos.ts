/** `async-lanes demo`: the teaching demos, run under the agent like any other script. */
import { helpOn, valuesOf } from '../../media/demos/lib/parameters.mjs';
import { demoScript, loadDemos } from '../session/demos';
import { Lesson } from '../session/lesson';
import { Refusal } from '../session/refusal';
import { scriptCommand, type RunOptions } from './run';
import { runTraced } from './traced-run';

/** @param dist absolute path of the folder the bundles lie in */
export function listDemos(dist: string): void {
  const demos = loadDemos(dist);
  const width = Math.max(...demos.map(({ name }) => name.length));
  process.stdout.write(demos.map(({ name, about }) => `${name.padEnd(width)}  ${about}\n`).join(''));
}

/**
 * @param words `--parameter value`, in any number; `--help` shows what there is
 * @returns the exit status
 * @throws Refusal where there is no such demo, or a parameter makes no sense
 */
export async function runDemo(dist: string, name: string, words: readonly string[], options: RunOptions): Promise<number> {
  const demos = loadDemos(dist);
  const demo = demos.find((each) => each.name === name);
  if (!demo) throw new Refusal('no-demo', `There is no demo "${name}"; there is ${demos.map((each) => each.name).join(', ')}.`);
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(`${demo.about}\n\n${helpOn(demo.parameters)}\n`);
    return 0;
  }
  const { values, refusal } = valuesOf(words, demo.parameters);
  if (refusal !== undefined) throw new Refusal('bad-parameter', `${name}: ${refusal}.`);
  const commandFor = await scriptCommand(dist, demoScript(dist, name), options);
  return runTraced(commandFor(words), options, { lesson: new Lesson(demo, values), commandFor });
}
