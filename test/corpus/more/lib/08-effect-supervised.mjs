// @style effect: a fiber a job, started where another one is through; the slowest is interrupted at the end
// @lib effect
// @expect jobs: pool tasks=9 conc=3 ok=8 error=1 peak=3
import { Effect, Fiber, Queue } from 'effect';
import gt from '../gt.cjs';
const g = gt.group({ name: 'jobs', kind: 'pool', lib: 'effect', concurrency: 3, declared: 9 });
const job = (i) => Effect.suspend(() => {
  const t = g.start(i);
  return Effect.sleep(i === 4 ? 5_000 : gt.ms(i)).pipe( // @task jobs
    Effect.tap(() => Effect.sync(() => t.ok())),
    Effect.onInterrupt(() => Effect.sync(() => { t.fail(); })),
  );
});
await Effect.runPromise(Effect.gen(function* () {
  const free = yield* Queue.unbounded();
  let slowest;
  for (const i of gt.range(9)) {
    if (i >= 3) yield* Queue.take(free);
    const fiber = yield* job(i).pipe(Effect.ensuring(Queue.offer(free, i)), Effect.forkChild); // @group jobs @task jobs
    if (i === 4) slowest = fiber;
  }
  for (let left = 2; left > 0; left--) yield* Queue.take(free);
  yield* Fiber.interrupt(slowest);
  g.end();
}));
