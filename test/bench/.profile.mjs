import { chromium } from 'playwright-core';
import { diagramPage, openDiagram } from './diagram.mjs';
import { build } from 'esbuild';
const diagram = await diagramPage();
diagram.scripts = await Promise.all(['webview/main.ts', 'test/bench/diagram-page.ts'].map(async (e) => (await build({ entryPoints: [e], bundle: true, minify: false, write: false, format: 'iife', target: 'chrome120' })).outputFiles[0].text));
const browser = await chromium.launch({ executablePath: (await import('../../scripts/tools.mjs')).findChromium(), args: ['--no-sandbox','--disable-gpu'] });
const n = Number(process.argv[2] ?? 1000), lanes = Number(process.argv[3] ?? 50);
const times = [];
for (let r = 0; r < 5; r++) {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' })).newPage();
  await openDiagram(page, diagram);
  const s = await page.context().newCDPSession(page);
  await s.send('Profiler.enable'); await s.send('Profiler.setSamplingInterval', { interval: 200 }); 
  if (r >= 1) await s.send('Profiler.start');
  times.push(Math.round(await page.evaluate(([l, c]) => window.bench.load(l, c), [lanes, n])));
  if (r >= 1) {
    const { profile } = await s.send('Profiler.stop');
    const self = new Map(); const total = new Map(); const byId = new Map(profile.nodes.map((x) => [x.id, x]));
    const parent = new Map(); for (const x of profile.nodes) for (const c of x.children ?? []) parent.set(c, x.id);
    profile.samples.forEach((id, i) => {
      const dt = profile.timeDeltas[i] / 1000; let seen = new Set();
      const name = (x) => `${x.callFrame.functionName || '(anon)'}:${x.callFrame.lineNumber}:${x.callFrame.columnNumber}`;
      self.set(name(byId.get(id)), (self.get(name(byId.get(id))) ?? 0) + dt);
      for (let at = id; at; at = parent.get(at)) { const k = name(byId.get(at)); if (!seen.has(k)) { seen.add(k); total.set(k, (total.get(k) ?? 0) + dt); } }
    });
    if (times.at(-1) > Math.min(...times)) { await page.context().close(); continue; }
    const top = (m) => [...m].sort((a, b) => b[1] - a[1]).slice(0, 45).map(([k, v]) => `${v.toFixed(1)} ${k}`).join('\n');
    console.log('SELF\n' + top(self)); console.log('TOTAL\n' + top(total));
  }
  await page.context().close();
}
console.log(times); await browser.close();
