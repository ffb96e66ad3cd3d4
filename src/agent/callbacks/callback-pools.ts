/**
 * Pools that are made of callbacks alone, without a promise: `while (running < 3) job(queue.shift(), next)`. What can be
 * seen of them is what their jobs wait for: timers (`timer-waits.ts`) and requests to the system (`request-waits.ts`).
 *
 * What a function waits for in the wake of a callback that the same function had waited for, while others of its are still
 * pending, is the next task of a pool: the function was called again because one was through. Timers that put themselves off
 * again do that too, but there is nobody in between who asks for the next: they are steps of one job. A request that a callback
 * makes again itself is the next of a lane, `function next() { readFile(files.shift(), next) }`, if all of them go on like that;
 * else it tries again.
 */
import asyncHooks from 'node:async_hooks';
import type { AdapterSink } from '../adapters/sink';
import { type Call, type Family, type Origin, Put, type Wait } from './callback-put';
import { CallbackContexts } from './callback-contexts';
import { CallbackFamilies, isBesideOthers, isCalledAlike, overIn } from './callback-families';
import { Tellings } from './callback-tellings';
import type { CallStacks } from '../stacks/call-stacks';
import type { ProgramCall, ProgramFrame } from '../stacks/program-calls';
import type { Guard } from '../hooks';
import type { Observer } from '../promises/observer';
import { MAIN } from '../promises/runs';
import { Purse } from '../purse';

const { executionAsyncId } = asyncHooks;
// Taken now: a program may replace them later.
const setTimer = setTimeout;
const nextTick = process.nextTick.bind(process);

/** Functions of the program between two waits of a pool: the job, who calls it, and who said that a job is through. */
const MIN_FUNCTIONS = 3;
/** A library that calls the job stands for who calls it, and for who was told. */
const LIBRARYS = 2;
const MIN_TASKS = 3;
/** Requests made again by their own callbacks, as many as there are lanes and within these bounds, make lanes of them. */
const MIN_RENEWALS = 2;
const MAX_RENEWALS = 4;
/** Remembered of what is no pool yet. */
const MAX_PENDING = 4096;
/** Jobs that are through and were one after the other, remembered of a pool to come. */
const MAX_THROUGH = 64;
/** Helpers that wait for others. */
const HELPER = /^(?:sleep|delay|wait|pause|later|defer|after|setTimeout)$/i;
/** Whether a function that waits does so for itself. */
export const isNoHelper = ({ name }: ProgramFrame): boolean => !HELPER.test(name);

/** Milliseconds of the thread's clock, Node's number of the callback that runs, in whose wake, whether that has put it off, the async function that runs (0 for none), and the run of code. */
export interface Moment {
  readonly time: number;
  readonly run: number;
  readonly from: Put | undefined;
  readonly isTick: boolean;
  readonly running: number;
  readonly origin: Origin;
}

export class CallbackPools {
  private readonly families = new CallbackFamilies();
  readonly contexts = new CallbackContexts();
  private readonly timerLooks = new Purse(1000, 1);
  private readonly requestLooks = new Purse(10_000, 5);
  private readonly tellings: Tellings;
  private pending = 0;
  private readonly unfollowed: Put[] = [];
  /** What pools went on with, and nobody looked at. */
  missed = 0;

  constructor(
    private readonly sink: AdapterSink,
    private readonly observer: Observer,
    private readonly stacks: CallStacks,
    private readonly now: () => number,
    private readonly guard: Guard,
  ) {
    this.tellings = new Tellings(sink, (put, start) => { this.begin(put, start); });
  }

  /** Whether it is ours, or a reaction's, where the promise tells all that is to be known. */
  get isOthersWork(): boolean { return this.guard.busy || (this.observer.isReacting && !this.observer.isNodesReaction); }

  /** Whether a library runs the task, whose adapter tells of it. */
  get isLibrarys(): boolean { return this.sink.enteredTask !== undefined; }

  /** @returns who waits for something, unless too many do @param above the function that hears of it */
  look(above: (...args: never[]) => unknown, looks = this.timerLooks): ProgramCall | undefined {
    looks.refill(this.now());
    if (this.pending < MAX_PENDING && looks.take()) return this.stacks.captureCall(above);
    // What the callback of a pool's task goes on with is a part of it, or its next one.
    if (this.contexts.current()?.isInPool === true) this.missed++;
    return undefined;
  }

  /** As `look`, where requests to the system are made: there are many more of them than timers. */
  lookAtRequest(above: (...args: never[]) => unknown): ProgramCall | undefined { return this.look(above, this.requestLooks); }

