/**
 * Stretches in which promises come by the million a second. Looking at each of them takes several times as long as they do, so
 * where that goes on the agent steps back: promises made from then on are not looked at until it is over. What it knows of it
 * goes on following to its end, so that nothing is drawn longer or shorter than it was.
 */
import { Fact } from '../../model/facts';
import type { FactWriter } from '../fact-writer';

/** Promises between two looks at the clock. */
const WINDOW = 1 << 14;
/** Promises a millisecond, as they come while being looked at, from which on a stretch is hot: looking takes half of the time then. */
const HOT_RATE = { v8: 1000, async_hooks: 500 } as const;
/** Milliseconds at that rate: what is looked at of a hot stretch all the same, so that bursts are watched whole; and where it goes on behind a gap. */
const PATIENCE_MS = 96;
const PATIENCE_AGAIN_MS = 32;
/** Promises that a window which is not hot makes up for. */
const COOLING = 3 * WINDOW;
/** While nobody looks: reactions between two looks at the clock, and how many of them a millisecond are calm again. */
const UNSEEN_WINDOW = 1 << 8;
const CALM_RATE = 500;
/** Calm windows in a row, and milliseconds that they must last at least: a process may be kept from running for a while. */
const CALM_WINDOWS = 3;
const CALM_MS = 50;
/** Milliseconds of a gap, at the least, where the stretch had gone on behind the one before: twice as long each time, up to the longest. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;
/** A gap that goes on is told of piece by piece. */
const PIECE_MS = 100;
const MICROSECONDS = 1000;

export class HotStretches {
  /** Promises, or reactions that nobody looks at, to the next look at the clock. */
  private left = WINDOW;
  /** Milliseconds: the look before. */
  private looked: number;
  /** Promises of hot stretches, as far as they have not cooled down. */
  private heat = 0;
  /** Milliseconds: since when nobody looks; `NaN` while the agent looks. */
  private since = NaN;
  private pause = 0;
  /** What is yet to be told of the gap: since when, and how many reactions. */
  private untold = 0;
  private unseen = 0;
  private calm = 0;
  private calmSince = 0;
  /** Whether it is time to step back, as soon as no code runs half seen. */
  isDue = false;
  /** What the backend does where it is time to look again. */
  comesBack: () => void = () => { /* No backend looks yet. */ };

  private readonly hotRate: number;

  constructor(private readonly writer: FactWriter, private readonly now: () => number, backend: 'v8' | 'async_hooks') {
    this.hotRate = HOT_RATE[backend];
    this.looked = now();
  }

  /** Whether promises are made that nobody looks at. */
  get isSteppedBack(): boolean { return !Number.isNaN(this.since); }

  /** A promise is made, and looked at. */
  made(): void { if (--this.left === 0) this.judge(); }

  /** What was made just now takes next to no looking: a pool by hand that races what is under way again and again is not hot for that. */
  spare(): void { this.left++; }

  private judge(): void {
    const time = this.now();
    if (WINDOW > (time - this.looked) * this.hotRate) this.heat += WINDOW;
    else {
      this.heat = Math.max(0, this.heat - COOLING);
      if (this.heat === 0) this.pause = 0;
    }
    this.isDue = this.heat >= PATIENCE_MS * this.hotRate;
    this.left = WINDOW;
    this.looked = time;
  }

  /** From now on nobody looks. */
  stepBack(): void {
    const time = this.now();
    this.isDue = false;
    this.calm = 0;
    this.left = UNSEEN_WINDOW;
    this.since = this.looked = this.untold = time;
    this.writer.flush();
  }

  /** A reaction begins of a promise that nobody has looked at. @returns whether it has become calm enough to look again */
  isCalmAfter(): boolean { return --this.left === 0 && this.isCalm(); }

  private isCalm(): boolean {
    const time = this.now();
    if (UNSEEN_WINDOW > (time - this.looked) * CALM_RATE) this.calm = 0;
    else if (++this.calm === 1) this.calmSince = this.looked;
    this.unseen += UNSEEN_WINDOW;
    this.left = UNSEEN_WINDOW;
    this.looked = time;
    if (time - this.untold >= PIECE_MS) this.tell(time);
    return this.calm >= CALM_WINDOWS && time - this.calmSince >= CALM_MS;
  }

  /** To be called by a timer: that it has its turn may mean that a stretch is over. */
  tick(): void { if (this.now() - this.since >= this.pause) this.comesBack(); }

  /** Promises are looked at again, or the thread ends. */
  comeBack(): void {
    if (!this.isSteppedBack) return;
    const time = this.now();
    this.unseen += UNSEEN_WINDOW - this.left;
    this.tell(time);
    this.since = NaN;
    this.pause = Math.min(Math.max(FIRST_PAUSE_MS, this.pause * 2), LONGEST_PAUSE_MS);
    this.heat = (PATIENCE_MS - PATIENCE_AGAIN_MS) * this.hotRate;
    this.left = WINDOW;
    this.looked = time;
  }

  private tell(time: number): void {
    this.writer.record(Fact.gap, 0, 0, this.unseen, 0, time, (time - this.untold) * MICROSECONDS, 0);
    this.writer.flush();
    this.untold = time;
    this.unseen = 0;
  }
}
