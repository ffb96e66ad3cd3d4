// The registry of the teaching demos: each script says of itself what it shows and what can be turned in it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** In the order in which they are taught. */
export const DEMOS = ['chunk-vs-rail', 'read-files', 'fail-fast', 'pipeline', 'sync-vs-async', 'thread-pool'];

/** Writes `demos.json` into the folder of the bundles. */
export function describeDemos(dist) {
  const described = DEMOS.map((name) => execFileSync(process.execPath, [join(root, 'media/demos', `${name}.mjs`), '--describe'], { encoding: 'utf8' }).trim());
  writeFileSync(join(dist, 'demos.json'), `[\n${described.join(',\n')}\n]\n`);
}