  /** Forgets what is over and belongs to no pool. */
  flush(): void {
    this.contexts.flush();
    if (this.pending === 0) return;
    const now = this.now();
    for (const family of this.families.all) {
      if (family.group !== 0) continue;
      for (const put of family.pending) {
        if (put.isRunning) continue;
        family.isTree = true;
        family.hasTimeLimits ||= put.wait.isCalledOff(now);
        this.drop(put);
      }
    }
  }

  /** The process ends. */
  end(): void {
    const time = this.now();
    for (const { group, pending } of this.families.all) if (group !== 0) for (const put of pending) this.close(put, time);
  }

  /** What it waits for last may be over, and nobody was told. */
  private close(put: Put, time: number): void {
    for (const step of put.steps) this.close(step, time);
    if (put.isOver) this.finish(put, time);
  }

  /** Now, and in whose code. */
  moment(): Moment {
    return { time: this.now(), run: executionAsyncId(), ...this.contexts.context(), running: this.observer.running, origin: this.observer.origin };
  }

  /**
   * The program waits for something.
   * @param resource what Node knows it by when the callback runs
   * @param isWhole whether it is all that a task may be, and no piece of it as a `read` from a file
   * @param moment when it began to wait
   */
  begins(resource: object, wait: Wait, { frames }: ProgramCall, isWhole = false, moment = this.moment()): Put | undefined {
    const { time, run, from: known, isTick, running, origin } = moment;
    const at = frames.findIndex(isNoHelper);
    if (at < 0) return undefined;
    const job = frames[at];
    const others = frames.slice(at);
    // The innermost callback is the job's own.
    const own = isTick ? others : others.slice(0, -1);
    const handed = own.find(({ library }) => library !== '' && !this.sink.tellsOf(library));
    const family = this.families.of({ job, handed, others, from: known, run, isTick }, known !== undefined || run > MAIN ? 0 : running);
    const isHanded = handed !== undefined && handed.fn === family.handed?.fn;
    // A library that calls for more in a tick of its own was told that one is through.
    const from = known ?? (isTick && isHanded ? overIn(family) : undefined);
    const before = from?.jobOf(family);
    const call: Call = { run, place: job.stack, callers: others[1]?.stack ?? 0, origin };
    const { latest } = family;
    if (latest?.isBeside(wait, call) === true) return this.addBeside(latest, new Put(family, wait, call, time, time, from), resource);
    // A stream of Node's was told that the job is through, and asks for the next one, maybe a tick later; in a known pool it may be anybody then.
    const isForStream = own.some(({ isByStream }) => isByStream);
    // The same functions call for the next one as for the first, once that is through: `setImmediate(pump)`. `setTimeout(pump, 20)` may be a poll, where no others are at work.
    const isPutOff = before !== undefined && (isTick || (from !== before && isBesideOthers(family, before))) && isCalledAlike(family, others);
    const isToldInTick = isTick && family.group !== 0;
    // `setTimeout(nextRound, 20)` once the last is through: the callback is who began the round before.
    const isNextRounds = !isTick && from !== before && family.rounds.isBehindRound(run) && family.isCalledBy(others[others.length - 1].fn);
    const functions = new Set((isPutOff ? others : own).map(({ fn }) => fn)).size + (isForStream || isToldInTick || isPutOff || isNextRounds ? 1 : 0) + (job.isByStream ? 1 : 0) + (isHanded ? LIBRARYS : 0);
    const isRenewal = before !== undefined && functions < MIN_FUNCTIONS;
    // Of a known pool nobody was told that its job is through.
    const isUntold = before !== undefined && family.teller !== 0 && !frames.some(({ fn }) => fn === family.teller || fn === family.pool);
    // `async.retry`: a library calls it again, of whose tasks an adapter tells, and this is none.
    const isRetry = before !== undefined && from !== before && !this.isLibrarys && this.sink.tellsOf(others[others.length - 1].library);
    const goesOn = isUntold || isRetry || (before !== undefined && isStepAgain(before, family)) || isRenewal && (!isWhole || !from?.isRequestsOnlySince(before) || (family.group !== 0 && !family.isLanes));
    const isNextRound = !goesOn && family.rounds.isFirstIn(run) && this.endRound(family, before, time);
    // `queue.resume()`: the pool's function is called, and nobody says that a job is through.
    const isResumed = family.teller !== 0 && family.teller !== family.pool && !frames.some(({ fn }) => fn === family.teller);
    if (from && before && from !== before && !goesOn && !isTick && (isPutOff || isNextRounds || isResumed)) this.endBefore(from.family, family);
    if (before && !goesOn) this.follows(before, from, family, isRenewal, time, others, isTick && !isHanded);
    // What the program goes on with once a pool is through, or before the next job is called for, is no part of the last one.
    const through = before ? undefined : from?.toldThrough(frames);
    if (through) this.complete(through, time);
    // Two may be through by the time that one look at the queue calls for the next two.
    if (before?.isThrough !== false && family.group !== 0) for (const one of [...family.pending]) this.close(one, time);
    const put = new Put(family, wait, call, time, isRenewal ? before.since : time, from);
    family.wereAtOnce ||= family.group === 0 && isBesideOthers(family, before);
    this.count(family);
    if (!before) family.lanes++;
    family.latest = put;
    this.keep(put, resource);
    if (goesOn) this.goOn(before, put, time);
    else if (from && !before && !through && !from.isThrough) addStep(from, put);
    const isThrough = family.callsFor && put.jobOf(family.callsFor);
    if (isThrough) this.complete(isThrough, time);
    if (family.group !== 0 && !goesOn) this.begin(put, put.start);
    else if (put.isFollowed) this.follow(put);
    if (!goesOn && !isRenewal && family.group === 0) this.addToRound(put, run, isNextRound);
    return put;
  }

