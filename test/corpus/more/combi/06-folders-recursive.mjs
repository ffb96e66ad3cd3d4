// @style du: every entry of a folder at once, folders call themselves (Promise.all in Promise.all, as deep as the tree)
// @difficulty hard: recursion, one call site makes groups of every depth
// @expect dir-*: all groups=5 error=0
import { mkdtempSync, mkdirSync, writeFileSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import gt from '../gt.cjs';

const root = mkdtempSync(join(tmpdir(), 'du-'));
for (const f of ['a/1', 'a/2', 'a/x/3', 'a/x/4', 'a/x/5', 'b/6', 'b/7', 'c/8', 'c/9', 'c/10', '11', '12']) {
  mkdirSync(join(root, f, '..'), { recursive: true });
  writeFileSync(join(root, f), 'x'.repeat(f.length * 100));
}

async function sizeOf(path, entry, group) { // @task dir-*
  const t = group.start(entry.name);
  const full = join(path, entry.name);
  if (entry.isDirectory()) return t.ok(await du(full, t));
  const { size } = await stat(full);
  await new Promise((r) => setTimeout(r, 20 + (size % 700) / 10)); // a slow network share
  return t.ok(size);
}

async function du(path, parent = null) {
  const entries = await readdir(path, { withFileTypes: true });
  const g = gt.group({ name: 'dir-' + (path.slice(root.length + 1) || '.'), kind: 'all', combinator: 'all', concurrency: entries.length, declared: entries.length, parent });
  const sizes = await Promise.all(entries.map((e) => sizeOf(path, e, g))); // @group dir-*
  g.end();
  return sizes.reduce((a, b) => a + b, 0);
}

await du(root);
rmSync(root, { recursive: true });
