/** Bursts of one function's calls at one place, one after the other: each is a chunk, or what there was room for in a pool. */
import type { GroupDraft } from '../drafts';
import type { Place } from '../promises/places';

/** The calls whose bursts they are. */
interface Calls {
  readonly draft: GroupDraft | undefined;
  /** Where the first of them was made. */
  readonly firstPlace: Place | undefined;
  /** Whether one of them was made there. */
  isCalledAt(place: Place): boolean;
  /** Brings their group up to date. */
  update(): GroupDraft | undefined;
}

export class BurstRounds {
  /** Which of several bursts the calls are, 1-based; 0 where they are none. */
  private round = 0;
  private before: BurstRounds | undefined;

  constructor(private readonly calls: Calls) {}

  /** Whether the calls were made in one go. */
  get isBurst(): boolean { return this.round > 0 && this.calls.draft?.facts.kind !== 'pool'; }
  /** Whether there was none before them. */
  get isFirst(): boolean { return this.round === 1; }
  /** Which chunk they are, 1-based; 0 where they are none. */
  get chunk(): number { return this.round > 1 ? this.round : 0; }

  /** The calls come after others, which are over: they are remembered where they were a burst. */
  follow(others: BurstRounds): void { this.before = others.isBurst ? others : undefined; }

  /** Whether the burst before was made at the same place. */
  get isAgain(): boolean { return this.burstBefore !== undefined; }

  private get burstBefore(): BurstRounds | undefined {
    const { before } = this;
    const place = before?.isBurst ? this.calls.firstPlace : undefined;
    return place && before?.calls.isCalledAt(place) ? before : undefined;
  }

  /** The calls turned out to be a burst. @returns the group that they are a further chunk of; undefined where they are the first */
  begin(): GroupDraft | undefined {
    const { burstBefore } = this;
    this.before = undefined;
    this.round = (burstBefore?.round ?? 0) + 1;
    const draft = burstBefore?.calls.update();
    if (burstBefore?.isFirst) {
      draft?.change({ kind: 'chunk' });
      draft?.closeFirstChunk();
    }
    return draft;
  }

  /** The calls turned out to be no burst. */
  end(): void { this.round = 0; }

  /** The burst before had begun what there was room for, and was through by chance before there came more. @returns its group: it is one pool with what took its places */
  refilled(): GroupDraft | undefined {
    const { burstBefore } = this;
    this.before = undefined;
    return burstBefore?.isFirst ? burstBefore.calls.update() : undefined;
  }
}
