/** Async functions as compilers write them for older languages: the groups are those of the source. */
import { transformSync } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { Group, Site } from '../../src/model/timeline';
import { observe } from './observed';

const FOLDER = join(import.meta.dirname, 'programs/compiled');
const SOURCE = readFileSync(join(FOLDER, 'pools.js'), 'utf8');

const byTypeScript = (target: ts.ScriptTarget): string =>
  ts.transpileModule(SOURCE, { compilerOptions: { target, module: ts.ModuleKind.CommonJS, downlevelIteration: true } }).outputText;

const COMPILED: Record<string, string> = {
  'TypeScript, for ES2016': byTypeScript(ts.ScriptTarget.ES2016),
  'TypeScript, for ES2015': byTypeScript(ts.ScriptTarget.ES2015),
  'TypeScript, for ES5': byTypeScript(ts.ScriptTarget.ES5),
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
