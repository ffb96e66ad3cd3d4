/** The reactions that run, one on top of the other: whose code each runs, and how far Node's own has come in it. */
const MAX_DEPTH = 4096;
/** What is kept of a reaction that another one runs on top of. */
const KEPT = 4;

export class Reactions {
  /** The promise whose reaction runs; 0 for none, and for one that only a step is kept of. */
  promise = 0;
  /** The async function whose code runs in it. */
  owner = 0;
  /** Whether what is derived next may be the outer promise's way to adopt another one. */
  adopting = false;
  /** How far Node's own code has come, where it runs; 0 elsewhere. */
  step = 0;
  private readonly outer = new Uint32Array(MAX_DEPTH * KEPT);
  private depth = 0;

  /** Whether code runs as the reaction of a promise. */
  get isAny(): boolean { return this.depth > 0; }

  /** Whether the one that runs is of a promise that nobody has looked at, and it is not known whose code it is. */
  get isStrange(): boolean { return this.depth > 0 && this.promise === 0 && this.owner === 0 && this.step === 0; }

  /** Puts one on top of the others. @param step of Node's own code; 0 for other code */
  enter(promise: number, owner: number, adopting: boolean, step: number): void {
    const { depth } = this;
    if (depth !== 0 && depth < MAX_DEPTH) {
      const top = depth * KEPT;
      this.outer[top] = this.promise;
      this.outer[top + 1] = this.owner;
      this.outer[top + 2] = this.adopting ? 1 : 0;
      this.outer[top + 3] = this.step;
    }
    this.depth++;
    this.promise = promise;
    this.owner = owner;
    this.adopting = adopting;
    this.step = step;
  }

  /** The innermost has ended; of what lay deeper than is kept nothing is known. */
  leave(): void {
    if (this.depth > 0) this.depth--;
    const top = this.depth * KEPT;
    const known = this.depth !== 0 && this.depth < MAX_DEPTH;
    this.promise = known ? this.outer[top] : 0;
    this.owner = known ? this.outer[top + 1] : 0;
    this.adopting = known && this.outer[top + 2] === 1;
    this.step = known ? this.outer[top + 3] : 0;
  }
}
