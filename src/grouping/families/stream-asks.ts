/**
 * Who asks a stream of Node's for what its operators call: `for await (const page of stream.map(load, { concurrency: 4 }))`. What runs the calls begins
 * a turn of the event loop later, on its own; it is the business of what the running function asked for last.
 */
import { userFrame } from '../promises/places';
import { isStreamPump, isStreams, type PromiseNode } from '../promises/promise-node';

const MAX_STEPS = 16;

export class StreamAsks {
  /** By the running function, what it asked for last. */
  private readonly latest = new WeakMap<PromiseNode, PromiseNode>();
  /** What any asked for last. */
  private last: PromiseNode | undefined;

  /** A promise was made. */
  rooted(node: PromiseNode): void {
    if (!isStreams(node)) return;
    if (!userFrame(node.stack)) { if (isStreamPump(node)) node.partOf ??= this.askedIn(node.owner); return; }
    if (node.owner) this.latest.set(node.owner, node);
    this.last = node;
  }

  private askedIn(owner: PromiseNode | undefined): PromiseNode | undefined {
    let at = owner;
    for (let steps = 0; at && steps < MAX_STEPS; steps++, at = at.owner) {
      const asked = isStreams(at) && userFrame(at.stack) ? at : this.latest.get(at);
      if (asked?.isPending) return asked;
    }
    // A stream that flows by itself, as in a pipeline, goes on for nobody.
    return at || !this.last?.isPending ? undefined : this.last;
  }
}
