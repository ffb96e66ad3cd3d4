/** Where the group of a family stands, and its tasks. */
import type { ApiCall } from '../promises/api-calls';
import { chainFrameOf, mayGive } from './chains';
import { isModules, siteOf, topOf, userFrame, type Stack } from '../promises/places';
import { workUnder } from '../promises/only-call';
import { isPause } from '../promises/pauses';
import { frameAround, isUserCall, type PromiseNode } from '../promises/promise-node';
import { chainHeadOf } from '../promises/chain-links';
import { workOf } from '../promises/work-of';
import { callFrameOf, isAtTop } from '../promises/scopes';
import { isNamelessCall, taskSiteOf } from '../combinators/series';

/** What a family's calls were made by, and where they are taken. */
interface Around {
  /** The call of `Array.fromAsync` whose function it is. */
  readonly builtinCall: PromiseNode | undefined;
  /** The latest library call that made the function's calls. */
  readonly libraryCall: PromiseNode | undefined;
  /** Where a `race` or `all` takes them. */
  readonly collectFrame: Stack | undefined;
}

/** @param first the earliest of its calls @param others some of the rest @returns undefined where no code of the program's has to do with them */
export function familySite(first: PromiseNode, others: readonly PromiseNode[], { builtinCall, libraryCall, collectFrame }: Around): ReturnType<typeof siteOf> | undefined {
  const builtin = userFrame(builtinCall?.stack);
  if (builtin) return siteOf(builtin);
  const called = userFrame(topOf(first.stack)?.callers);
  const chain = first.chainEnd && !first.owner ? chainFrameOf(first) : undefined;
  const work = workForStream(first);
  if (work) { const at = callFrameOf(work); return at && siteOf(at); }
  // What a web stream asks for nobody has called: it stands where its function does.
  const frame = libraryCall ? (frameAround(libraryCall) ?? called) : (collectFrame ?? userFrame(chain?.callers) ?? beginningOf(first, others) ?? userFrame(first.stack));
  return frame && siteOf(frame);
}

/**
 * Where calls are begun. Functions that only hand on what code of a module asks them for at one place, again and again, are seen past: `const load = (id) => api.load(id)`,
 * `for (const id of ids) await load(id)`. Where all is begun in one run of code, the loop may stand in one of them: then it must have a name, and not that of one which runs what it is given.
 */
function beginningOf(first: PromiseNode, others: readonly PromiseNode[]): Stack | undefined {
  const head = chainHeadOf(first);
  // What a chain goes on with is called by none: it stands where that was begun.
  const frame = callFrameOf(first) ?? (head && callFrameOf(head));
  if (!isAtTop(first)) return frame;
  const isComeBackTo = others.some(({ tick }) => tick !== first.tick);
  const isSeenPast = (at: Stack): boolean => (isComeBackTo ? !isModules(at.place) : mayGive(at, undefined));
  let outer = frame;
  while (outer && isSeenPast(outer) && outer.callers?.awaits === false && outer.callers.place.kind === 'user') outer = outer.callers;
  return outer && isModules(outer.place) && others.every(({ stack }) => stack?.base?.place === outer.place) ? outer : frame;
}

/** `async write(row) { await insert(row); }`: the one call that was made in what a web stream has called, unless that only waits. */
function workForStream(call: PromiseNode): PromiseNode | undefined {
  const work = call.stack?.isForStream === true ? workUnder(call, call.made) : undefined;
  return work && isUserCall(work) && !isPause(work) ? work : undefined;
}

/** @param first the earliest of its calls @param api what it is, where they are calls of an API */
export function familyTaskSite(first: PromiseNode, api: ApiCall | undefined): ReturnType<typeof taskSiteOf> {
  if (api && first.inside) return taskSiteOf(first.inside);
  return api && !api.isWrapped ? siteOf(api.frame) : taskSiteOf(workForStream(first) ?? (isNamelessCall(first) ? workOf(first) : first));
}
