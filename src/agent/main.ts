/**
 * Preloaded into the user's process (`NODE_OPTIONS=--require …/agent.cjs`). Writes facts into the folder that
 * `AgentEnv.folder` names; without one it does nothing. It can only do nothing, never harm: no exception leaves it, it
 * prints nothing, keeps nothing alive and leaves no trace in the global scope.
 */
import { join } from 'node:path';
import workerThreads from 'node:worker_threads';
import { AgentEnv, Fact, FACT_VERSION, factFileName, TextKind, type Hello } from '../model/facts';
import { watchLibraries } from './adapters/install';
import { AdapterSink } from './adapters/sink';
import { watchWithAsyncHooks } from './promises/backend-async-hooks';
import { watchWithV8 } from './promises/backend-v8';
import { isBystander } from './process/bystander';
import { CallbackPools } from './callbacks/callback-pools';
import { CallStacks } from './stacks/call-stacks';
import { ChildPools } from './callbacks/child-pools';
import { ErrorWords } from './promises/error-words';
import { LibraryPromises } from './promises/library-promises';
import { FactWriter } from './fact-writer';
import type { Guard } from './hooks';
import { HotStretches } from './promises/hot-stretches';
import { LoopWatch, watchCollections } from './process/loop-watch';
import { Observer } from './promises/observer';
import { Outcomes } from './promises/outcomes';
import { Peers } from './process/peers';
import { canLeavePromises, PoolRequests } from './process/pool-requests';
import { RequestNames } from './process/request-names';
import { RequestWaits } from './callbacks/request-waits';
import { watchTimers } from './callbacks/timer-waits';
import { listen } from './process/unseen-listeners';

/** How often is looked, in milliseconds, at what no hook tells of; and that what the disk did not take is tried again. */
const FLUSH_MS = 25;

function start(folder: string): void {
  const { threadId } = workerThreads;
  const writer = new FactWriter(join(folder, factFileName(process.pid, threadId, performance.timeOrigin)));
  const backend = process.env[AgentEnv.backend] === 'async_hooks' ? 'async_hooks' : 'v8';
  const hello: Hello = {
    version: FACT_VERSION, pid: process.pid, ppid: process.ppid, threadId, timeOrigin: performance.timeOrigin,
    node: process.version, backend, argv: process.argv.slice(0, 64).map((arg) => arg.slice(0, 256)), cwd: process.cwd(),
    requests: backend === 'async_hooks' || canLeavePromises(),
  };
  writer.text(TextKind.hello, 0, JSON.stringify(hello));
  writer.flush();

  const now = performance.now.bind(performance);
  const guard: Guard = { busy: false, failures: 0, hook: start as (...args: never[]) => unknown, settledHook: start as (...args: never[]) => unknown, takeOut: () => 0, idOf: () => 0, newId: () => 0 };
  const stacks = new CallStacks(writer, now);
  const words = new ErrorWords((text) => stacks.stringOf(text));
  const outcomes = new Outcomes(writer, (work) => {
    const { busy } = guard;
    guard.busy = true;
    try { work(); } catch { guard.failures++; } finally { guard.busy = busy; }
  }, (id) => observer.ring.isCombinator(id), (id) => observer.ring.isHandled(id), words);
  const hot = new HotStretches(writer, now, backend);
  const observer: Observer = new Observer(writer, stacks, outcomes, now, guard, hot);
  const libraries = new AdapterSink(writer, observer, stacks, now, guard, words, new LibraryPromises(observer, outcomes, guard, stacks, writer));
  const loop = new LoopWatch(writer, now());
  const requests = new PoolRequests(writer, now, guard);

  const pools = new CallbackPools(libraries, observer, stacks, now, guard);

  const children = new ChildPools(libraries, observer, stacks, now, guard);

  const flushing = setInterval(() => {
    hot.tick();
    outcomes.forgetElements();
    outcomes.ask();
    outcomes.forgetUnhandled();
    libraries.flush();
    loop.look(now(), FLUSH_MS);
    requests.flush();
    pools.flush();
    children.flush();
    writer.retry();
  }, FLUSH_MS).unref();

  let crashed = false;
  // Made for watching: it neither handles the error nor keeps it from ending the process.
  listen('uncaughtExceptionMonitor', () => { crashed = true; });
  listen('exit', (code: number) => {
    outcomes.lookAtAll();
    libraries.flush();
    loop.look(now(), FLUSH_MS);
    requests.flush();
    pools.end();
    children.flush();
    hot.comeBack();
    writer.goDirect();
    const missed = guard.failures + pools.missed + observer.missed;
    if (missed > 0) writer.record(Fact.dropped, 0, 0, missed, 0, 0, 0, 0);
    writer.record(Fact.end, crashed ? 1 : 0, 0, code + 1, 0, now(), 0, 0);
  });

  if (backend === 'async_hooks') watchWithAsyncHooks({ observer, guard, requests, hot });
  else watchWithV8({ observer, guard, requests, hot });
  libraries.quietly(() => { watchCollections(writer, () => { guard.failures++; }); });
  libraries.quietly(() => { watchTimers(flushing, pools, now, guard); });
  const waits = new RequestWaits(pools, now, guard);
  libraries.quietly(() => { waits.watch(); });
  const names = new RequestNames(writer, observer, stacks, guard);
  libraries.quietly(() => { names.watch(); });
  const peers = new Peers(writer, observer, stacks, guard, now, children, pools.contexts);
  libraries.quietly(() => { peers.watch(); });
  watchLibraries(libraries);
}

try {
  const folder = process.env[AgentEnv.folder];
  if (folder && !isBystander(process.argv)) start(folder);
} catch { /* a program that cannot be watched runs as if nobody had tried */ }

/** For the line that adapters put at the end of an ES module. */
export { adaptExport } from './adapters/install';
