import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inspect } from '../../../src/inspect/inspect';
import type { Place } from '../../../src/inspect/place';

const CORPUS = join(import.meta.dirname, '..', '..', 'corpus');

interface Manifest {
  readonly scripts: readonly {
    readonly file: string;
    readonly difficulty: string;
    readonly expect: readonly { readonly name: string; readonly kind: string }[];
    readonly sites: Readonly<Record<string, { readonly group?: readonly number[] }>>;
  }[];
}

/** What a run shows at a place of each kind. */
function shownAs({ kind, combinator }: Place): string {
  switch (kind) {
    case 'pool': case 'library': return 'pool';
    case 'unbounded': case 'together': return combinator ?? 'all';
    case 'forEach': return 'all';
    default: return kind;
  }
}

it('finds nine of ten groups of ordinary scripts where they are, with their kind', () => {
  const { scripts } = JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) as Manifest;
  const missed: string[] = [];
  let marked = 0;
  for (const { file, difficulty, expect: groups, sites } of scripts) {
    if (difficulty !== 'normal') continue;
    const places = inspect(readFileSync(join(CORPUS, file), 'utf8'), file);
    for (const { name, kind } of groups) {
      for (const line of sites[name].group ?? []) {
        marked++;
        const here = places.filter((place) => place.line <= line && line <= place.endLine);
        if (!here.some((place) => shownAs(place) === kind)) missed.push(`${file}:${line} is ${kind}, not ${here.map(shownAs).join(' or ') || 'found'}`);
      }
    }
  }
  expect(marked).toBeGreaterThan(50);
  expect(1 - missed.length / marked, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
});
