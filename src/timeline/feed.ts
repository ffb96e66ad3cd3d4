/** Serves one view: a hello, all there is, and then what changes, no faster than the view takes it in. */
import { encodeFrame } from '../model/frames';
import { MAX_UNACKNOWLEDGED, PROTOCOL_VERSION, type Capabilities, type FromView, type Hello, type Place } from '../model/protocol';
import { isOver, type RunInfo, type RunState } from '../model/run';
import { Backlog } from './backlog';
import type { Timeline } from './timeline';

/** A run as a view needs it, live or recorded. */
export interface RunSource {
  /** Another object once more is known of the run. */
  readonly info: RunInfo;
  readonly timeline: Timeline;
  state(): RunState;
  /** Milliseconds after `timeOrigin`; stands still once the run is over. */
  now(): number;
  onDidChange(listener: () => void): { dispose(): void };
}

export interface FeedPort {
  /** @param frame a buffer of its own, which may be transferred */
  send(frame: ArrayBuffer): void;
}

export interface FeedOptions {
  /** BCP 47 tag. */
  readonly locale: string;
  readonly capabilities: Capabilities;
  /** As `Hello.firstLane`. */
  readonly firstLane?: Hello['firstLane'];
}

/** Milliseconds between two deltas at the least: a frame of a 60 Hz display. */
const GAP_MS = 16;
/** How often the figures of running groups go out while nothing else is new. */
const HEARTBEAT_MS = 100;
/** The share of its thread's time a feed may take: a huge timeline is sent less often rather than slow its host down. */
const BUSY_SHARE = 0.25;
/** The share while a view is filled: somebody waits for it. */
const FILLING_SHARE = 0.5;
/** How often what is new goes to a view that nobody can see: it does not fall behind, and costs next to nothing. */
const RESTING_GAP_MS = 1000;

/** What lasts from one `ready` to the next. */
interface Session {
  readonly backlog: Backlog;
  readonly info: RunInfo;
  sent: number;
  acknowledged: number;
  caughtUp: boolean;
  /** True where the last delta took all there was. */
  isDry: boolean;
  /** True once the state after the end of the run has gone out. */
  closed: boolean;
}

export class ViewFeed {
  private readonly subscription: { dispose(): void };
  private session: Session | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What the view is to show, until it has confirmed the delta that says so; `seq` 0 before that was sent. */
  private wanted: { readonly place: Place; readonly seq: number } | undefined;
  private lastSent = -Infinity;
  private lastRefresh = -Infinity;
  private lastCost = 0;
  private isResting = false;

  constructor(private readonly source: RunSource, private readonly port: FeedPort, private readonly options: FeedOptions) {
    this.subscription = source.onDidChange(() => { this.onChange(); });
  }

  /** @returns false where the message is not for the feed but for its host. */
  receive(message: FromView): boolean {
    switch (message.type) {
      case 'ready':
        this.begin();
        return true;
      case 'ack':
        this.acknowledge(message.seq);
        return true;
      default:
        return false;
    }
  }

  /** Has the view show the tasks of a line, as soon as it knows them. */
  showPlace(place: Place): void {
    this.wanted = { place, seq: 0 };
    this.schedule();
  }

  /** Nobody can see the view for now, or somebody can again. */
  rest(isResting: boolean): void {
    this.isResting = isResting;
    this.schedule();
  }

  /** True once the view has confirmed all there is of a run that is over. */
  get isDrained(): boolean {
    const { session } = this;
    return session?.closed === true && session.backlog.isEmpty && session.acknowledged === session.sent;
  }

  dispose(): void {
    this.subscription.dispose();
    this.end();
  }

  private begin(): void {
    this.end();
    const { info } = this.source;
    if (this.wanted) this.wanted = { ...this.wanted, seq: 0 };
    this.session = { backlog: new Backlog(this.source.timeline), info, sent: 0, acknowledged: 0, caughtUp: false, isDry: false, closed: false };
    this.port.send(encodeFrame({ type: 'hello', protocol: PROTOCOL_VERSION, locale: this.options.locale, run: info, capabilities: this.options.capabilities, firstLane: this.options.firstLane ?? 'bottom' }));
    this.schedule();
  }

  private end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.session?.backlog.dispose();
    this.session = undefined;
  }

  private acknowledge(seq: number): void {
    const { session } = this;
    if (!session || seq > session.sent) return;
    session.acknowledged = Math.max(session.acknowledged, seq);
    if (this.wanted && this.wanted.seq > 0 && seq >= this.wanted.seq) this.wanted = undefined;
    this.schedule();
  }

  private onChange(): void {
    // The view's clock and titles come with the hello: when the run has got others, it starts over.
    if (this.session && this.session.info !== this.source.info) this.begin();
    else this.schedule();
  }

  /** Sees to it that the next delta goes out as soon as it may, if there is one. */
  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { session } = this;
    if (!session || session.sent - session.acknowledged >= MAX_UNACKNOWLEDGED) return;
    const over = isOver(this.source.state().phase);
    const news = !session.caughtUp || !session.backlog.isEmpty || (over && !session.closed) || this.wanted?.seq === 0;
    if (!news && over) return;
    this.timer = setTimeout(() => { this.sendDelta(session); }, Math.max(0, this.lastSent + this.gap(session, news) - performance.now()));
  }

  /** Milliseconds from one delta to the next. */
  private gap({ caughtUp, isDry }: Session, news: boolean): number {
    if (!caughtUp) return this.lastCost / FILLING_SHARE;
    const least = this.isResting && isDry ? RESTING_GAP_MS : news ? GAP_MS : HEARTBEAT_MS;
    return Math.max(least, this.lastCost / BUSY_SHARE);
  }

  private sendDelta(session: Session): void {
    const begun = performance.now();
    const state = this.source.state();
    const closing = isOver(state.phase) && !session.closed;
    if (closing || (!session.closed && begun - this.lastRefresh >= HEARTBEAT_MS)) {
      this.lastRefresh = begun;
      session.backlog.refreshRunning();
    }
    const now = this.source.now();
    const portion = session.backlog.take(now);
    session.isDry = session.backlog.isEmpty;
    session.caughtUp ||= session.isDry;
    session.closed ||= closing;
    session.sent++;
    const place = session.caughtUp && this.wanted?.seq === 0 ? this.wanted.place : undefined;
    if (place) this.wanted = { place, seq: session.sent };
    this.port.send(encodeFrame({ type: 'delta', seq: session.sent, now, state, caughtUp: session.caughtUp, ...portion, place }));
    this.lastSent = performance.now();
    this.lastCost = this.lastSent - begun;
    this.schedule();
  }
}
