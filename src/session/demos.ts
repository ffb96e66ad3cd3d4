/** The teaching demos: plain scripts in `media/demos`, described in `demos.json`, which the build makes of what they say of themselves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Demo } from '../model/demos';
import { fileTrouble, Refusal } from './refusal';

/** @param dist absolute path of the folder the bundles lie in @throws Refusal where the project has not been built */
export function loadDemos(dist: string): readonly Demo[] {
  try {
    // Made by the build beside the bundles: as much to be trusted as they are.
    return JSON.parse(readFileSync(join(dist, 'demos.json'), 'utf8')) as readonly Demo[];
  } catch (error) {
    throw new Refusal('no-demos', `The list of demos cannot be read (${fileTrouble(error)}); npm run build makes it.`);
  }
}

/** Absolute path of a demo's script. */
export const demoScript = (dist: string, name: string): string => join(dist, '..', 'media', 'demos', `${name}.mjs`);
