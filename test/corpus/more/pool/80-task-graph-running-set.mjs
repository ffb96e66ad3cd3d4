// @style dependency graph: each turn of the loop finds what is ready, starts up to 3 into a Set (then(ok, fail).finally(delete)), awaits Promise.race(set); what depends on a failure is never started
// @expect steps: pool tasks=8 conc=3 ok=7 error=1 peak=3 notStarted=2
import gt from '../gt.cjs';
const g = gt.group({ name: 'steps', kind: 'pool', concurrency: 3, declared: 10 });

export async function runGraph(nodes, width) {
  const waiting = new Map(nodes.map((n) => [n.id, n]));
  const outcome = new Map();
  const running = new Set();
  const good = (id) => outcome.get(id)?.state === 'good';
  while (waiting.size || running.size) {
    const ready = [...waiting.values()].filter((n) => n.needs.every(good));
    for (const n of [...waiting.values()].filter((n) => n.needs.some((d) => outcome.get(d)?.state === 'bad'))) {
      outcome.set(n.id, { state: 'bad', why: 'a dependency failed' });
      waiting.delete(n.id);
    }
    while (running.size < width && ready.length) {
      const node = ready.shift();
      waiting.delete(node.id);
      const job = node.run().then(
        (value) => outcome.set(node.id, { state: 'good', value }),
        (error) => outcome.set(node.id, { state: 'bad', why: error.message }),
      ).finally(() => running.delete(job));
      running.add(job);
    }
    if (running.size) await Promise.race(running); // @group steps
    else if (waiting.size && ![...waiting.values()].some((n) => n.needs.some((d) => outcome.get(d)?.state === 'bad'))) throw new Error('cycle in the graph');
  }
  return nodes.map((n) => outcome.get(n.id));
}

let serial = 0;
const node = (id, needs = [], broken = false) => {
  const nr = serial++;
  return {
    id,
    needs,
    run: async () => { // @task steps
      const t = g.start(id);
      await new Promise((r) => setTimeout(r, gt.ms(nr, 25, 70)));
      if (broken) throw t.fail(new Error(`${id} does not build`));
      return t.ok(id.length);
    },
  };
};

const done = await runGraph([
  node('fetch'), node('schema'), node('assets'), node('types', ['schema']), node('styles', ['assets']),
  node('compile', ['fetch', 'types']), node('wasm', ['fetch'], true), node('docs', ['types']),
  node('bundle', ['compile', 'wasm']), node('publish', ['bundle', 'docs']),
], 3);
g.end(done.filter((o) => o.state === 'good').length === 7 ? 'ok' : 'error');
