// @style task graph: stages start when the stages they need are done, at most 3 at once, a failed stage skips its dependents
// @expect stages: pool tasks=10 conc=3 ok=10 error=0 peak=3
const gt = require('../gt.cjs');
const g = gt.group({ name: 'stages', kind: 'pool', concurrency: 3, declared: 12 });

const needs = {
  install: [],
  lint: ['install'], types: ['install'], unit: ['install'], licenses: ['install'], docs: ['install'],
  bundle: ['types'], styles: ['lint'],
  e2e: ['bundle'],
  sizes: ['bundle'],
  publish: ['e2e', 'unit'],
  announce: ['publish'],
};

function runStage(name, n) { // @task stages
  const t = g.start(name);
  return new Promise((exit) => {
    setTimeout(() => exit(t.ok({ name, code: name === 'e2e' ? 1 : 0 })), name === 'install' ? 20 : gt.ms(n, 25, 60));
  });
}

class Pipeline {
  constructor(graph, width) {
    this.graph = graph;
    this.width = width;
    this.state = new Map(Object.keys(graph).map((name) => [name, 'waiting']));
    this.order = [];
  }
  names(state) { return [...this.state].filter(([, s]) => s === state).map(([name]) => name); }
  ready(name) { return this.graph[name].every((dep) => this.state.get(dep) === 'passed'); }
  blocked(name) { return this.graph[name].some((dep) => ['failed', 'skipped'].includes(this.state.get(dep))); }

  async run() {
    const running = new Map();
    for (;;) {
      for (const name of this.names('waiting')) if (this.blocked(name)) this.state.set(name, 'skipped');
      for (const name of this.names('waiting')) {
        if (running.size >= this.width) break;
        if (!this.ready(name)) continue;
        this.state.set(name, 'running');
        running.set(name, runStage(name, this.order.push(name)));
      }
      if (!running.size) return this.state;
      const { name, code } = await Promise.race(running.values()); // @group stages
      running.delete(name);
      this.state.set(name, code === 0 ? 'passed' : 'failed');
    }
  }
}

new Pipeline(needs, 3).run().then((state) => { // @group stages
  g.end();
  if (state.get('announce') !== 'skipped' || state.get('sizes') !== 'passed') process.exitCode = 1;
});
