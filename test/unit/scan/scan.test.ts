import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scan, type ScanOptions } from '../../../src/scan/scan';
import { tempFolders } from '../session/temp-folder';

const POOL = 'await Promise.all([f(), g()]);\n';
const makeFolder = tempFolders();

function tree(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function run(folder: string, options: Partial<ScanOptions> = {}): Promise<{ readonly found: string[]; readonly files: number; readonly cached: number; readonly tooLarge: number }> {
  const found: string[] = [];
  const counts = await scan({
    folders: [folder], signal: new AbortController().signal,
    onFile: ({ file }) => { found.push(file.slice(folder.length + 1)); }, ...options,
  });
  return { ...counts, found: found.sort() };
}

describe('a scan of a workspace', () => {
  it('looks at sources a person wrote, and at nothing else', async () => {
    const folder = tree({
      'a.js': POOL, 'src/한글 #1.tsx': POOL, 'plain.mjs': 'export const one = 1;', 'types.d.ts': POOL, 'lib.min.js': POOL, 'notes.md': POOL,
      'node_modules/x/index.js': POOL, 'packages/a/node_modules/y/index.js': POOL, 'big.js': POOL + '//'.padEnd(2 << 20, 'x'),
    });
    expect(await run(folder)).toEqual({ found: ['a.js', 'src/한글 #1.tsx'], files: 3, cached: 0, tooLarge: 1 });
  });

  it('respects .gitignore: of inner folders, of the repository around, and what it takes back', async () => {
    const folder = tree({
      '.git/HEAD': '', '.gitignore': 'out/\n*.gen.js\n', 'part/.gitignore': '!kept.gen.js\n/local.js\n', 'part/src/.gitignore': '',
      'part/a.js': POOL, 'part/out/b.js': POOL, 'part/c.gen.js': POOL, 'part/kept.gen.js': POOL, 'part/local.js': POOL, 'part/src/local.js': POOL,
    });
    expect((await run(join(folder, 'part'))).found).toEqual(['a.js', 'kept.gen.js', 'src/local.js']);
  });

  it('remembers the places of contents it has seen', async () => {
    const folder = tree({ 'a.js': POOL, 'b.js': 'await 1;' });
    const cacheFile = join(makeFolder(), 'places.json');
    expect(await run(folder, { cacheFile })).toMatchObject({ cached: 0 });
    writeFileSync(join(folder, 'b.js'), `${POOL}// new`);
    expect(await run(folder, { cacheFile })).toMatchObject({ cached: 1, found: ['a.js', 'b.js'] });
    writeFileSync(cacheFile, '{"version":1,"places":{"x":[{"kind":"none"}]}');
    expect(await run(folder, { cacheFile })).toMatchObject({ cached: 0, found: ['a.js', 'b.js'] });
  });

  it('stops when it is told to', async () => {
    const folder = tree(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}.js`, POOL])));
    const seen: string[] = [];
    const second = new AbortController();
    await scan({ folders: [folder], signal: second.signal, onFile: ({ file }) => { seen.push(file); second.abort(); } });
    expect(seen).toHaveLength(1);
  });
});
