/**
 * What calls of one function are, as far as they tell yet: a pool, by starts that follow ends while others still run; a loop that does one
 * after the other; steps of another group's tasks; or nothing that anybody would look for.
 */
import { onlySubmit } from '../combinators/handed-over';
import type { GroupDraft } from '../drafts';
import type { ApiCall } from '../promises/api-calls';
import { isNamedWait, isWholeJob } from '../promises/pauses';
import { isCalledDirectly, type PromiseNode } from '../promises/promise-node';
import { areLoopOfTask, isBehindPause, isBehindTask, isContinuation, isReleased, isStep, isStepOfChain, isTasksOwn, isWaitForOthers, LOOP_TASKS, shareTask } from '../promises/task-owners';
import type { Arrivals } from './arrivals';
import { LoopDoubts, type DoubtedCalls } from './loop-doubts';
import { areRests, onlyAsksForWork, onlyWaitsForQueue, runsGroups } from './loop-signs';
import type { Occupancy } from './occupancy';

const POOL_TASKS = 3;
/** Calls of which it is waited to see whether a combinator has more of them than it was given, or whether one of them is work. */
export const MAX_UNSURE = 64;

/**
 * `left-alone`: nobody waits for them, so that they are a burst if anything. `others`: another group's work. `hand-overs`: none did any work
 * so far, which may go on so for ever. `open`: that is for later calls to tell, or for a combinator.
 */
type Verdict = 'pool' | 'sequential' | 'left-alone' | 'others' | 'hand-overs' | 'open';

/** Calls of one function under one anchor, and what is known of them as a whole. */
interface Calls extends DoubtedCalls {
  /** The group that was made of them. */
  readonly draft: GroupDraft | undefined;
  readonly callCount: number;
  /** In how many runs of code they were made: each turn of a loop that awaits is one of its own. */
  readonly runs: number;
  /** At how many places they were made; and whether they are of several functions, and made at one. */
  readonly placeCount: number;
  readonly isOfPlace: boolean;
  /** Those not drawn yet, in the order in which they were made. */
  readonly undrawn: readonly PromiseNode[];
  /** The latest that was no mere hand-over, over in the run of code that made it. */
  readonly lasting: PromiseNode | undefined;
  readonly occupancy: Occupancy;
  readonly arrivals: Arrivals;
  /** The first of them, where they are calls of Node or of a library that makes requests. */
  readonly api: ApiCall | undefined;
  /** The call of a library's that makes them, or of `Array.fromAsync`. */
  readonly libraryCall: PromiseNode | undefined;
  readonly builtinCall: PromiseNode | undefined;
  /** Where they are at work, where several functions bring them to a queue; and whether it is open if they do. */
  readonly fedIn: object | undefined;
  readonly mayBeFed: boolean;
  /** Whether a combinator takes them, or lanes of them; and whether that is a race. */
  readonly isCollected: boolean;
  readonly isRaced: boolean;
  /** Whether each made the next one. */
  readonly isChain: boolean;
  /** Whether a burst at the same place came before. */
  readonly areAgain: boolean;
}

export class FamilyVerdicts {
  private readonly doubts: LoopDoubts;

  constructor(private readonly calls: Calls) { this.doubts = new LoopDoubts(calls); }

  /** What the calls so far are. To be asked with each of them: some of what it goes by is gone later. */
  now(): Verdict {
    const isPool = this.arePool();
    if (!this.areAwaited() && !(isPool && this.calls.arrivals.areHeldBack)) return 'left-alone';
    if (isPool) return this.ofPool();
    if (this.areLoop()) return this.ofLoop();
    return this.calls.occupancy.peak === 1 && !this.calls.draft ? 'hand-overs' : 'open';
  }

  private arePool(): boolean {
    const { occupancy: { peak, refills }, callCount, runs, areAgain } = this.calls;
    return peak > 1 && ((refills > 0 && callCount >= POOL_TASKS) || (runs > 1 && (areAgain || this.raceForRoom)));
  }

