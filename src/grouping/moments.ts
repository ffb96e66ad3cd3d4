/** How short is nothing, in milliseconds: the run of code that goes on takes as long, and clocks are told of it late. */

/** A wait shorter than this is how long it takes to get to the work, not a queue; what begins within it is the first thing that does. */
export const NO_WAIT_MS = 0.5;
/** What ends, or begins, within so long of another does so together with it. */
export const TOGETHER_MS = 0.5;
/** No work is done in less. */
export const NO_WORK_MS = 1;
