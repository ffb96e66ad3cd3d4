/**
 * The reference backend: `async_hooks.createHook`. Dearer, and it leaves two symbols on every promise, which
 * `console.log(promise)` shows; it is there to check the other one against, and for what only it can see.
 */
import asyncHooks from 'node:async_hooks';
import { hidden } from '../hidden';
import type { Hooks } from '../hooks';
import { KnownPromises } from './known-promises';
import { UNWATCHED } from './observer';

const { createHook, executionAsyncId } = asyncHooks;

export function watchWithAsyncHooks({ observer, guard, requests }: Hooks): void {
  const known = new KnownPromises((id, isOld) => observer.ring.matters(id, isOld));
  const running: number[] = [];
  /** The parent of the promise that `init` is told of. */
  let taken = 0;

  function init(id: number, type: string, trigger: number, resource: object): void {
    if (type !== 'PROMISE') {
      try { requests.begin(id, type, resource); } catch { guard.failures++; }
      return;
    }
    if (guard.busy) return;
    guard.busy = true;
    try {
      // Node hands on the parent's id as the trigger; a promise without a parent is triggered by what runs.
      const parent = trigger === executionAsyncId() ? 0 : trigger;
      const promise = resource as Promise<unknown>;
      const parentStep = parent === 0 ? 0 : known.step(parent);
      taken = parent;
      const owner = observer.init(id, parentStep === 0 ? parent : -parentStep, parent === 0 ? undefined : known.promise(parent));
      if (owner !== UNWATCHED) known.add(id, owner, observer.madeStep, promise, parent !== 0);
      if (parent !== 0) known.release(parent);
    } catch { guard.failures++; }
    guard.busy = false;
  }

  guard.takeOut = () => {
    known.setStep(taken, 0);
    return taken;
  };
  // Node keeps the number on the promise, under a symbol that it does not hand out.
  guard.idOf = (promise) => {
    const id = hidden(promise, 'async_id_symbol');
    return typeof id === 'number' && known.has(id) && known.step(id) === 0 ? id : 0;
  };
  guard.hook = init as (...args: never[]) => unknown;
  function promiseResolve(id: number): void {
    if (guard.busy || !known.has(id)) return;
    guard.busy = true;
    try {
      if (known.step(id) === 0) observer.settled(id, known.promise(id));
      known.settled(id);
    } catch { guard.failures++; }
    guard.busy = false;
  }
  guard.settledHook = promiseResolve;
  createHook({
    init,
    promiseResolve,
    before(id) {
      const owner = known.owner(id);
      if (owner === undefined) {
        try { requests.end(id); } catch { guard.failures++; }
        return;
      }
      running.push(id);
      try {
        const step = known.step(id);
        if (step === 0) observer.before(id, owner);
        else known.setStep(id, observer.beforeInner(step, owner));
      } catch { guard.failures++; }
    },
    after(id) {
      if (running[running.length - 1] !== id) return;
      // It is kept: the reaction of one that adopts another promise runs twice.
      running.pop();
      try {
        observer.after();
        known.ran(id);
      } catch { guard.failures++; }
    },
  }).enable();
}
