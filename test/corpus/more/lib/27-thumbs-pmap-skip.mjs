// @style p-map over an async generator of file names (readdir, filter); the mapper reads the file and returns pMapSkip for an empty one
// @lib p-map
// @expect thumbs: pool tasks=11 conc=4 ok=11 error=0 peak=4
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import pMap, { pMapSkip } from 'p-map';
import gt from '../gt.cjs';

const g = gt.group({ name: 'thumbs', kind: 'pool', lib: 'p-map', concurrency: 4, declared: 11 });
const folder = mkdtempSync(join(tmpdir(), 'thumbs-'));
gt.range(13).forEach((i) => writeFileSync(join(folder, `${String(i).padStart(2, '0')}.${i % 6 === 5 ? 'txt' : 'raw'}`), i % 4 === 3 ? '' : '#'.repeat(i + 1)));

async function* pictures(dir) {
  for (const name of (await readdir(dir)).sort()) {
    if (extname(name) === '.raw') yield join(dir, name);
  }
}

const render = async (file, index) => { // @task thumbs
  const t = g.start(index);
  const data = await readFile(file);
  if (data.length === 0) {
    await new Promise((r) => setTimeout(r, 15));
    t.ok();
    return pMapSkip;
  }
  await new Promise((r) => setTimeout(r, gt.ms(index, 30, 80)));
  t.ok();
  return { file, width: data.length };
};

const made = await pMap(pictures(folder), render, { concurrency: 4 }); // @group thumbs
g.end();
rmSync(folder, { recursive: true });
if (made.some((m) => m.width === 0)) throw new Error('an empty one got through');
