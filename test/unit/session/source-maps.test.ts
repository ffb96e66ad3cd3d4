import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { SourceMaps } from '../../../src/session/source-maps';
import { tempFolders } from './temp-folder';

const folder = tempFolders();

/** Compiles three lines of TypeScript; the call of `work` stands in line 3, column 8 of the source. */
function compile(sourcemap: 'inline' | 'linked'): { home: string; source: string; output: string; call: { line: number; column: number } } {
  const home = folder();
  mkdirSync(join(home, 'src'));
  const source = join(home, 'src/한글 a.ts');
  writeFileSync(source, 'interface Unused { a: string }\nasync function work(ms: number): Promise<number> { return ms; }\nvoid (\n  work(1));\n');
  const output = join(home, 'out.js');
  buildSync({ entryPoints: [source], outfile: output, sourcemap, format: 'cjs', banner: { js: '// one\n// two' } });
  const lines = buildSync({ entryPoints: [source], write: false, format: 'cjs', banner: { js: '// one\n// two' } }).outputFiles[0].text.split('\n');
  const line = lines.findIndex((text) => text.includes('work(1)'));
  return { home, source, output, call: { line: line + 1, column: lines[line].indexOf('work(1)') + 1 } };
}

describe('source maps', () => {
  it.each(['inline', 'linked'] as const)('an %s map leads back to the source', (kind) => {
    const { source, output, call } = compile(kind);
    const map = new SourceMaps().mapSite;
    for (const file of [output, pathToFileURL(output).href]) {
      expect(map({ file, ...call, function: 'work' })).toEqual({ file: source, line: 4, column: 3, function: 'work' });
    }
  });

  it('a file URL becomes a path where there is no map', () => {
    const path = join(folder(), 'a b.mjs');
    writeFileSync(path, 'await 1;\n');
    const site = { line: 1, column: 1, function: '' };
    expect(new SourceMaps().mapSite({ file: pathToFileURL(path).href, ...site })).toEqual({ file: path, ...site });
  });

  it('a broken, missing or foreign map changes nothing', () => {
    const place = folder();
    const map = new SourceMaps().mapSite;
    const urls = ['gone.js.map', 'data:application/json;base64,bm8=', 'data:application/json,{', 'https://127.0.0.1/x.map', '%zz'];
    urls.forEach((url, i) => {
      const file = join(place, `${i}.js`);
      writeFileSync(file, `f();\n//# sourceMappingURL=${url}\n`);
      expect(map({ file, line: 1, column: 1, function: '' })).toEqual({ file, line: 1, column: 1, function: '' });
    });
    for (const file of ['node:internal/timers', 'evalmachine.<anonymous>', '/nowhere/a.js']) {
      expect(map({ file, line: 7, column: 2, function: 'f' }).file).toBe(file);
    }
  });

  it.skipIf(process.platform === 'win32')('a script that came from a pipe is not read once more', () => {
    const file = join(folder(), 'script.cjs');
    execFileSync('mkfifo', [file]);
    const site = { file, line: 1, column: 1, function: '' };
    expect(new SourceMaps().mapSite(site)).toEqual(site);
  });

  it('a function that is only handed over has no name, whatever V8 calls it', () => {
    const file = join(folder(), 'a.mjs');
    writeFileSync(file, "pool(items, async (item) => item, { limit: 2 });\npool(\n\n  async () => {}, { limit: 2 });\nqueue.done = async () => {};\n");
    const { mapSite } = new SourceMaps();
    const named = (line: number, column: number, name: string): string => mapSite({ file, line, column, function: name }, true).function;
    expect([named(1, 13, 'pool.limit'), named(4, 3, 'pool.limit'), named(5, 14, 'queue.done'), named(1, 13, 'load')]).toEqual(['', '', 'queue.done', 'load']);
    expect(mapSite({ file, line: 1, column: 13, function: 'pool.limit' }).function).toBe('pool.limit');
    expect(mapSite({ file: '/nowhere/a.js', line: 1, column: 1, function: 'a.b' }, true).function).toBe('a.b');
  });

  it('what a compiler wrote before all that has a source is its own, and nothing else is', () => {
    const { output, call } = compile('linked');
    const maps = new SourceMaps();
    expect(maps.isHelper({ file: pathToFileURL(output).href, line: 1, column: 1, function: '' })).toBe(true);
    expect(maps.isHelper({ file: output, ...call, function: 'work' })).toBe(false);
    // A map that ends earlier than its file is out of date.
    expect(maps.isHelper({ file: output, line: 500, column: 1, function: '' })).toBe(false);
    const plain = join(folder(), 'a.mjs');
    writeFileSync(plain, 'await 1;\n');
    expect(maps.isHelper({ file: plain, line: 1, column: 1, function: '' })).toBe(false);
    expect(maps.isHelper({ file: 'node:internal/timers', line: 1, column: 1, function: '' })).toBe(false);
  });
});
