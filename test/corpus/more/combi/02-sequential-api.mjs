// @style for-of with await of an API call itself, no function of its own
// @expect steps: sequential tasks=5 conc=1 ok=5 error=0 peak=1
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import gt from '../gt.cjs';
const run = promisify(execFile);
const g = gt.group({ name: 'steps', kind: 'sequential', concurrency: 1, declared: 5 });
for (let i = 0; i < 5; i++) {
  const t = g.start(i);
  await run('/bin/sleep', ['0.0' + (2 + i)]); // @group steps @task steps
  t.ok();
}
g.end();
