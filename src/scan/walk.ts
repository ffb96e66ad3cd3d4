/** The source files of a folder that its author wrote: what git ignores, and what was installed, is passed over. */
import { opendir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

const SOURCE = /\.[cm]?[jt]sx?$/i;
const NO_SOURCE = /\.(d\.[cm]?ts|min\.[cm]?js)$/i;
const PASSED_OVER = new Set(['node_modules', 'bower_components', 'jspm_packages', '.git', '.hg', '.svn', '.yarn', '.pnpm-store']);
/** Deeper than any tree a person has made. */
const MAX_DEPTH = 40;

/** The rules of one `.gitignore`, for paths below its folder. */
interface Rules { readonly folder: string; readonly rules: Ignore }

/** @param folder absolute path @returns absolute paths; links are not followed, folders that cannot be read are passed over */
export async function* sourcesIn(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(folder, await rulesAbove(folder), signal, 0);
}

async function* walk(folder: string, above: readonly Rules[], signal: AbortSignal, depth: number): AsyncGenerator<string> {
  const own = await rulesOf(folder);
  const rules = own ? [...above, own] : above;
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (signal.aborted) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!PASSED_OVER.has(entry.name) && !isIgnored(`${path}${sep}`, rules)) folders.push(path);
      } else if (entry.isFile() && SOURCE.test(entry.name) && !NO_SOURCE.test(entry.name) && !isIgnored(path, rules)) {
        yield path;
      }
    }
  } catch { /* No permission, or gone since. */ }
  if (depth === MAX_DEPTH) return;
  for (const inner of folders.sort()) yield* walk(inner, rules, signal, depth + 1);
}

/** The last rule that says anything of a path counts, as in git: inner files come after outer ones. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  let ignored = false;
  for (const { folder, rules: own } of rules) {
    // `relative` would lose the slash at the end that marks a folder.
    const inner = path.slice(folder.length + 1).replaceAll(sep, '/');
    const told = own.test(inner);
    if (told.ignored) ignored = true;
    if (told.unignored) ignored = false;
  }
  return ignored;
}

async function rulesOf(folder: string): Promise<Rules | undefined> {
  try {
    return { folder, rules: ignore().add(await readFile(join(folder, '.gitignore'), 'utf8')) };
  } catch {
    return undefined;
  }
}

/** A workspace may be a part of a repository, whose rules hold for it too. */
async function rulesAbove(folder: string): Promise<Rules[]> {
  const found: Rules[] = [];
  for (let inner = folder; ; ) {
    if (await exists(join(inner, '.git'))) return found;
    const outer = dirname(inner);
    if (outer === inner || relative(outer, folder).split(sep).length > MAX_DEPTH) return [];
    const rules = await rulesOf(outer);
    if (rules) found.unshift(rules);
    inner = outer;
  }
}

const exists = (path: string): Promise<boolean> => stat(path).then(() => true, () => false);
