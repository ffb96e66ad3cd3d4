/** Facts in, timeline out: the one door of this room. */
import type { Hello } from '../model/facts';
import type { Site } from '../model/timeline';
import type { Timeline } from '../timeline/timeline';
import { FactReader } from './fact-reader';
import { PeerLogs } from './threads/peer-log';
import { PeerTasks } from './threads/peers';
import { LoopEntries } from './promises/loop-entries';
import type { Sources } from './promises/places';
import { PromiseGraph, type GraphListener } from './promises/promise-graph';
import { ThreadGrouping } from './thread-grouping';

export interface GroupingOptions {
  /** Turns a place in running code into the place in its source (source maps), be it one where the function begins; may be called often: cache. */
  readonly mapSite?: (site: Site, begins?: boolean) => Site;
  /** Whether a compiler wrote that place in running code for itself, so that it stands in no source; may be called often: cache. */
  readonly isHelper?: (site: Site) => boolean;
}

/** The facts of one thread, as its file grows. */
export interface ThreadIntake {
  /** Takes the next bytes of the file, cut anywhere. */
  push(bytes: Uint8Array): void;
  /** Undefined until the file's first record is whole. */
  readonly hello: Hello | undefined;
  /** Undefined until the thread has said that it ends. */
  readonly end: { readonly exitCode: number | undefined; readonly crashed: boolean } | undefined;
  readonly dropped: number;
  readonly sampledMs: number;
  /** Promises of which nobody could look where they were made, nor tell whose tasks they are. */
  readonly unplaced: number;
  /** A sentence, once the bytes turned out to be no fact file; what comes after is ignored. */
  readonly problem: string | undefined;
}

export class Grouping {
  private readonly threads: Intake[] = [];
  private readonly peers = new PeerLogs();
  private origin: number | undefined;

  private readonly sources: Sources;

  constructor(private readonly timeline: Timeline, { mapSite = (site) => site, isHelper = () => false }: GroupingOptions = {}) { this.sources = { mapSite, isHelper }; }

  /** Epoch milliseconds of the run's zero: the first thread's; undefined until its hello is in. */
  get timeOrigin(): number | undefined { return this.origin; }

  /** Opens the intake of one more thread. The first one to say hello sets the run's clock. */
  openThread(): ThreadIntake {
    const intake = new Intake((hello) => {
      this.origin ??= hello.timeOrigin;
      const name = hello.threadId === 0 ? (this.threads[0] === intake ? 'main' : `process ${hello.pid}`) : `worker ${hello.threadId}`;
      const thread = this.timeline.addThread({ pid: hello.pid, threadId: hello.threadId, name, requests: hello.requests });
      const loop = new LoopEntries();
      return { origin: this.origin, grouping: new ThreadGrouping(this.timeline, thread.id, new PeerTasks(this.peers, hello.pid, hello.threadId, thread.id, loop), loop, this.sources.mapSite) };
    }, this.sources);
    this.threads.push(intake);
    return intake;
  }

  /**
   * Brings the timeline up to date with all facts that have come in; cheap where little has. What costs more is put off
   * until nothing more comes: to be called once again then.
   */
  update(): void {
    this.peers.isQuiet = this.threads.every(({ isQuiet }) => isQuiet);
    for (const thread of this.threads) thread.update();
  }
}

class Intake implements ThreadIntake {
  grouping: ThreadGrouping | undefined;
  /** Nothing has come in since the last update. */
  isQuiet = true;
  private readonly graph: PromiseGraph;
  private readonly reader: FactReader;

  constructor(greet: (hello: Hello) => { origin: number; grouping: ThreadGrouping }, sources: Sources) {
    const heard = (): GraphListener => { if (!this.grouping) throw new Error('facts before hello'); return this.grouping; };
    this.graph = new PromiseGraph({
      followsLanes: () => heard().followsLanes(),
      rooted: (node) => { heard().rooted(node); },
      listened: (combinator, element) => { heard().listened(combinator, element); },
      gathered: (combinator, given) => { heard().gathered(combinator, given); },
      adopted: (node) => { heard().adopted(node); },
      awaited: (node) => { heard().awaited(node); },
      linked: (link) => { heard().linked(link); },
      settled: (node, tick) => { heard().settled(node, tick); },
      failed: (node, kind) => { heard().failed(node, kind); },
      requests: (node, name) => { heard().requests(node, name); },
      retiring: (node) => { heard().retiring(node); },
      library: (fact, terms) => { heard().library(fact, terms); },
      activity: (activity) => { heard().activity(activity); },
      peer: (fact, terms) => { heard().peer(fact, terms); },
      ended: (time, failed) => { heard().ended(time, failed); },
    }, (hello) => {
      const { origin, grouping } = greet(hello);
      this.grouping = grouping;
      return origin;
    }, sources);
    this.reader = new FactReader(this.graph);
  }

  push(bytes: Uint8Array): void {
    this.isQuiet = false;
    this.reader.push(bytes);
  }

  update(): void {
    const isJudged = this.grouping?.update(this.isQuiet) !== false;
    this.isQuiet = true;
    if (isJudged) this.graph.forgetOld();
  }

  get hello(): Hello | undefined { return this.graph.greeting; }
  get end(): ThreadIntake['end'] { return this.graph.ending; }
  get dropped(): number { return this.graph.droppedCount; }
  get sampledMs(): number { return this.graph.gapMs; }
  get unplaced(): number { return this.grouping?.unplaced ?? 0; }
  get problem(): string | undefined { return this.reader.problem; }
}
