// @style a quota error in the second slice aborts the shared AbortController: neighbours reject at once, later slices never start, exit 3
// @exit 3
// @stderr
// @expect uploads: chunk tasks=8 conc=4 chunks=2 ok=5 error=3 peak=4 notStarted=8
import { setTimeout as delay } from 'node:timers/promises';
import gt from '../gt.cjs';

const g = gt.group({ name: 'uploads', kind: 'chunk', combinator: 'allSettled', concurrency: 4, size: 4, declared: 16 });
const took = [30, 50, 25, 40, /* second slice */ 20, 45, 130, 150];

class QuotaError extends Error { name = 'QuotaError'; }

async function upload(file, { signal, quota, abort }) { // @task uploads
  const t = g.start(file.n);
  try {
    await delay(took[file.n] ?? 30, undefined, { signal });
    quota.used += file.size;
    if (quota.used > quota.limit) {
      const err = new QuotaError(`used ${quota.used} of ${quota.limit}`);
      abort(err);
      throw err;
    }
    return t.ok(file.n);
  } catch (err) {
    throw t.fail(err);
  }
}

async function backup(files) {
  const controller = new AbortController();
  const context = {
    signal: controller.signal,
    quota: { used: 0, limit: 55 },
    abort: (reason) => controller.abort(reason),
  };
  const saved = [];
  for (let from = 0; from < files.length; from += 4) {
    if (controller.signal.aborted) throw controller.signal.reason;
    const results = await Promise.allSettled(files.slice(from, from + 4).map((file) => upload(file, context))); // @group uploads
    saved.push(...results.filter((r) => r.status === 'fulfilled').map((r) => r.value));
  }
  return saved;
}

try {
  await backup(gt.range(16).map((n) => ({ n, size: 10 })));
  g.end();
} catch (err) {
  g.end('error');
  console.error(`backup stopped: ${err.message}`);
  process.exitCode = 3;
}
