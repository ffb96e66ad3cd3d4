/** The default backend: `v8.promiseHooks`, the layer under async_hooks, at a third to a half of its price. */
import v8 from 'node:v8';
import type { Hooks } from '../hooks';
import { isOfSubclass } from '../node-util';
import { UNWATCHED } from './observer';
import { SteppingBack } from './stepping-back';
import { watchRequests } from '../process/pool-requests';

/** Lets a class body put private fields on an object made elsewhere: invisible to inspect, keys and proxies. As the heir of nothing it makes no object of its own. */
class Returned extends (null as unknown as ObjectConstructor) {
  // @ts-expect-error -- there is nothing for it to call
  constructor(object: object) { return object; }
}
class Stamp extends Returned {
  /** The promise's number; of what only a step of Node's own code is kept of, minus that; 0 of what is not watched. */
  #id: number;
  readonly #owner: number;
  /** One lives as long as the agent: what V8 has made of code for promises with a number is thrown away once there is none. */
  static readonly alive = new Stamp(Promise.resolve(), 0, 0);
  constructor(promise: object, id: number, owner: number) {
    super(promise);
    this.#id = id;
    this.#owner = owner;
  }
  static has(promise: object): boolean { return #id in promise; }
  static id(promise: object): number { return #id in promise ? promise.#id : 0; }
  static owner(promise: object): number { return #id in promise ? promise.#owner : 0; }
  /** @returns whether the promise has a number that can be set */
  static setId(promise: object, id: number): boolean {
    if (!(#id in promise)) return false;
    promise.#id = id;
    return true;
  }
}

const { promiseHooks } = v8;

let lastId = 0;

function stamp(promise: object, id: number, owner: number): void { new Stamp(promise, id, owner); }

/** A promise older than the agent is given a number when it is first met. */
function idOfParent(promise: object | undefined): number {
  if (promise === undefined) return 0;
  const known = Stamp.id(promise);
  if (known !== 0) return known;
  lastId = (lastId + 1) >>> 0;
  if (!Stamp.setId(promise, lastId)) stamp(promise, lastId, 0);
  return lastId;
}

/**
 * The latest promise, if it may be what `await` wraps a value in: that settles at once, is awaited at once, and is never heard of
 * again, so it needs no number. Any other gets it as soon as something else comes.
 */
let fresh: Promise<unknown> | undefined;
let freshId = 0;
let freshOwner = 0;
let isFreshSettled = false;

function stampFresh(): void {
  if (fresh === undefined) return;
  const promise = fresh;
  fresh = undefined;
  stamp(promise, freshId, freshOwner);
}

/** @returns the number of what a promise is derived from */
function takeParent(parent: Promise<unknown> | undefined): number {
  if (fresh !== undefined) {
    if (parent === fresh && isFreshSettled) {
      fresh = undefined;
      return freshId;
    }
    stampFresh();
  }
  return idOfParent(parent);
}

export function watchWithV8({ observer, guard, requests, hot }: Hooks): void {
  function init(promise: Promise<unknown>, parent: Promise<unknown> | undefined): void {
    if (guard.busy) return;
    guard.busy = true;
    hot.made();
    try {
      const parentId = takeParent(parent);
      const id = (lastId = (lastId + 1) >>> 0);
      const owner = parentId === 0 && isOfSubclass(promise) ? observer.initOfSubclass(id) : observer.init(id, parentId, parent);
      if (observer.madeStep !== 0) stamp(promise, -observer.madeStep, owner);
      else if (owner !== UNWATCHED) {
        if (observer.mayBeValue(id)) {
          fresh = promise;
          freshId = id;
          freshOwner = owner;
          isFreshSettled = false;
        } else stamp(promise, id, owner);
        return;
      }
      // To V8 it is dearer to find that a promise has no number than to find a zero.
      else stamp(promise, 0, 0);
      // What is not watched takes none up: the fewer there are, the less memory is gone through.
      if (lastId === id) lastId = id - 1;
    } catch { guard.failures++; } finally { guard.busy = false; }
  }
  guard.hook = init;
  guard.takeOut = (parent) => {
    lastId = (lastId + 1) >>> 0;
    if (parent) Stamp.setId(parent, lastId);
    return lastId;
  };
  guard.idOf = (promise) => {
    if (promise === fresh) return freshId;
    if (!back.areStrange || Stamp.has(promise)) return Math.max(0, Stamp.id(promise));
    // Followed from now on; what has settled but now never will again.
    const id = idOfParent(promise);
    if (promise === back.latestSettled) observer.settled(id, undefined);
    return id;
  };
  guard.newId = () => (lastId = (lastId + 1) >>> 0);
  watchRequests(requests, () => { guard.failures++; });
  function settled(promise: Promise<unknown>): void {
    if (guard.busy) return;
    guard.busy = true;
    try {
      if (promise === fresh) {
        isFreshSettled = true;
        observer.settled(freshId, promise);
      } else {
        stampFresh();
        const id = Stamp.id(promise);
        if (id > 0) observer.settled(id, promise);
      }
    } catch { guard.failures++; }
    guard.busy = false;
  }

  function before(promise: Promise<unknown>): void {
    try {
      stampFresh();
      const id = Stamp.id(promise);
      if (id > 0) observer.before(id, Stamp.owner(promise));
      else if (id < 0) Stamp.setId(promise, -observer.beforeInner(-id, Stamp.owner(promise)));
      // Else it is a reaction of our own, or V8's, or nobody has looked at it.
      else if (back.areStrange && !Stamp.has(promise)) observer.beforeStrange();
    } catch { guard.failures++; }
  }

  function after(promise: Promise<unknown>): void {
    try {
      stampFresh();
      if (Stamp.id(promise) !== 0 || (back.areStrange && !Stamp.has(promise))) observer.after();
      back.stepBackIfDue();
    } catch { guard.failures++; }
  }

  const back = new SteppingBack({
    begin: () => promiseHooks.createHook({ init, settled, before, after }) as () => void,
    isKnown: (promise) => Stamp.has(promise),
    isFollowed: (promise) => Stamp.id(promise) !== 0,
    settledHook: settled,
    settled, before, after,
    comesBackIn: () => { /* Its reaction ends as that of any other. */ },
  }, { observer, guard, hot });
}
