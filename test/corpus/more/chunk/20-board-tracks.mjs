// @style two tracks run at once, each a slice loop over Promise.allSettled with its own width, abort flag and per-board totals
// @expect tracks: all tasks=2 conc=2 ok=2 error=0 peak=2
// @expect http: chunk tasks=7 conc=3 chunks=3 ok=6 error=1 peak=3 parent=tracks/http
// @expect browser: chunk tasks=4 conc=2 chunks=2 ok=4 error=0 peak=2 parent=tracks/browser
import { debuglog } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import gt from '../gt.cjs';

const debug = debuglog('scan');
const controller = new AbortController();
const boards = [
  { name: 'acme' }, { name: 'binder', headless: true }, { name: 'corkboard' }, { name: 'daily' },
  { name: 'elm', headless: true }, { name: 'foundry', broken: true }, { name: 'gig', headless: true },
  { name: 'hub' }, { name: 'index' }, { name: 'jobline', headless: true }, { name: 'kite' },
];
const totals = new Map();
const running = gt.group({ name: 'tracks', kind: 'all', combinator: 'all', concurrency: 2, declared: 2 });

async function scanBoard(board, nth, g) { // @task http browser
  const t = g.start(board.name);
  await pause(gt.ms(nth + board.name.length * 7));
  if (board.broken) throw t.fail(new Error(`${board.name}: markup changed`));
  return t.ok({ found: board.name.length, errored: false });
}

async function runTrack(track, width, trackName, signal) { // @task tracks
  const t = running.start(trackName);
  const g = gt.group({ name: trackName, kind: 'chunk', combinator: 'allSettled', concurrency: width, size: width, declared: track.length, parent: t });
  for (let i = 0; i < track.length; i += width) {
    if (signal.aborted) break;
    const slice = track.slice(i, i + width);
    const began = Date.now();
    const outcome = await Promise.allSettled(slice.map((board, j) => scanBoard(board, i + j, g))); // @group http browser
    debug('%s [%s] %dms', trackName, slice.map((b) => b.name).join(), Date.now() - began);
    outcome.forEach((r, j) => {
      const sum = totals.get(slice[j].name) ?? { found: 0, errored: false };
      if (r.status === 'fulfilled') sum.found += r.value.found;
      else sum.errored = true;
      totals.set(slice[j].name, sum);
    });
  }
  g.end();
  return t.ok(trackName);
}

const plain = boards.filter((b) => !b.headless);
const headless = boards.filter((b) => b.headless);
await Promise.all([ // @group tracks
  runTrack(plain, 3, 'http', controller.signal),
  runTrack(headless, 2, 'browser', controller.signal),
]);
running.end();
if (totals.size !== boards.length) process.exitCode = 1;
