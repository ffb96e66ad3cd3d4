// @style task graph with dependencies: memoised run(name) awaits Promise.all(deps.map(run)), then does the step itself
// @expect build: all tasks=9 ok=9 error=0 peak=4
// @hard every node awaits a Promise.all of shared promises; the tasks wait for their dependencies before they begin
import gt from '../gt.cjs';

/** a tiny make(1) — from the post "Your build is a graph" */
class Makefile {
  #rules = new Map();
  #started = new Map();

  rule(target, needs, recipe) {
    this.#rules.set(target, { needs, recipe });
    return this;
  }

  make(target) {
    if (!this.#started.has(target)) this.#started.set(target, this.#build(target));
    return this.#started.get(target);
  }

  async #build(target) {
    const rule = this.#rules.get(target);
    if (!rule) throw new Error(`no rule to make target '${target}'`);
    const inputs = await Promise.all(rule.needs.map((need) => this.make(need)));
    return rule.recipe(target, inputs);
  }

  all() {
    return Promise.all([...this.#rules.keys()].map((target) => this.make(target))); // @group build
  }
}

const truth = gt.group({ name: 'build', kind: 'all', combinator: 'all', declared: 9 });
const cost = { install: 40, lint: 55, types: 80, css: 35, icons: 60, bundle: 70, unit: 90, docs: 25, zip: 30 };

async function step(target) { // @task build
  const t = truth.start(target);
  await new Promise((resolve) => setTimeout(resolve, cost[target]));
  return t.ok(`${target} ✓`);
}

const results = await new Makefile()
  .rule('install', [], step)
  .rule('lint', ['install'], step)
  .rule('types', ['install'], step)
  .rule('css', ['install'], step)
  .rule('icons', [], step)
  .rule('bundle', ['types', 'css', 'icons'], step)
  .rule('unit', ['types'], step)
  .rule('docs', ['lint'], step)
  .rule('zip', ['bundle', 'docs'], step)
  .all();

truth.end();
if (results.at(-1) !== 'zip ✓') process.exitCode = 1;
