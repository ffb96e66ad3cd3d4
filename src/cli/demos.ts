/** The teaching demos: plain scripts in `media/demos`, run under the agent like any other. */
import { join } from 'node:path';
import { Refusal } from '../session/refusal';

export interface Demo {
  readonly name: string;
  readonly about: string;
}

export const DEMOS: readonly Demo[] = [
  { name: 'chunk-vs-rail', about: '1,000 sleeps, 50 at a time: as chunks of Promise.all, then on the rails of a promise pool' },
];

export function demoList(): string {
  const width = Math.max(...DEMOS.map(({ name }) => name.length));
  return DEMOS.map(({ name, about }) => `${name.padEnd(width)}  ${about}\n`).join('');
}

/** @param dist absolute path of the folder the bundles lie in @throws Refusal where there is no such demo */
export function demoScript(dist: string, name: string): string {
  if (!DEMOS.some((demo) => demo.name === name)) {
    throw new Refusal('no-demo', `There is no demo "${name}"; there is ${DEMOS.map((demo) => demo.name).join(', ')}.`);
  }
  return join(dist, '..', 'media', 'demos', `${name}.mjs`);
}
