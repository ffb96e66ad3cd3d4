// @style tasks are promises of a subclass, which a plain Promise.all takes
// @expect jobs: all tasks=5 conc=5 ok=5 error=0 peak=5
import gt from '../gt.cjs';
class Job extends Promise {
  static get [Symbol.species]() { return Promise; }
}
const g = gt.group({ name: 'jobs', kind: 'all', combinator: 'all', concurrency: 5, declared: 5 });
const run = (i) => new Job((resolve) => {
  const t = g.start(i);
  setTimeout(() => { t.ok(); resolve(i); }, gt.ms(i));
});
await Promise.all(gt.range(5).map(run)); // @group jobs @task jobs
g.end();
