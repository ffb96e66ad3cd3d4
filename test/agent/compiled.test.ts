/** Code as compilers and bundlers write it: the groups are those of the source. */
import { buildSync, transformSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { Group, Site } from '../../src/model/timeline';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe } from './observed';

const corpus = installCorpus();
const FOLDER = join(import.meta.dirname, 'programs/compiled');
const SOURCE = readFileSync(join(FOLDER, 'pools.js'), 'utf8');

const byTypeScript = (target: ts.ScriptTarget): string =>
  ts.transpileModule(SOURCE, { compilerOptions: { target, module: ts.ModuleKind.CommonJS, downlevelIteration: true } }).outputText;

const COMPILED: Record<string, string> = {
  'TypeScript, for ES2016': byTypeScript(ts.ScriptTarget.ES2016),
  'TypeScript, for ES2015': byTypeScript(ts.ScriptTarget.ES2015),
  'TypeScript, for ES5': byTypeScript(ts.ScriptTarget.ES5),
  'TypeScript before 3.6, for ES5': byTypeScript(ts.ScriptTarget.ES5).replace('adopt(result.value).then(', 'new P(function (resolve) { resolve(result.value); }).then('),
  'esbuild, for ES2016': transformSync(SOURCE, { target: 'es2016', format: 'cjs' }).code,
  'esbuild, for ES2015, on one line': transformSync(SOURCE, { target: 'es2015', format: 'cjs', minifyWhitespace: true }).code,
  ...Object.fromEntries(readdirSync(FOLDER).filter((file) => file.endsWith('.cjs')).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')])),
};

/** What of a group does not depend on where the compiler put it. */
const told = ({ kind, combinator, taskCount, peak, fulfilled, rejected, chunks, site, taskSite }: Group): unknown =>
  ({ kind, combinator, taskCount, peak, fulfilled, rejected, chunks, in: ownName(site), of: ownName(taskSite) });

/** A method is a function of a property in ES5, and named by both. */
const ownName = (site: Site | undefined): string | undefined => site?.function.split('.').at(-1);

describe.each(['v8', 'async_hooks'] as const)('%s: compiled async functions', (backend) => {
  test.each(Object.keys(COMPILED))('%s', async (name) => {
    const source = await observe(SOURCE, { backend, as: 'a.cjs' });
    const groups = source.groups.map(told);
    expect(groups).toMatchObject([
      { kind: 'chunk', taskCount: 7, rejected: 1, of: 'load' },
      { kind: 'pool', taskCount: 8, peak: 3 },
      { kind: 'pool', taskCount: 6, peak: 2, of: 'query' },
      { kind: 'sequential', taskCount: 4, of: 'check' },
    ]);
    const compiled = await observe(COMPILED[name], { backend, as: 'a.cjs' });
    expect(compiled.groups.map(told)).toEqual(groups);
    expect(compiled.err).toBe('');
  });
});

describe('code that was bundled with its libraries', () => {
  test('a library in the bundle is a library, and its pool stands where the program calls it', (context) => {
    const folder = needed(context, 'CORPUS', corpus);
    const dir = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
    try {
      const contents = `import pMap from 'p-map';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function fetchPage(id) { await sleep(15 + 4 * id); return id; }
await pMap([1, 2, 3, 4, 5, 6, 7, 8], fetchPage, { concurrency: 3 });`;
      const outfile = join(dir, 'bundle.mjs');
      buildSync({ stdin: { contents, resolveDir: folder, sourcefile: 'crawl.mjs' }, bundle: true, platform: 'node', format: 'esm', sourcemap: true, outfile });
      const report = join(dir, 'report.json');
      execFileSync(process.execPath, [resolve(import.meta.dirname, '../../dist/cli.js'), 'run', '--quiet', '--report', report, '--', outfile], { cwd: dir });
      const { groups } = JSON.parse(readFileSync(report, 'utf8')) as { groups: readonly { kind: string; library: string | null; peak: number; tasks: readonly unknown[]; site: Site; taskSite: Site }[] };
      expect(groups).toHaveLength(1);
      const [{ kind, library, peak, tasks, site, taskSite }] = groups;
      expect({ kind, library, peak, tasks: tasks.length }).toEqual({ kind: 'pool', library: 'p-map', peak: 3, tasks: 8 });
      expect([site.file, taskSite.file].every((file) => file.endsWith('crawl.mjs'))).toBe(true);
      expect([site.line, taskSite.function]).toEqual([4, 'fetchPage']);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('an async generator that a compiler wrote for a language without them, where there is a source map', () => {
  const source = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function page(at) { await sleep(4); return { rows: [0, 1, 2, 3].map((row) => at + row), next: at + 4 < 11 ? at + 4 : null }; }
async function* rows() { let at = 0; while (at !== null) { const { rows, next } = await page(at); yield* rows; at = next; } }
async function store(row) { await sleep(10 + (row * 7) % 20); }
async function rail(source) { for await (const row of source) await store(row); }
async function main() { const all = rows(); await Promise.all([rail(all), rail(all), rail(all)]); }
main();`;
  const byEsbuild = (target: string, more: object = {}): string => transformSync(source, { target, format: 'cjs', sourcemap: 'inline', sourcefile: 'rows.ts', loader: 'ts', ...more }).code;
  const byTs = (target: ts.ScriptTarget): string =>
    ts.transpileModule(source, { fileName: 'rows.ts', compilerOptions: { target, module: ts.ModuleKind.CommonJS, downlevelIteration: true, inlineSourceMap: true, allowJs: true } }).outputText;
  const compiled: Record<string, string> = {
    'esbuild, for ES2017': byEsbuild('es2017'), 'esbuild, for ES2015': byEsbuild('es2015'), 'esbuild, for ES2017, minified': byEsbuild('es2017', { minify: true }),
    'TypeScript, for ES2017': byTs(ts.ScriptTarget.ES2017), 'TypeScript, for ES5': byTs(ts.ScriptTarget.ES5),
  };

  test.for(Object.keys(compiled))('is asked for work, and what is done with it are the tasks: %s', async (name) => {
    const { groups } = await observe(compiled[name], { as: 'rows.cjs' });
    expect(groups).toMatchObject([{ kind: 'pool', combinator: 'all', declared: 3, taskCount: 12, fulfilled: 12, site: { line: 6 }, taskSite: { line: 4 } }]);
  });

  test.for(['TypeScript, for ES2017', 'esbuild, for ES2017'])('the same without a source map: %s', async (name) => {
    const { groups } = await observe(compiled[name].replace(/\n\/\/# sourceMappingURL=.*/, ''), { as: 'rows.cjs' });
    expect(groups).toMatchObject([{ kind: 'pool', combinator: 'all', declared: 3, taskCount: 12, fulfilled: 12, taskSite: { function: 'store' } }]);
  });
});