  private areLoop(): boolean {
    const { earliest, callCount, runs, placeCount, isOfPlace, occupancy, isPause, api } = this.calls;
    return occupancy.peak === 1 && (callCount >= LOOP_TASKS || this.areRepeated()) && runs * 2 > callCount && (isOfPlace || placeCount < callCount) && !isPause && !areRests(earliest, api?.isNodes === true)
      && !earliest.every(isWaitForOthers) && !earliest.every(isContinuation) && !earliest.every(onlyAsksForWork) && !earliest.every(onlyWaitsForQueue) && !earliest.every(isNamedWait);
  }

  private ofPool(): Verdict {
    const { draft, libraryCall, earliest, isPause, isCollected, undrawn, builtinCall, fedIn, arrivals, occupancy, runs } = this.calls;
    // What chains of other functions' calls go on with are their steps, however many are at it. The first ones of lanes that pause seem to be what a function does that pauses.
    if (!draft && !libraryCall && ((earliest.every(isStepOfChain) && !undrawn.slice(-2, -1).some(isBehindPause)) || earliest.every(isReleased))) return 'open';
    // Pauses inside of tasks whose code we lost sight of.
    if (isPause && !libraryCall && !isCollected && !isWholeJob(earliest[0])) return 'open';
    if (draft) return 'pool';
    if (!libraryCall && !builtinCall && !fedIn && arrivals.comeFromOutside(occupancy.peak) && !arrivals.areOfClock) return 'open';
    // What a task keeps going at once is a pool of its own.
    if (undrawn.some(!libraryCall || shareTask(undrawn) || fedIn || areLoopOfTask(undrawn) ? isTasksOwn : isStep)) return this.ofOthers();
    if (!libraryCall && onlySubmit(undrawn)) return 'others';
    // Heads of chains, and what is raced: where there comes more of the same, a combinator over them only collects.
    if (!undrawn.some(isBehindTask)) return 'pool';
    // The next race tells.
    return undrawn.length > MAX_UNSURE && (runs > 2 || !this.raceForRoom) ? 'others' : 'open';
  }

  private ofLoop(): Verdict {
    const { draft, lasting, efforts, api, libraryCall, builtinCall, fedIn, arrivals, occupancy, callCount, undrawn } = this.calls;
    if (draft) return 'sequential';
    if (!lasting || efforts.areFed || (api && efforts.areSlight) || this.doubts.areThere(lasting)) return 'hand-overs';
    if (!libraryCall && !builtinCall && !fedIn && arrivals.comeFromOutside(occupancy.peak)) return 'open';
    // Two steps of a task are no loop of its yet.
    if (!fedIn && callCount < LOOP_TASKS && undrawn.some(isStep) && !undrawn.some(isTasksOwn)) return 'open';
    // What a task does one after the other are its steps.
    if (undrawn.some(fedIn || areLoopOfTask(undrawn) ? isTasksOwn : isStep)) return this.ofOthers();
    return !libraryCall && onlySubmit(undrawn) ? 'others' : 'sequential';
  }

  private ofOthers(): Verdict { return !this.calls.mayBeFed || this.calls.undrawn.length > MAX_UNSURE ? 'others' : 'open'; }

  /** Whether one place was come back to, and both calls are through with work of their own: another try of what had failed is none, and neither is one more pool of several. */
  private areRepeated(): boolean {
    const { callCount, api, isActive, placeCount, earliest } = this.calls;
    return callCount === 2 && !api && !isActive && placeCount === 1 && !earliest.some(({ rejected }) => rejected) && !earliest.some(runsGroups);
  }

  /** Whether a race waits for room, and the running function begins one after the other itself: several may be through by the time that there is some. */
  private get raceForRoom(): boolean { return this.calls.isRaced && this.calls.earliest.every(isCalledDirectly); }

  /** Somebody took the results so far; a listener called by events has nobody waiting for it. */
  private areAwaited(): boolean { return this.calls.builtinCall !== undefined || this.calls.isChain || this.calls.earliest.every((node) => node.consumed || node.isPending); }
}
