import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { folders, installCorpus, scoreBeside, scoreFolder, verifyWithAgent, type Backend, type Row } from './corpus';
import { BESIDE, OTHER_THREADS, THRESHOLDS } from './thresholds';

const corpus = installCorpus();
const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);

/** The default backend on every Node; the other one where a run costs no second binary. */
const runs: { readonly major: number; readonly backend: Backend }[] = [
  ...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })),
  { major: ownMajor, backend: 'async_hooks' },
];

const average = (rows: readonly Row[]): number => rows.reduce((sum, { score }) => sum + (score ?? 0), 0) / rows.length;
/** What no script may suffer from being watched: another exit status, or no report at the end. */
const HARM = /^(no report|exit status|the script gave no truth)/;

test('every folder of the corpus has a threshold', () => {
  expect(Object.keys(THRESHOLDS).sort()).toEqual(folders());
});

describe.each(runs)('on Node $major with the $backend backend', ({ major, backend }) => {
  test.for(folders())('%s: the scripts end as they would alone, and are captured as well as agreed', async (folder, context) => {
    needed(context, 'CORPUS', corpus);
    const node = needed(context, 'NODES', nodes.find((candidate) => candidate.major === major));
    const rows = (await scoreFolder(folder, node, backend)).filter(({ skipped }) => !skipped);
    const told = rows.map(({ file, score, notes }) => `${score?.toFixed(2)} ${file}: ${notes?.join(' · ')}`);
    expect(told.filter((_, i) => rows[i].notes?.some((note) => HARM.test(note)))).toEqual([]);
    const normal = rows.filter(({ difficulty }) => difficulty === 'normal');
    if (normal.length > 0) expect(average(normal), told.join('\n')).toBeGreaterThanOrEqual(THRESHOLDS[folder]);
    const elsewhere = rows.filter(({ difficulty }) => difficulty === 'other-thread-or-process');
    if (elsewhere.length > 0) expect(average(elsewhere), told.join('\n')).toBeGreaterThanOrEqual(OTHER_THREADS);
  });
});

/** Of what newer Nodes alone can run, the newest runs all. */
const beside = [{ folder: 'more', major: ownMajor }, { folder: 'newer', major: NODE_MAJORS[NODE_MAJORS.length - 1] }] as const;

test.for(beside)('scripts of other hands are captured as well: $folder, on Node $major', async ({ folder, major }, context) => {
  needed(context, 'CORPUS', corpus);
  const node = needed(context, 'NODES', nodes.find((candidate) => candidate.major === major));
  const rows = await scoreBeside(folder, node);
  expect(rows.filter(({ skipped }) => skipped)).toEqual([]);
  const told = rows.map(({ file, score, notes }) => `${score?.toFixed(2)} ${file}: ${notes?.join(' · ')}`);
  expect(told.filter((_, i) => rows[i].notes?.some((note) => HARM.test(note)))).toEqual([]);
  const [elsewhere, here] = [true, false].map((isElsewhere) => rows.filter(({ difficulty }) => (difficulty === 'other-thread-or-process') === isElsewhere));
  expect(average(here), told.join('\n')).toBeGreaterThanOrEqual(BESIDE[folder]);
  expect(average(elsewhere), told.join('\n')).toBeGreaterThanOrEqual(OTHER_THREADS);
});

/** The other backend on the oldest and the newest Node: what Node's own hooks do has changed in between. */
const verified: readonly { readonly major: number; readonly backend: Backend }[] = [
  ...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })),
  ...[NODE_MAJORS[0], NODE_MAJORS[NODE_MAJORS.length - 1]].map((major) => ({ major, backend: 'async_hooks' as const })),
];

test.for(verified)('on Node $major no script ends, prints or counts otherwise with the agent preloaded, backend $backend', async ({ major, backend }, context) => {
  needed(context, 'CORPUS', corpus);
  const node = needed(context, 'NODES', nodes.find((candidate) => candidate.major === major));
  expect(await verifyWithAgent(node.path, backend)).toEqual([]);
});
