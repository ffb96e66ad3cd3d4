// @style p-map fed by an async generator of cursor pages, wrapped in a repository scanner: stopOnError false, pMapSkip, AbortSignal
// @lib p-map
// @expect repos: pool tasks=16 conc=4 ok=15 error=1 peak=4
import { setTimeout as sleep } from 'node:timers/promises';
import pMap, { pMapSkip } from 'p-map';
import gt from '../gt.cjs';

const PAGE = 6;
const ALL = gt.range(16).map((id) => ({ id, name: `repo-${id}`, archived: id % 6 === 5 }));

class ForgeClient {
  requests = 0;
  async list(after) {
    this.requests++;
    await sleep(10);
    const from = after ? ALL.findIndex((r) => r.name === after) + 1 : 0;
    const nodes = ALL.slice(from, from + PAGE);
    return { nodes, pageInfo: { hasNextPage: from + PAGE < ALL.length, endCursor: nodes.at(-1)?.name } };
  }
  async *repositories() {
    let after = null;
    for (;;) {
      const { nodes, pageInfo } = await this.list(after);
      yield* nodes;
      if (!pageInfo.hasNextPage) return;
      after = pageInfo.endCursor;
    }
  }
  async readFile(repo, file, { signal }) {
    await sleep(gt.ms(repo.id, 25, 70), undefined, { signal });
    if (repo.id === 7) throw Object.assign(new Error(`${file}: not found`), { status: 404 });
    return JSON.stringify({ name: repo.name, engines: { node: repo.id % 2 ? '>=20' : '>=18' } });
  }
}

class Scanner {
  #client; #concurrency; #cache = new Map();
  constructor(client, { concurrency }) { this.#client = client; this.#concurrency = concurrency; }

  async scan({ signal } = {}) {
    try {
      return await pMap(this.#client.repositories(), (repo) => this.#inspect(repo, signal), { concurrency: this.#concurrency, stopOnError: false, signal }); // @group repos
    } catch (err) {
      if (!(err instanceof AggregateError)) throw err;
      return { partial: [...this.#cache.values()], errors: err.errors };
    }
  }

  async #inspect(repo, signal) { // @task repos
    const t = g.start(repo.name);
    if (repo.archived) {
      await sleep(5); // its tombstone is in the cache of the disk
      t.ok();
      return pMapSkip;
    }
    try {
      const manifest = JSON.parse(await this.#client.readFile(repo, 'package.json', { signal }));
      this.#cache.set(repo.name, { name: manifest.name, node: manifest.engines.node });
      return t.ok(manifest);
    } catch (err) {
      throw t.fail(err, String(err.status));
    }
  }
}

const client = new ForgeClient();
const stop = new AbortController();
const g = gt.group({ name: 'repos', kind: 'pool', lib: 'p-map', concurrency: 4, declared: ALL.length });
const { partial, errors } = await new Scanner(client, { concurrency: 4 }).scan({ signal: stop.signal });
g.end();
if (partial.length !== 13 || errors.length !== 1 || client.requests !== 3) throw new Error(`${partial.length} repositories`);
