/**
 * The reference backend: `async_hooks.createHook`. Dearer, and it leaves two symbols on every promise, which
 * `console.log(promise)` shows; it is there to check the other one against, and for what only it can see.
 */
import asyncHooks from 'node:async_hooks';
import { hiddenSymbol } from '../hidden';
import type { Hooks } from '../hooks';
import { putValue } from '../intrinsics';
import { isOfSubclass, isPromise } from '../node-util';
import { UNHEARD } from './inner-steps';
import { KnownPromises } from './known-promises';
import { UNWATCHED } from './observer';
import { SteppingBack } from './stepping-back';

const { createHook, executionAsyncId, executionAsyncResource } = asyncHooks;

/** Numbers for promises that Node has given none: downwards from here. Its own count from 1. */
const OUR_NUMBERS = 2 ** 32 - 1;
/** A library's own promises count upwards from here: which of two came later is read off their numbers. */
const LIBRARY_NUMBERS = 2 ** 31;
/** What runs as a reaction of a promise that nobody has looked at, which has no number yet. */
const STRANGE = -1;

export function watchWithAsyncHooks({ observer, guard, requests, hot }: Hooks): void {
  const known = new KnownPromises((id, isOld) => observer.ring.matters(id, isOld));
  const running: number[] = [];
  /** The parent of the promise that `init` is told of. */
  let taken = 0;
  /** The latest that Node gave while all were looked at, and the latest before some were not. */
  let newest = 0;
  let newestBefore = 0;
  let lowest = OUR_NUMBERS;
  let latestLibrarys = LIBRARY_NUMBERS;
  let isLooking = false;

  function init(id: number, type: string, trigger: number, resource: object): void {
    if (!isLooking) return;
    newest = id;
    if (type !== 'PROMISE') {
      try { requests.begin(id, type, resource); } catch { guard.failures++; }
      return;
    }
    if (guard.busy) return;
    guard.busy = true;
    hot.made();
    try {
      // Node hands on the parent's id as the trigger; a promise without a parent is triggered by what runs.
      const parent = trigger === executionAsyncId() ? 0 : trigger;
      const promise = resource as Promise<unknown>;
      const parentStep = parent === 0 ? 0 : known.step(parent);
      taken = parent;
      const owner = parent === 0 && isOfSubclass(promise) ? observer.initOfSubclass(id) : observer.init(id, parentStep === 0 ? parent : -parentStep, parent === 0 ? undefined : known.promise(parent));
      if (owner !== UNWATCHED) known.add(id, owner, observer.madeStep, promise, parent !== 0);
      // That it was looked at tells it from those that were not.
      else if (back.areStrange) known.add(id, 0, UNHEARD, promise, true);
      if (parent !== 0) known.release(parent);
    } catch { guard.failures++; }
    guard.busy = false;
  }

  guard.takeOut = () => {
    known.setStep(taken, 0);
    return taken;
  };
  guard.idOf = (promise) => {
    const id = idOn(promise);
    if (known.has(id)) return known.step(id) === 0 ? id : 0;
    return back.areStrange && (id === 0 || id > newestBefore) ? follow(promise as Promise<unknown>, id) : 0;
  };

  /** Of a promise that nobody has looked at it is heard from now on; what has settled but now never will again. @param id 0 for none @returns what it has then */
  function follow(promise: Promise<unknown>, id: number): number {
    if (id === 0) {
      if (idSymbol === undefined) return 0;
      // Node goes by what is there.
      putValue(promise, idSymbol, (id = --lowest));
    }
    if (promise === back.latestSettled) observer.settled(id, undefined);
    else known.add(id, 0, 0, promise, false);
    return id;
  }

  guard.newId = () => ++latestLibrarys;
  guard.hook = init as (...args: never[]) => unknown;
  function promiseResolve(id: number): void {
    if (guard.busy || !known.has(id)) return;
    guard.busy = true;
    try {
      if (known.step(id) === 0) observer.settled(id, known.promise(id));
      if (id < lowest) known.settled(id); else known.forget(id);
    } catch { guard.failures++; }
    guard.busy = false;
  }

  function before(id: number): void {
    try {
      const owner = known.owner(id);
      if (owner === undefined) {
        if (isStrange(id)) {
          running.push(id);
          observer.beforeStrange();
        } else requests.end(id);
        return;
      }
      const step = known.step(id);
      if (step === UNHEARD) return;
      running.push(id);
      if (step === 0) observer.before(id, owner);
      else known.setStep(id, observer.beforeInner(step, owner));
    } catch { guard.failures++; }
  }

  /** Whether a reaction begins of a promise that was made while nobody looked. */
  function isStrange(id: number): boolean { return back.areStrange && id > newestBefore && isPromise(executionAsyncResource()); }

  function after(id: number): void {
    const top = running[running.length - 1];
    if (top !== id && (top !== STRANGE || known.has(id))) return;
    running.pop();
    try {
      observer.after();
      // It is kept: the reaction of one that adopts another promise runs twice.
      known.ran(id);
      if (idSymbol !== undefined) back.stepBackIfDue();
    } catch { guard.failures++; }
  }

  function promiseResolveHook(id: number): void { if (isLooking) promiseResolve(id); }

  const hook = createHook({
    init,
    promiseResolve: promiseResolveHook,
    before(id) { if (isLooking) before(id); },
    after(id) { if (isLooking) after(id); },
  });
  /** While Node is at it to call hooks, it takes none away for good. */
  async function disableSoon(): Promise<void> {
    await undefined;
    if (!isLooking) hook.disable();
  }
  const back = new SteppingBack({
    begin() {
      isLooking = true;
      hook.enable();
      return () => {
        isLooking = false;
        newestBefore ||= newest;
        requests.lose();
        void disableSoon();
      };
    },
    isKnown(promise) {
      const id = idOn(promise);
      return id !== 0 && (id <= newest || known.has(id));
    },
    isFollowed: (promise) => known.has(idOn(promise)),
    settledHook: promiseResolveHook,
    settled: (promise) => { promiseResolve(idOn(promise)); },
    before: (promise) => { before(idOn(promise)); },
    after: (promise) => { after(idOn(promise)); },
    // Node gives it a number only as its reaction ends.
    comesBackIn: () => { running.push(STRANGE); },
  }, { observer, guard, hot });

  guard.busy = true;
  /** Under it Node keeps the number of a promise, and does not hand it out. */
  const idSymbol = hiddenSymbol(Promise.resolve(), 'async_id_symbol');
  guard.busy = false;

  /** @returns 0 for a promise that Node has given no number */
  function idOn(promise: object): number {
    const id: unknown = idSymbol === undefined ? 0 : (promise as Record<symbol, unknown>)[idSymbol];
    return typeof id === 'number' ? id : 0;
  }
}