  /** What jobs wait for last calls for the next ones: they are through when they begin to. */
  private endBefore(last: Family, jobs: Family): void {
    last.callsFor = jobs;
    for (const put of [...last.pending]) {
      const job = put.jobOf(jobs);
      if (job) this.complete(job, put.start);
    }
  }

  /** A call of a job waits for something else as well. @param put that @param resource as for `begins` */
  private addBeside(first: Put, put: Put, resource: object): Put {
    this.keep(put, resource);
    addStep(first, put);
    if (put.isFollowed) this.follow(put);
    return put;
  }

  private keep(put: Put, resource: object): void {
    put.family.pending.add(put);
    this.pending++;
    this.contexts.continue(put, resource);
  }

  private count(family: Family): void {
    const { enteredTask } = this.sink;
    family.count++;
    if (!enteredTask || enteredTask === family.latestIn) family.own++;
    family.latestIn = enteredTask;
  }

  /** Calls made in one go may be a round, of which the next comes in the wake of the last that is through. */
  private addToRound(put: Put, run: number, isNext: boolean): void {
    const { family } = put;
    for (const one of family.rounds.add(put, run, isNext)) {
      one.isWatched = true;
      this.follow(one);
    }
    if (family.rounds.isSecond && !areOthersTasks(family)) this.tellings.rounds(family);
  }

  /** Another callback begins calls of a family. @param before in whose wake @returns whether all earlier ones are through by now */
  private endRound({ group, pending, rounds }: Family, before: Put | undefined, time: number): boolean {
    if (!rounds.isRound || (group !== 0 && !rounds.isTold)) return false;
    let isOver = before !== undefined;
    for (const put of [...pending]) {
      if (put === before) continue;
      if (put.isRunning) isOver = false;
      else this.complete(put, time);
    }
    return isOver;
  }

  /** One more try, or piece, of what its job is at. */
  private goOn(before: Put, put: Put, time: number): void {
    const { outer } = before;
    if (outer?.family !== put.family) { addStep(before, put); return; }
    addStep(outer, put);
    this.complete(before, time);
  }

  /** A job is through in whose wake another one of the family's begins. @param isTick what that one has put off calls for it, and no library: what else does is not all heard of */
  private follows(before: Put, from: Put | undefined, family: Family, isRenewal: boolean, time: number, others: readonly ProgramFrame[], isTick: boolean): void {
    if (isRenewal) {
      family.renewals++;
      if (before.isRenewed) family.isTree = true;
      before.isRenewed = true;
    }
    if (family.group === 0 && family.count + 1 >= MIN_TASKS && !areOthersTasks(family) && isJoined(before, from, family) && !isTimeLimit(before, time)) {
      if (!isRenewal) this.tellings.pool(family, others);
      else if (areLanes(before, family)) { family.isLanes = true; this.tellings.pool(family, []); }
    }
    if (!isRenewal && !isTick && family.group === 0 && isInSeries(before, family) && !areOthersTasks(family) && !isTimeLimit(before, time)) this.tellings.series(family, others);
    this.complete(before, time);
  }

  private begin(put: Put, start: number): void {
    put.task = this.sink.writeTaskSince(put.family.group, start);
    this.follow(put);
    for (const step of put.steps) this.follow(step);
  }

  /** A request's callback is about to run. */
  called(put: Put): void {
    if (put.isFollowed) this.later(() => { if (put.isOver) this.finish(put, this.now()); });
  }

  /** Will see when its callback ran, once the program has set the timer: by now it has only made it. */
  private follow(put: Put): void {
    if (this.unfollowed.push(put) > 1) return;
    this.later(() => { for (const one of this.unfollowed.splice(0)) this.followNow(one); });
  }

