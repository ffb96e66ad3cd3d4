/**
 * Pools of workers without a promise: `worker.on('message', () => next(worker))`. What threads answered and no promise was settled
 * by are tasks of the function that sends for them. Of several answers to one message the last counts.
 */
import { GroupDraft, TaskDraft } from './drafts';
import { PeerLanes } from './peer-lanes';
import { functionSiteOf, siteOf, userFrame, type Stack } from './places';
import { PromiseNode } from './promise-node';

/** Fewer may be messages about anything. */
const MIN_TASKS = 3;

/** A task as the thread told of it that was at work. Times are milliseconds after the run's `timeOrigin`. */
export interface SilentTask {
  /** Stands for the thread. */
  readonly peer: object;
  /** Where it was sent for. */
  readonly stack: Stack | undefined;
  readonly sent: number;
  readonly start: number;
  readonly end: number;
}

interface SilentPool { readonly draft: GroupDraft; readonly lanes: PeerLanes; readonly work: PromiseNode; readonly peers: object[] }

export class SilentAnswers {
  private readonly pools = new Map<string, SilentPool>();
  private readonly changed = new Set<GroupDraft>();

  constructor(private readonly thread: number) {}

  add({ peer, stack, sent, start, end }: SilentTask): void {
    const frame = userFrame(stack);
    // Sent by a library: what it makes of the answer is not known.
    if (!frame || !(start <= end) || isLibrarys(stack)) return;
    const pool = this.poolOf(frame);
    if (!pool.peers.includes(peer)) pool.peers.push(peer);
    const task = new TaskDraft(pool.work, Math.min(sent, start));
    task.elsewhere = { start, end, lane: 0 };
    pool.draft.add(task, pool.peers.indexOf(peer) + 1, 0);
    task.finish(end, false, false);
    pool.lanes.take(task, peer);
    this.changed.add(pool.draft);
  }

  /** @returns the groups that changed */
  update(): GroupDraft[] {
    const changed = [...this.changed].filter(({ taskCount }) => taskCount >= MIN_TASKS);
    for (const pool of this.pools.values()) if (this.changed.has(pool.draft)) pool.lanes.draw();
    this.changed.clear();
    return changed;
  }

  private poolOf(frame: Stack): SilentPool {
    let pool = this.pools.get(frame.place.fn);
    if (pool) return pool;
    const { name, startLine, startColumn } = frame.place;
    const isModule = name === '' && startLine === 1 && startColumn === 1;
    const draft = new GroupDraft({
      thread: this.thread, kind: 'pool', combinator: undefined, library: undefined, declared: undefined,
      site: siteOf(userFrame(frame.callers) ?? frame), taskSite: isModule ? siteOf(frame) : functionSiteOf(frame),
    });
    pool = { draft, lanes: new PeerLanes(draft), work: new PromiseNode(0), peers: [] };
    this.pools.set(frame.place.fn, pool);
    return pool;
  }
}

function isLibrarys(stack: Stack | undefined): boolean {
  let at = stack;
  while (at && (at.place.kind === 'native' || at.place.kind === 'node')) at = at.callers;
  return at?.place.kind === 'library';
}
