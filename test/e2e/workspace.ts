/** Folders with scripts to open in VS Code, and the scripts the journeys share. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { ROOT } from './vsix';

/** Makes workspaces that are deleted after each test. */
export function useWorkspaces(): (files: Readonly<Record<string, string>>) => string {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return (files) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanes-')));
    made.push(folder);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text.trimStart());
    }
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules', '@supercharge'), join(folder, 'node_modules', '@supercharge'));
    return folder;
  };
}

/** The ten tasks of the document's figure, 100 ms to its unit: as chunks of five, then on five rails. */
export const FIGURE = `
import { setTimeout as sleep } from 'node:timers/promises';
import { PromisePool } from '@supercharge/promise-pool';

// Task 7 takes 0.4 longer than in the document, where 5 and 7 end together: so it is certain which rail is free first.
const durations = [8.3, 4, 2, 5, 6, 4.7, 2.4, 3, 8.3, 6];

async function lookUp(duration) {
  await sleep(duration * 100);
}

for (let i = 0; i < durations.length; i += 5) {
  await Promise.all(durations.slice(i, i + 5).map(lookUp));
}
await PromisePool.for(durations).withConcurrency(5).process(lookUp);
console.log('\\x1b[32mall done\\x1b[0m');
`;

/** Six tasks behind a limit of two: four of them wait in a queue. */
export const QUEUED = `
import { setTimeout as sleep } from 'node:timers/promises';

let free = 2;
const waiting = [];
async function limited(ms) {
  if (free === 0) await new Promise((resolve) => { waiting.push(resolve); });
  else free--;
  await sleep(ms);
  const next = waiting.shift();
  if (next) next(); else free++;
}
await Promise.all([90, 60, 120, 80, 70, 100].map(limited));
`;

/** Chunks of four, one after another, until a file \`enough\` lies beside the script. */
export const UNTIL_ENOUGH = `
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const enough = new URL('enough', import.meta.url);
async function fetchUser(ms) { await sleep(ms); }

let chunks = 0;
while (!existsSync(enough)) {
  await Promise.all([90, 30, 60, 120].map(fetchUser));
  chunks++;
}
console.log('chunks', chunks);
`;

export const NEVER_ENDS = `
import { setTimeout as sleep } from 'node:timers/promises';
async function work() { await sleep(100); }
for (;;) await Promise.all([work(), work(), work()]);
`;