  /** Sets a timer of our own behind the program's, which keeps nothing alive. */
  private followNow(put: Put): void {
    if (put.isThrough) return;
    const now = this.now();
    const { endedAt } = put.wait;
    if (endedAt !== undefined) { if (put.isOver) this.finish(put, endedAt); return; }
    const due = put.wait.due(now);
    if (due === undefined) return;
    const { guard } = this;
    const { busy } = guard;
    guard.busy = true;
    try {
      setTimer(() => {
        try { if (put.isOver) this.finish(put, this.now()); else this.follow(put); } catch { guard.failures++; }
      }, Math.max(1, Math.ceil(due - now))).unref();
    } finally {
      guard.busy = busy;
    }
  }

  /** Its callback ran, and asked for nothing more. */
  private finish(put: Put, time: number): void {
    for (const step of put.steps) {
      if (!step.wait.isCalledOff(time)) continue;
      put.steps.delete(step);
      this.drop(step);
    }
    if (put.steps.size > 0 || put.isThrough) return;
    // It called for no other one.
    if (put.family.group === 0) put.family.isTree = true;
    this.complete(put, time);
  }

  private complete(put: Put, time: number): void {
    if (put.isThrough) return;
    put.isThrough = true;
    put.cause = undefined;
    const { family: { group, through }, start, since, isRenewed, outer } = put;
    if (put.task !== 0) this.endTask(put.task, time);
    else if (group === 0 && !put.isFurtherStep && through.push({ start, since, end: time, isRenewed }) > MAX_THROUGH) through.shift();
    this.drop(put);
    for (const step of put.steps) this.drop(step);
    if (!outer) return;
    outer.steps.delete(put);
    if (outer.isOver) this.finish(outer, time); else if (outer.isFollowed) this.later(() => { if (outer.isOver) this.finish(outer, time); });
  }

  /** The promise for the task, where somebody was given one, is settled in the same run of code, before or after the next task begins. */
  private endTask(task: number, time: number): void {
    this.sink.writeEndAt(task, false, time);
    if (this.sink.writeSettledPromise(task)) return;
    this.later(() => { this.sink.writeSettledPromise(task); });
  }

  /** Does what only watches once the program's code that runs is through. */
  private later(work: () => void): void {
    nextTick(() => { try { work(); } catch { this.guard.failures++; } });
  }

  private drop(put: Put): void {
    if (put.family.pending.delete(put)) this.pending--;
    // What a round's last callback has put off is yet to run.
    if (!put.isOfRound) this.contexts.forget(put);
  }
}

function addStep(outer: Put, put: Put): void {
  put.outer = outer;
  outer.steps.add(put);
}

/**
 * Whether others tell of a family's jobs: most are what a library's tasks wait for, one in each, of which its adapter tells; or each stands behind a
 * promise of its own, as what an executor waits for does.
 */
const areOthersTasks = ({ own, count, job }: Family): boolean => own * 2 <= count || job.isExecutor;

/**
 * `function convert(file, done) { readFile(file, () => { retry(3, (cb) => upload(file, cb), done); }); }`: whether what is called again is the step of a job that goes on, as it is of
 * each of the others at work: these follow one another, and each is at one such step at a time. Of lanes that only begin with a step, as with a connection, none follows.
 */
function isStepAgain(before: Put, { group, pending }: Family): boolean {
  const job = before.ofJob;
  if (!job || group !== 0 || job.family.lanes === job.family.count) return false;
  let isOfOthers = false;
  for (const put of pending) {
    if (put === before || !put.isRunning) continue;
    if (put.ofJob === job || put.ofJob?.family !== job.family) return false;
    isOfOthers = true;
  }
  return isOfOthers;
}

/** Whether a timer was to end what takes too long: others of its kind were called off. */
function isTimeLimit({ wait, family }: Put, time: number): boolean {
  if (!wait.isRequest) for (const other of family.pending) family.hasTimeLimits ||= other.wait.isCalledOff(time);
  return !wait.isRequest && family.hasTimeLimits;
}

/** Whether others of the family are pending where one is through, which did not begin in its wake. */
function isJoined(through: Put, from: Put | undefined, { pending }: Family): boolean {
  for (const put of pending) if (put !== through && put.isRunning && put.cause !== from) return true;
  return false;
}

/** The next one is called for in the wake of another. @returns whether enough have been one after the other for a loop */
function isInSeries(before: Put, family: Family): boolean {
  return ++family.inSeries >= MIN_TASKS - 1 && !family.wereAtOnce && !isBesideOthers(family, before);
}

/** Whether all requests of the family went on with the next one, as lanes do that take from one queue. */
function areLanes(before: Put, { isTree, renewals, lanes, pending }: Family): boolean {
  if (isTree || renewals < Math.max(MIN_RENEWALS, Math.min(lanes, MAX_RENEWALS))) return false;
  for (const put of pending) if (put !== before && !put.isRunning) return false;
  return true;
}
