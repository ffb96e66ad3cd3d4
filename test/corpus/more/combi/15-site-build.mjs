// @style static site build: assets, pages and feed at once; the pages all at once inside, the assets copied one by one inside; real files
// @expect build: all tasks=3 conc=3 ok=3 error=0 peak=3
// @expect pages: all tasks=8 conc=8 ok=8 error=0 peak=8 parent=build/pages
// @expect assets: sequential tasks=6 conc=1 ok=6 error=0 peak=1 parent=build/assets
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';

const root = mkdtempSync(path.join(os.tmpdir(), 'site-'));
const src = path.join(root, 'static');
const out = path.join(root, 'public');
mkdirSync(src);
mkdirSync(out);
const assetNames = ['logo.svg', 'main.css', 'app.js', 'robots.txt', 'font.woff2', 'icon.png'];
for (const name of assetNames) writeFileSync(path.join(src, name), name.repeat(20));

const build = gt.group({ name: 'build', kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });
const posts = gt.range(8).map((n) => ({ n, slug: `post-${n}`, title: `Post ${n}` }));
const layout = (post) => `<!doctype html><title>${post.title}</title><h1>${post.title}</h1>`;

async function copyAsset(g, name, n) { // @task assets
  const t = g.start(name);
  await copyFile(path.join(src, name), path.join(out, name));
  await sleep(gt.ms(n, 25, 50)); // fingerprint
  t.ok();
}

async function renderPage(g, post) { // @task pages
  const t = g.start(post.slug);
  await sleep(gt.ms(post.n + 10, 20, 60)); // markdown
  await writeFile(path.join(out, `${post.slug}.html`), layout(post));
  t.ok();
}

async function copyAssets() { // @task build
  const t = build.start('assets');
  const g = gt.group({ name: 'assets', kind: 'sequential', concurrency: 1, declared: assetNames.length, parent: t });
  let n = 0;
  for (const name of assetNames) await copyAsset(g, name, n++); // @group assets
  g.end();
  t.ok();
}

async function renderPages() { // @task build
  const t = build.start('pages');
  const g = gt.group({ name: 'pages', kind: 'all', combinator: 'all', concurrency: 8, declared: 8, parent: t });
  await Promise.all(posts.map((post) => renderPage(g, post))); // @group pages
  g.end();
  t.ok();
}

async function writeFeed() { // @task build
  const t = build.start('feed');
  await sleep(30);
  await writeFile(path.join(out, 'feed.xml'), posts.map((post) => `<entry>${post.title}</entry>`).join(''));
  t.ok();
}

await Promise.all([copyAssets(), renderPages(), writeFeed()]); // @group build
build.end();
rmSync(root, { recursive: true });
