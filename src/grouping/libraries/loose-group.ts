/** A group of tasks that somebody starts one by one, with nothing that says how many at once: how they ran tells what it is. */
import type { GroupDraft } from '../drafts';

/** One task is no concurrency. */
const DRAWN_TASKS = 2;
/** In chunks there are none, but where a task was tried again. */
const MIN_REFILLS = 2;

export class LooseGroup {
  private running = 0;
  private peak = 0;
  private chunk = 1;
  private ended = 0;
  /** How many began in a chunk of which others were over already. */
  private refills = 0;

  constructor(private readonly draft: GroupDraft) {}

  get isDrawn(): boolean { return this.draft.taskCount >= DRAWN_TASKS; }

  /** A task is about to be added. @returns its chunk, 1-based; 0 where there are none */
  begins(): number {
    const { draft } = this;
    const isNew = this.running === 0 && this.ended > 0;
    const { kind } = draft.facts;
    if (isNew) {
      if (this.peak === 1) draft.change({ kind: 'sequential' });
      else if (kind === 'all' || kind === 'sequential') {
        draft.closeFirstChunk();
        draft.change({ kind: 'chunk' });
      }
      if (draft.facts.kind === 'chunk') this.chunk++;
    } else if (kind === 'chunk') {
      if (this.ended > 0) this.refills++;
      // Where the first ones happened to be through together, what takes the places of the next tells.
      if (this.refills >= MIN_REFILLS && this.refills * 2 >= this.chunk) draft.change({ kind: 'pool' });
    } else if (this.ended > 0 || kind === 'sequential') draft.change({ kind: 'pool' });
    this.running++;
    this.peak = Math.max(this.peak, this.running);
    // What ended in a chunk that is over is of no account to the next one.
    if (isNew) this.ended = 0;
    return draft.facts.kind === 'chunk' ? this.chunk : 0;
  }

  ends(): void {
    this.running--;
    this.ended++;
  }
}
