// @style effect: fibers forked in a loop, each held by a semaphore of its own making; then two forked by hand and joined
// @lib effect
// @expect mails: pool tasks=8 conc=3 ok=7 error=1 peak=3
// @expect both: all tasks=2 conc=2 ok=2 error=0 peak=2
import { Effect, Fiber, Semaphore } from 'effect';
import gt from '../gt.cjs';
const mails = gt.group({ name: 'mails', kind: 'pool', lib: 'effect', concurrency: 3, declared: 8 });
const send = (i) => Effect.gen(function* () { // @task mails
  const t = mails.start(i);
  yield* Effect.sleep(gt.ms(i));
  if (i === 5) return yield* Effect.fail(t.fail(new Error('bounced')));
  return t.ok(i);
});
const load = (g, i) => Effect.gen(function* () { // @task both
  const t = g.start(i);
  yield* Effect.promise(() => new Promise((done) => setTimeout(done, gt.ms(20 + i))));
  return t.ok(i);
});
await Effect.runPromise(Effect.gen(function* () {
  const slots = yield* Semaphore.make(3);
  const fibers = [];
  for (const i of gt.range(8)) fibers.push(yield* send(i).pipe(slots.withPermits(1), Effect.forkChild)); // @group mails
  for (const fiber of fibers) yield* Fiber.await(fiber);
  mails.end();
  const both = gt.group({ name: 'both', kind: 'all', lib: 'effect', concurrency: 2, declared: 2 });
  const user = yield* Effect.forkChild(load(both, 0)); // @group both
  const posts = yield* Effect.forkChild(load(both, 1)); // @group both
  yield* Fiber.join(user);
  yield* Fiber.join(posts);
  both.end();
}));
