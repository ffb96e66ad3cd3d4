// @style package resolver: registry.manifest(name) keeps in-flight promises in a Map around a shared limiter, so repeated look-ups become 11 requests, wave after wave of dependencies
// @expect manifests: pool tasks=11 conc=3 ok=11 error=0 peak=3
import gt from '../gt.cjs';

const g = gt.group({ name: 'manifests', kind: 'pool', concurrency: 3, declared: 11 });

const semaphore = (permits) => {
  const waiters = [];
  const acquire = () => (permits > 0 ? (permits--, Promise.resolve()) : new Promise((r) => waiters.push(r)));
  const release = () => { const w = waiters.shift(); if (w) w(); else permits++; };
  return {
    async use(fn) {
      await acquire();
      try { return await fn(); } finally { release(); }
    },
  };
};

const GRAPH = {
  app: ['http', 'log', 'cfg', 'db'],
  http: ['url', 'mime', 'debug'], log: ['color', 'debug'], cfg: ['yaml', 'debug'], db: ['pg', 'debug', 'url'],
  url: [], mime: [], debug: ['ms'], color: [], yaml: [], pg: ['ms'], ms: [],
};

class Registry {
  #sem = semaphore(3);
  #inflight = new Map();
  hits = 0;

  manifest(name) {
    const known = this.#inflight.get(name);
    if (known) { this.hits++; return known; }
    const pending = this.#sem.use(() => this.#download(name)); // @group manifests
    this.#inflight.set(name, pending);
    pending.catch(() => this.#inflight.delete(name));
    return pending;
  }

  async #download(name) { // @task manifests
    const t = g.start(name);
    await new Promise((r) => setTimeout(r, gt.ms(Object.keys(GRAPH).indexOf(name), 25, 70)));
    return t.ok({ name, dependencies: GRAPH[name] });
  }
}

const registry = new Registry();
const seen = new Set();
let wave = [...GRAPH.app, 'log', 'db', 'url', 'mime', 'color', 'yaml'];
let lookups = 0;
while (wave.length) {
  lookups += wave.length;
  const manifests = await Promise.all(wave.map((name) => registry.manifest(name))); // @group manifests
  const next = [];
  for (const m of manifests) {
    if (seen.has(m.name)) continue;
    seen.add(m.name);
    next.push(...m.dependencies.filter((d) => !seen.has(d)));
  }
  wave = next;
}
g.end();
if (seen.size !== 11 || registry.hits === 0 || lookups < 15) process.exitCode = 1;
